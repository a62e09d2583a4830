/**
 * Backtests the templates over the prices that the simulator ships: `node docs/write-template-backtests.ts`. A test holds the
 * file to it. The curves are shown beside a template, so that no page computes one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { History, SeriesRows } from '../engine/history/series.ts';
import { BACKTEST_DEFAULTS } from '../engine/research/playback/request.ts';
import type { EquityPartRow } from '../engine/research/playback/result.ts';
import { runBacktest } from '../engine/research/playback/run-backtest.ts';
import { NEW_ACCOUNT_LIMITS } from '../engine/risk/rule-limits.ts';
import { templateGraph } from '../engine/strategy/graph/templates/graphs.ts';
import type { TemplateBacktest } from '../engine/strategy/graph/templates/template.ts';
import type { InstrumentRow } from '../engine/trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS } from '../engine/trading/orders/settings.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../venues/time.ts';

export const CURVES = new URL('../engine/strategy/graph/templates/template-backtests.json', import.meta.url);

const BAR_MS = 5 * MINUTE_MS;
/** The first bar of the recordings: `simulator/world/data/SOURCES.md`. */
const RECORDED_FROM = '2022-08-22T00:00:00.000Z';
const RECORDED_DAYS = 42;
/** Indicators need candles from before the run. */
const WARM_UP_DAYS = 2;
const CASH = 10_000;
const BTC = 'BTCUSDT';
const ETH = 'ETHUSDT';

/** The recorded coins that a template reads, those that it trades if not all, and the candles that it reads. */
type Recorded = { readonly coins: string[]; readonly traded?: string[]; readonly candleMs: number };

/** Templates whose series are recorded. The others read minutes, contracts or signals. */
const RECORDED: Readonly<Record<string, Recorded>> = {
  momentum: { coins: [BTC], candleMs: BAR_MS },
  'bollinger-breakout': { coins: [ETH], candleMs: 3 * BAR_MS },
  macd: { coins: [BTC], candleMs: HOUR_MS },
  grid: { coins: [BTC], candleMs: HOUR_MS },
  pair: { coins: [BTC, ETH], traded: [ETH], candleMs: HOUR_MS },
  bracket: { coins: [BTC], candleMs: BAR_MS },
  ladder: { coins: [BTC], candleMs: HOUR_MS },
  twap: { coins: [ETH], candleMs: BAR_MS },
  accumulation: { coins: [BTC], candleMs: BAR_MS },
  rotation: { coins: [BTC, ETH], candleMs: HOUR_MS },
  rebalancing: { coins: [BTC], candleMs: BAR_MS },
  'first-of-month': { coins: [BTC], candleMs: BAR_MS },
};

/** The templates that have recorded history. */
export const BACKTESTED = Object.keys(RECORDED);

/** Returns the graph of a template, its list of coins cut to the recorded ones. */
function graphOf(key: string, coins: readonly string[]) {
  const { parameters, ...graph } = Object(templateGraph(key));
  return { ...graph, parameters: { ...parameters, ...(parameters?.coins && { coins: { value: coins } }) } };
}

/** Backtests a template that has recorded history. */
export function backtestOf(key: string): TemplateBacktest {
  const recorded = RECORDED[key];
  if (!recorded) throw new Error(`The template ${key} has no recorded history.`);
  const { coins, traded = coins, candleMs } = recorded;
  const startMs = Date.parse(RECORDED_FROM);
  const from = new Date(startMs + WARM_UP_DAYS * DAY_MS).toISOString();
  const to = new Date(startMs + RECORDED_DAYS * DAY_MS).toISOString();
  const equity: EquityPartRow[] = [];
  const summary = runBacktest(
    {
      request: {
        blueprintId: null,
        release: null,
        from,
        to,
        cash: String(CASH),
        ...BACKTEST_DEFAULTS,
        checks: false,
      },
      visual: graphOf(key, coins),
      facts: coins.map((symbol) => ({ fromMs: Number.NEGATIVE_INFINITY, instrument: instrumentOf(symbol) })),
      histories: coins.flatMap((symbol) => {
        const bars = recordedBars(symbol);
        return [...new Set([BAR_MS, candleMs])].map((resolutionMs) => historyOf(symbol, bars, resolutionMs));
      }),
      recorded: [],
      signals: [],
      rules: {
        account_id: '',
        mode: 'paper',
        ...NEW_ACCOUNT_LIMITS.paper,
        version: 1,
        updated_at: RECORDED_FROM,
      },
      settings: DEFAULT_TRADING_SETTINGS,
    },
    {
      part: ({ kind, rows }) => {
        if (kind === 'equity') equity.push(...(rows as EquityPartRow[]));
      },
      progress: () => {},
      isCanceled: () => false,
    },
  );
  return {
    from,
    to,
    coins: traded,
    equity: byDay(equity, Date.parse(from)),
    buyAndHold: rounded(summary.benchmark?.totalReturn.value ?? Number.NaN),
    maxExposure: rounded(Math.max(...equity.map((point) => Number(point.held) / Number(point.equity)))),
    filled: summary.orders.filled + summary.orders.partial,
    verdicts: [...summary.verdicts],
  };
}

