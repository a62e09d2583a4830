import type { BacktestHooks, BacktestInput } from '../../engine/research/playback/input.ts';
import { BACKTEST_DEFAULTS, type BacktestRequest } from '../../engine/research/playback/request.ts';
import type {
  BacktestSummary,
  EquityPartRow,
  FillPartRow,
  LogPartRow,
  OrderPartRow,
  TradePartRow,
} from '../../engine/research/playback/result.ts';
import { runBacktest } from '../../engine/research/playback/run-backtest.ts';
import { NEW_ACCOUNT_LIMITS, type RiskRulesPatch } from '../../engine/risk/rule-limits.ts';
import type { InstrumentRow } from '../../engine/trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/trading/orders/settings.ts';
import type { InstrumentFact } from '../../engine/trading/orders/terms/facts-by-time.ts';
import { planRulesChange, type RulesRow } from '../../engine/usecases/risk-rules/change.ts';
import { NO_FEE, VENUE_A_FEE } from './fees.ts';

export { NO_FEE } from './fees.ts';

const AT = '2022-01-01T00:00:00.000Z';

/** Rules that block nothing. */
export const FREE_RULES: RiskRulesPatch = {
  maxOrderSize: 100_000_000,
  maxDailyLoss: 100_000_000,
  maxOpenPositions: 1_000,
  maxOrdersPerMinute: 100_000,
  cooldownAfterLossSec: 0,
  requireApprovalAbove: 100_000_000,
};

/** An account's first rules, changed. */
export function rulesWith(patch: RiskRulesPatch = {}): RulesRow {
  const first: RulesRow = {
    account_id: '00000000-0000-7000-8000-000000000001',
    mode: 'paper',
    ...NEW_ACCOUNT_LIMITS.paper,
    version: 1,
    updated_at: AT,
  };
  return planRulesChange(first, patch, new Date(AT))?.row ?? first;
}

export const iso = (ms: number): string => new Date(ms).toISOString();

/** A spot instrument as its venue states it. */
export const coin = (fields: Partial<InstrumentRow> = {}): InstrumentRow => ({
  token_id: 'BTCUSDT',
  venue: 'crypto',
  kind: 'spot',
  market: 'BTCUSDT',
  series: null,
  outcome: null,
  contract: null,
  title: 'BTCUSDT',
  tick_size: '0.01',
  price_ranges: [],
  step_size: '0.00001',
  min_size: '0.00001',
  min_notional: '5',
  fee_schedule: { ...NO_FEE, takerRate: '0.001', makerRate: '0.001' },
  quote_currency: 'USDT',
  delisted_at: null,
  tradable: true,
  opens_at: null,
  closes_at: null,
  status: 'open',
  settlement_value: null,
  terms_at: AT,
  updated_at: AT,
  ...fields,
});

export const FREE_COIN = coin({ fee_schedule: NO_FEE });

/** A contract as its venue states it. */
export const contract = (tokenId: string, fields: Partial<InstrumentRow> = {}): InstrumentRow =>
  coin({
    token_id: tokenId,
    venue: 'venue-a',
    kind: 'outcome',
    market: tokenId.split(':')[0] ?? tokenId,
    outcome: 'yes',
    title: tokenId,
    step_size: '1',
    min_size: '1',
    min_notional: '0',
    fee_schedule: VENUE_A_FEE,
    quote_currency: 'USD',
    ...fields,
  });

export const factFromStart = (instrument: InstrumentRow): InstrumentFact => ({
  fromMs: Number.NEGATIVE_INFINITY,
  instrument,
});

type Patch<Value> = {
  readonly [Name in keyof Value]?: Value[Name] extends object ? Patch<Value[Name]> : Value[Name];
};

/** A request with every default, except for what is given. */
export function requestOf(
  span: Pick<BacktestRequest, 'from' | 'to'>,
  { data, fills, risk, ...patch }: Patch<BacktestRequest> = {},
): BacktestRequest {
  return {
    blueprintId: null,
    release: null,
    cash: '10000',
    ...BACKTEST_DEFAULTS,
    checks: false,
    ...span,
    ...patch,
    data: { ...BACKTEST_DEFAULTS.data, ...data },
    fills: { ...BACKTEST_DEFAULTS.fills, ...fills },
    risk: { ...BACKTEST_DEFAULTS.risk, ...risk },
  } as BacktestRequest;
}

