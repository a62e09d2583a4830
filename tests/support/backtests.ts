/** Backtests as if they had run: rows of a result that is computed here. */
import { randomUUID } from 'node:crypto';
import type { Pool } from '../../db/pool.ts';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { type HeldPoint, StatisticsRecorder } from '../../engine/books/statistics/statistics.ts';
import type { SeriesRows } from '../../engine/history/series.ts';
import { writeHistory } from '../../engine/history/store.ts';
import type { Work } from '../../engine/platform/context.ts';
import type { Lease } from '../../engine/platform/jobs/queue.ts';
import { PartWriter, type StoredPart } from '../../engine/research/backtests/parts.ts';
import { endBacktest, storePart } from '../../engine/research/backtests/queue.ts';
import { readBacktest } from '../../engine/research/backtests/row.ts';
import { startBacktest } from '../../engine/research/backtests/start.ts';
import type { PartKind } from '../../engine/research/playback/input.ts';
import { VolumeTaken } from '../../engine/research/playback/record/volume-taken.ts';
import { BACKTEST_DEFAULTS, type BacktestRequest } from '../../engine/research/playback/request.ts';
import type {
  BacktestSummary,
  EquityPartRow,
  FillPartRow,
  LogPartRow,
  OrderPartRow,
  TradePartRow,
} from '../../engine/research/playback/result.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/trading/orders/settings.ts';
import { readRulesRow } from '../../engine/usecases/risk-rules/rules.ts';

const BAR_MS = 5 * 60_000;
const SERIES = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: BAR_MS } as const;

/** Two averages of closes: buys when the fast one crosses above the slow one, sells when it crosses back. */
const node = (id: string, type: string, config: object) => ({ id, type, data: { config } });
const edge = (source: string, target: string, targetHandle: string) => ({ source, target, targetHandle });
export const CROSSES = {
  nodes: [
    node('close', 'crypto.candle', { symbol: 'BTCUSDT', interval: '5m', field: 'close' }),
    node('fast', 'indicator', { kind: 'sma', period: 10 }),
    node('slow', 'indicator', { kind: 'sma', period: 30 }),
    node('up', 'compare', { op: 'crossesAbove' }),
    node('down', 'compare', { op: 'crossesBelow' }),
    node('amount', 'constant', { value: 0.001 }),
    node('buy', 'order', { instrument: 'BTCUSDT', side: 'buy', type: 'market', ifTrueAtDeploy: 'wait' }),
    node('sell', 'close', { instrument: 'BTCUSDT' }),
  ],
  edges: [
    edge('close', 'fast', 'in'),
    edge('close', 'slow', 'in'),
    edge('fast', 'up', 'a'),
    edge('slow', 'up', 'b'),
    edge('fast', 'down', 'a'),
    edge('slow', 'down', 'b'),
    edge('up', 'buy', 'when'),
    edge('amount', 'buy', 'amount'),
    edge('down', 'sell', 'when'),
  ],
};

/** Candles of a price that goes up and down, with volume. */
export function waveCandles(fromMs: number, count: number): SeriesRows<'candle'> {
  const price = (bar: number) => 60_000 + 1_500 * Math.sin(bar / 40) + 300 * Math.sin(bar / 7);
  const column = (of: (bar: number) => number) => Float64Array.from({ length: count }, (_, bar) => of(bar));
  const cents = (value: number) => Math.round(value * 100) / 100;
  return {
    kind: 'candle',
    count,
    columns: {
      openTimeMs: column((bar) => fromMs + bar * BAR_MS),
      closeTimeMs: column((bar) => fromMs + (bar + 1) * BAR_MS - 1),
      open: column((bar) => cents(price(bar))),
      high: column((bar) => cents(Math.max(price(bar), price(bar + 1)) + 5)),
      low: column((bar) => cents(Math.min(price(bar), price(bar + 1)) - 5)),
      close: column((bar) => cents(price(bar + 1))),
      volume: column(() => 50),
    },
  };
}

/** Stores candles of such a price as the history of BTCUSDT, on request with one that was corrected later. */
export async function storeWaves(
  db: Db,
  held: { fromMs: number; toMs: number },
  corrected: { readonly bar: number; readonly closeMore: number } | null = null,
): Promise<void> {
  const rows = waveCandles(held.fromMs, (held.toMs - held.fromMs) / BAR_MS);
  if (corrected !== null)
    rows.columns.close[corrected.bar] = (rows.columns.close[corrected.bar] ?? 0) + corrected.closeMore;
  await writeHistory(db, SERIES, { held, rows: rows as SeriesRows, source: 'simulator' }, new Date());
}

export const FROM = '2026-09-01T00:00:00.000Z';
export const TO = '2026-10-01T00:00:00.000Z';
const FROM_MS = Date.parse(FROM);

export const REQUEST: BacktestRequest = {
  ...BACKTEST_DEFAULTS,
  blueprintId: null,
  release: null,
  from: FROM,
  to: TO,
  cash: '10000',
};

export type Result = {
  readonly summary: BacktestSummary;
  readonly rows: Readonly<Record<PartKind, readonly object[]>>;
};