/** A share to a hundredth of a per cent. */
const rounded = (share: number) => Number(share.toFixed(4));

/** Returns the equity at the start and the last one of each day, to the cent. */
function byDay(equity: readonly EquityPartRow[], fromMs: number): number[] {
  const last: number[] = [CASH];
  for (const { atMs, equity: value } of equity)
    last[Math.max(0, Math.ceil((atMs - fromMs) / DAY_MS))] = Number(Number(value).toFixed(2));
  return last;
}

type Bar = readonly [open: number, high: number, low: number, close: number, volume: number];

const recordedBars = (symbol: string): readonly Bar[] =>
  gunzipSync(
    readFileSync(new URL(`../simulator/world/data/${symbol.toLowerCase()}-5m.csv.gz`, import.meta.url)),
  )
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number) as unknown as Bar);

/** Candles of whole groups of bars. */
function historyOf(tokenId: string, bars: readonly Bar[], resolutionMs: number): History {
  const size = resolutionMs / BAR_MS;
  const groups = Array.from({ length: bars.length / size }, (_, index) =>
    bars.slice(index * size, (index + 1) * size),
  );
  const column = (value: (group: readonly Bar[], index: number) => number) =>
    Float64Array.from(groups, value);
  const openMs = (index: number) => Date.parse(RECORDED_FROM) + index * resolutionMs;
  const rows: SeriesRows<'candle'> = {
    kind: 'candle',
    count: groups.length,
    columns: {
      openTimeMs: column((_, index) => openMs(index)),
      closeTimeMs: column((_, index) => openMs(index + 1) - 1),
      open: column((group) => group[0]?.[0] ?? Number.NaN),
      high: column((group) => Math.max(...group.map(([, high]) => high))),
      low: column((group) => Math.min(...group.map(([, , low]) => low))),
      close: column((group) => group.at(-1)?.[3] ?? Number.NaN),
      volume: column((group) => group.reduce((sum, [, , , , volume]) => sum + volume, 0)),
    },
  };
  return {
    key: { venue: 'crypto', tokenId, kind: 'candle', resolutionMs },
    rows: rows as unknown as SeriesRows,
    gaps: [],
    missing: [],
    hash: tokenId,
    source: 'recorded',
  };
}

/** The coin as its venue states it, with the venue's usual fee. */
const instrumentOf = (symbol: string): InstrumentRow => ({
  token_id: symbol,
  venue: 'crypto',
  kind: 'spot',
  market: symbol,
  series: null,
  outcome: null,
  contract: null,
  title: symbol,
  tick_size: '0.01',
  price_ranges: [],
  step_size: '0.00001',
  min_size: '0.00001',
  min_notional: '5',
  fee_schedule: { formula: 'notional', takerRate: '0.001', makerRate: '0.001', exponent: 1, roundUpTo: null },
  quote_currency: 'USDT',
  delisted_at: null,
  tradable: true,
  opens_at: null,
  closes_at: null,
  status: 'open',
  settlement_value: null,
  terms_at: RECORDED_FROM,
  updated_at: RECORDED_FROM,
});

if (import.meta.main) {
  const lines = BACKTESTED.map((key) => `"${key}": ${JSON.stringify(backtestOf(key))}`);
  writeFileSync(CURVES, `{\n${lines.join(',\n')}\n}\n`);
}
