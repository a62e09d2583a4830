/**
 * Backtests the templates over the recorded prices of the project: `node docs/write-template-backtests.ts`. A test holds the
 * file to it. The curves are shown beside a template, so that no page computes one.
 */
import { writeFileSync } from 'node:fs';
import { BACKTEST_DEFAULTS } from '../engine/research/playback/request.ts';
import type { EquityPartRow } from '../engine/research/playback/result.ts';
import { runBacktest } from '../engine/research/playback/run-backtest.ts';
import { NEW_ACCOUNT_LIMITS } from '../engine/risk/rule-limits.ts';
import { PLACEHOLDERS, templateGraph } from '../engine/strategy/graph/templates/graphs.ts';
import type { TemplateBacktest } from '../engine/strategy/graph/templates/template.ts';
import { DEFAULT_TRADING_SETTINGS } from '../engine/trading/orders/settings.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../venues/time.ts';
import type { RecordedMarket } from './template-markets.ts';
import * as markets from './template-markets.ts';

export const CURVES = new URL('../engine/strategy/graph/templates/template-backtests.json', import.meta.url);

const { BTC, ETH, BTC_MINUTES, BTC_BESIDE_QUESTION, QUESTION } = markets;
const BAR_MS = 5 * MINUTE_MS;
const CASH = 10_000;

/** The days of a recording, without those before the run that indicators need. */
const spanOf = (from: string, days: number, warmUpDays: number) => ({
  from: new Date(Date.parse(from) + warmUpDays * DAY_MS).toISOString(),
  to: new Date(Date.parse(from) + days * DAY_MS).toISOString(),
});
const ON_COINS = spanOf(markets.COINS_FROM, markets.COINS_DAYS, 2);
const ON_MINUTES = spanOf(markets.MINUTES_FROM, markets.MINUTES_DAYS, 1);
const ON_QUESTION = spanOf(markets.QUESTION_FROM, markets.QUESTION_DAYS, 0);
const ON_BOTH = spanOf(markets.QUESTION_FROM, markets.QUESTION_AND_COIN_DAYS, 0);

/** The recorded markets that a template reads, those that it trades if not all, and the candles that it reads. */
type Recorded = {
  readonly from: string;
  readonly to: string;
  readonly markets: readonly RecordedMarket[];
  readonly traded?: readonly RecordedMarket[];
  readonly candleMs?: number;
};

/**
 * Templates whose series are recorded. The others read signals, the same question at two venues, or seconds of an outcome, or
 * buy nothing by themselves.
 */
const RECORDED: Readonly<Record<string, Recorded>> = {
  momentum: { ...ON_COINS, markets: [BTC] },
  'bollinger-breakout': { ...ON_COINS, markets: [ETH], candleMs: 3 * BAR_MS },
  macd: { ...ON_COINS, markets: [BTC], candleMs: HOUR_MS },
  'mean-reversion': { ...ON_MINUTES, markets: [BTC_MINUTES] },
  grid: { ...ON_COINS, markets: [BTC], candleMs: HOUR_MS },
  pair: { ...ON_COINS, markets: [BTC, ETH], traded: [ETH], candleMs: HOUR_MS },
  'probability-edge': { ...ON_QUESTION, markets: [QUESTION] },
  'probability-range': { ...ON_QUESTION, markets: [QUESTION] },
  'hedged-contract': { ...ON_BOTH, markets: [QUESTION, BTC_BESIDE_QUESTION] },
  bracket: { ...ON_COINS, markets: [BTC] },
  ladder: { ...ON_COINS, markets: [BTC], candleMs: HOUR_MS },
  twap: { ...ON_COINS, markets: [ETH] },
  accumulation: { ...ON_COINS, markets: [BTC] },
  rotation: { ...ON_COINS, markets: [BTC, ETH], candleMs: HOUR_MS },
  rebalancing: { ...ON_COINS, markets: [BTC] },
  'first-of-month': { ...ON_COINS, markets: [BTC] },
};

/** The templates that have recorded history. */
export const BACKTESTED = Object.keys(RECORDED);

/** Returns the graph of a template on recorded instruments, its list of coins cut to them. */
function graphOf(key: string, coins: readonly string[]) {
  const instruments = { ...PLACEHOLDERS, outcomeA: QUESTION.instrument.token_id };
  const { parameters, ...graph } = Object(templateGraph(key, instruments));
  return { ...graph, parameters: { ...parameters, ...(parameters?.coins && { coins: { value: coins } }) } };
}

/** Backtests a template that has recorded history. */
export function backtestOf(key: string): TemplateBacktest {
  const recorded = RECORDED[key];
  if (!recorded) throw new Error(`The template ${key} has no recorded history.`);
  const { from, to, markets, traded = markets, candleMs } = recorded;
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
      visual: graphOf(
        key,
        markets.map(({ instrument }) => instrument.token_id),
      ),
      facts: markets.map(({ instrument }) => ({ fromMs: Number.NEGATIVE_INFINITY, instrument })),
      histories: markets.flatMap(({ resolutionMs, series }) =>
        [...new Set([resolutionMs, candleMs ?? resolutionMs])].map(series),
      ),
      recorded: [],
      signals: [],
      rules: {
        account_id: '',
        mode: 'paper',
        ...NEW_ACCOUNT_LIMITS.paper,
        version: 1,
        updated_at: from,
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
  const held = summary.benchmark?.totalReturn.value ?? null;
  return {
    from,
    to,
    markets: traded.map(({ instrument }) => instrument.title),
    equity: byDay(equity, Date.parse(from)),
    buyAndHold: held === null ? null : rounded(held),
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

if (import.meta.main) {
  const lines = BACKTESTED.map((key) => `"${key}": ${JSON.stringify(backtestOf(key))}`);
  writeFileSync(CURVES, `{\n${lines.join(',\n')}\n}\n`);
}