/** A result with this number of trades of one coin, each an hour long, which win and lose in turn. */
export function resultOf(trades: number, instrument = 'BTCUSDT'): Result {
  const recorder = new StatisticsRecorder({ fromMs: FROM_MS, toMs: Date.parse(TO), start: '10000' });
  const stepMs = Math.floor((Date.parse(TO) - FROM_MS) / (2 * trades + 2));
  const rows = {
    order: [] as OrderPartRow[],
    fill: [] as FillPartRow[],
    trade: [] as TradePartRow[],
    equity: [] as EquityPartRow[],
    log: [] as LogPartRow[],
  };
  let cash = 1_000_000_000n;
  for (let place = 0; place < 2 * trades; place++) {
    const isBuy = place % 2 === 0;
    const side = isBuy ? 'buy' : 'sell';
    const price = isBuy ? '100' : place % 4 === 1 ? '103.5' : '98.25';
    const atMs = FROM_MS + (place + 1) * stepMs;
    const at = new Date(atMs).toISOString();
    const orderId = `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
    const fill = { orderId, at, tokenId: instrument, side, amount: '0.01', price, fee: '0.0005' } as const;
    rows.fill.push({ ...fill, source: 'order', grade: 'bar' });
    rows.order.push({
      id: orderId,
      at,
      nodeId: side,
      tokenId: instrument,
      side,
      type: 'market',
      amount: '0.01',
      limitPrice: price,
      status: 'filled',
      statusReason: null,
      filledAmount: '0.01',
      averagePrice: price,
      reason: 'The condition became true.',
      receipt: { lines: [] },
    });
    const trade = recorder.event({
      kind: 'fill',
      holding: instrument,
      atMs,
      side,
      amount: '0.01',
      price,
      fee: '0.0005',
    });
    if (trade !== null) rows.trade.push(trade);
    // In hundred-thousandths of a dollar: cash is exact.
    const moved = BigInt(Math.round(Number(price) * 1_000));
    cash += (isBuy ? -moved : moved) - 50n;
    const held = isBuy ? '1' : '0';
    const equity = ((Number(cash) + (isBuy ? 100_000 : 0)) / 100_000).toFixed(5);
    const point: HeldPoint = { atMs, equity, held };
    recorder.point(point);
    rows.equity.push({ atMs, equity, held });
  }
  rows.log.push({ at: FROM, code: 'began', nodeId: null, message: 'The run began.' });
  const statistics = recorder.statistics();
  return { rows, summary: summaryOf(statistics, rows.equity.at(-1)?.equity ?? '10000', trades) };
}

const summaryOf = (
  statistics: BacktestSummary['statistics'],
  finalEquity: string,
  trades: number,
): BacktestSummary => ({
  statistics,
  verdicts: [{ code: 'orders_refused', severity: 'warning', message: '2 orders were refused.', count: 2 }],
  assumptions: [{ name: 'fills.latencyMs', value: '2000', why: 'By default.' }],
  fidelity: 'C',
  pace: 'candles',
  orders: {
    intents: 2 * trades + 2,
    orders: 2 * trades,
    filled: 2 * trades,
    partial: 0,
    unfilled: 0,
    canceled: 0,
    expired: 0,
    denied: { maxOrderSize: 2 },
    approvals: 0,
  },
  evaluations: 8_640,
  bars: 8_640,
  gaps: 0,
  ambiguousBars: 0,
  range: null,
  finalCash: finalEquity,
  finalEquity,
  exitEquity: finalEquity,
  fees: statistics.trades.fees,
  buyAndHold: 0.031,
  benchmark: null,
  resampled: null,
  costs: {
    notional: '0',
    measuredNotional: '0',
    fee: statistics.trades.fees,
    spread: '0',
    slippage: '0',
    delay: '0',
    unfilled: '0',
    orders: 2 * trades,
    unmeasured: 0,
  },
  capacity: new VolumeTaken().figures(0.1),
  attribution: { node: [], instrument: [], hour: [], weekday: [], regime: [] },
  forecasts: null,
  sensitivity: null,
  fillGrades: [{ grade: 'bar', fills: 2 * trades, profit: statistics.netProfit }],
  unsettled: null,
  resultHash: 'a'.repeat(64),
});

/** The parts of a result in the form that a run delivers them. */
export function partsOf({ rows }: Result): StoredPart[] {
  const parts: StoredPart[] = [];
  const writer = new PartWriter((part) => parts.push(part));
  for (const [kind, ofKind] of Object.entries(rows)) writer.add(kind as PartKind, ofKind);
  writer.end();
  return parts;
}

/** Requests a backtest of an empty graph, which stays queued. */
export async function queueBacktest(work: Work, request: Partial<BacktestRequest> = {}): Promise<string> {
  const terms = { rules: await readRulesRow(work), settings: DEFAULT_TRADING_SETTINGS };
  const { row } = await startBacktest(
    work,
    { request: { ...REQUEST, ...request }, visual: { nodes: [], edges: [] }, name: 'Sample', terms },
    { requestHash: randomUUID(), fresh: true },
  );
  return row.id;
}

/** Claims this backtest and no other, ahead of the queue, as a process that runs it would. */
export async function beginBacktest(pool: Pool, { accountId }: Work, id: string): Promise<Lease> {
  const owner = randomUUID();
  const { attempts } = await systemDb(pool)
    .updateTable('backtest')
    .set({
      status: 'running',
      phase: 'running',
      lease_owner: owner,
      leased_until: new Date(Date.now() + 60_000),
      attempts: 1,
      started_at: new Date(),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('attempts')
    .executeTakeFirstOrThrow();
  return { id, owner, attempt: attempts };
}

/** A finished backtest with this result. */
export async function addBacktest(
  pool: Pool,
  work: Work,
  { result = resultOf(3), request = {} }: { result?: Result; request?: Partial<BacktestRequest> } = {},
): Promise<string> {
  const id = await queueBacktest(work, request);
  const lease = await beginBacktest(pool, work, id);
  let storedBytes = 0;
  for (const part of partsOf(result)) {
    storedBytes += part.body.length;
    if (!(await storePart(work, lease, part))) throw new Error('The lease was lost.');
  }
  await endBacktest(work, lease, { status: 'done', summary: result.summary, storedBytes });
  await readBacktest(work, id);
  return id;
}