/** Fills all of an order at the next open, without a fee, as a loop over bars does. */
export const IDEAL_FILLS = { halfSpread: '0', liquidity: 'unlimited' } as const;

export const inputOf = (
  request: BacktestRequest,
  input: Pick<BacktestInput, 'visual' | 'facts' | 'histories'> & Partial<BacktestInput>,
): BacktestInput => ({
  request,
  recorded: [],
  signals: [],
  rules: rulesWith(FREE_RULES),
  settings: DEFAULT_TRADING_SETTINGS,
  ...input,
});

export type BacktestRun = {
  readonly summary: BacktestSummary;
  readonly orders: readonly OrderPartRow[];
  readonly fills: readonly FillPartRow[];
  readonly trades: readonly TradePartRow[];
  readonly equity: readonly EquityPartRow[];
  readonly log: readonly LogPartRow[];
};

/** A run with everything that it reported. */
export function run(input: BacktestInput, hooks: Partial<BacktestHooks> = {}): BacktestRun {
  const rows: Record<string, object[]> = { order: [], fill: [], trade: [], equity: [], log: [] };
  const summary = runBacktest(input, {
    part: ({ kind, rows: more }) => rows[kind]?.push(...more),
    progress: () => {},
    isCanceled: () => false,
    ...hooks,
  });
  const reported = rows as unknown as {
    order: OrderPartRow[];
    fill: FillPartRow[];
    trade: TradePartRow[];
    equity: EquityPartRow[];
    log: LogPartRow[];
  };
  return {
    summary,
    orders: reported.order,
    fills: reported.fill,
    trades: reported.trade,
    equity: reported.equity,
    log: reported.log,
  };
}

type Inputs = Readonly<Record<string, string | string[]>>;
type Node = readonly [id: string, type: string, config: object, inputs?: Inputs];

/** A graph, from nodes and their inputs. */
export const graphFrom = (nodes: readonly Node[]) => ({
  nodes: nodes.map(([id, type, config]) => ({ id, type, data: { config } })),
  edges: nodes.flatMap(([target, , , inputs = {}]) =>
    Object.entries(inputs).flatMap(([targetHandle, sources]) =>
      [sources].flat().map((source) => ({ source, target, targetHandle })),
    ),
  ),
});

/** The node `close`: the last closed candle of five minutes of BTCUSDT. */
export const CLOSE: Node = [
  'close',
  'crypto.candle',
  { symbol: 'BTCUSDT', interval: '5m', field: 'close', closedOnly: true },
];

/** The node `buy`: an order at the market for BTCUSDT, with these inputs. */
export const buyAtMarket = (inputs: Inputs, more: object = {}): Node => [
  'buy',
  'order',
  { instrument: 'BTCUSDT', side: 'buy', type: 'market', ...more },
  inputs,
];

/** The node `buy`: a resting order for BTCUSDT, with these inputs. */
export const buyAtLimit = (inputs: Inputs, more: object = {}): Node => [
  'buy',
  'order',
  { instrument: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc', ...more },
  inputs,
];

/** Buys an amount when the fast mean of closes rises above the slow one. Sells all when it falls below. */
export const crossingGraph = (
  fast: number,
  slow: number,
  amount: number,
  interval = '5m',
  symbol = 'BTCUSDT',
) =>
  graphFrom([
    ['close', 'crypto.candle', { symbol, interval, field: 'close', closedOnly: true }],
    ['fast', 'indicator', { kind: 'sma', period: fast }, { in: 'close' }],
    ['slow', 'indicator', { kind: 'sma', period: slow }, { in: 'close' }],
    ['above', 'compare', { op: 'gt' }, { a: 'fast', b: 'slow' }],
    ['below', 'compare', { op: 'lt' }, { a: 'fast', b: 'slow' }],
    ['amount', 'constant', { value: amount }],
    buyAtMarket({ when: 'above', amount: 'amount' }, { instrument: symbol, ifTrueAtDeploy: 'wait' }),
    ['sell', 'close', { instrument: symbol }, { when: 'below' }],
  ]);
