import { hash } from 'node:crypto';
import { benchmarkFiguresOf } from '../../books/statistics/benchmark.ts';
import { resampledFiguresOf } from '../../books/statistics/bootstrap.ts';
import { dailyRate, wholeDays } from '../../books/statistics/daily-returns.ts';
import { sumOf } from '../../platform/decimal.ts';
import { BacktestError } from './backtest-error.ts';
import { type PriceChoice, rowsAs, saleProceedsOf } from './bars/choose-prices.ts';
import type { BacktestHooks, BacktestInput, BacktestProgress } from './input.ts';
import { buyAndHoldReturns } from './record/buy-and-hold.ts';
import { priceCoverageOf } from './record/price-coverage.ts';
import { type BacktestRequest, EVALUATIONS_MAX } from './request.ts';
import { type BacktestSummary, type Fidelity, SENSITIVITY_CHANGES, type Verdict } from './result.ts';
import { evaluationsOf, type PassOptions, type PassResult, runPass } from './run-pass.ts';
import type { SharedSeries } from './shared-series.ts';
import { assumptionsOf } from './verdicts/assumptions.ts';
import {
  CHECK_PASSES,
  checkLookAhead,
  lookAheadCutsOf,
  type RepeatPass,
} from './verdicts/look-ahead-check.ts';
import { outlierBarsOf } from './verdicts/outlier-bars.ts';
import { sensitivityOf } from './verdicts/sensitivity.ts';
import { equityRangeOfUnsettled } from './verdicts/unsettled-range.ts';
import { gravestFirst, verdictsOf } from './verdicts/verdicts.ts';

const NOTHING = (): void => {};

/** Options of an ordinary pass: without marks. */
export const PLAIN_PASS: PassOptions = {
  emit: NOTHING,
  goesOn: () => true,
  highLow: 'likely',
  warmUpTimes: 1,
  marks: [],
  pathHistories: null,
  shared: null,
};

/**
 * Runs a graph over its history with the same steps, rules, fees and matching as live. Everything enters at the instant it
 * became known. Synchronous, and a pure function of its input except for calls of the hooks. `docs/backtesting.md` lists its
 * assumptions.
 *
 * @throws BacktestError `no_history` if a series that the graph reads is missing, `look_ahead` if a node reads the future.
 * @param shared with other runs of the same histories and span; the result is the same.
 */
export function runBacktest(
  input: BacktestInput,
  hooks: BacktestHooks,
  shared: SharedSeries | null = null,
): BacktestSummary {
  const { request } = input;
  const marks = request.checks ? lookAheadCutsOf(input) : [];
  const goesOn = goesOnBy(
    input,
    hooks,
    'checks',
    CHECK_PASSES + (request.sensitivity ? SENSITIVITY_CHANGES.length : 0),
  );
  const runs = goesOnBy(input, hooks, 'running', request.fills.highLow === 'both' ? ORDERS.length + 1 : 1);
  const { highLow: main, range: ofOrders } = reportedHighLow(input, { ...PLAIN_PASS, goesOn: runs, shared });
  const played = runPass(input, {
    ...PLAIN_PASS,
    emit: hooks.part,
    goesOn: runs,
    highLow: main,
    marks,
    shared,
  });
  const replay: RepeatPass = (part, pass) => runPass(part, { ...PLAIN_PASS, goesOn, highLow: main, ...pass });
  const range = played.isCanceled || played.pace !== 'path' ? null : ofOrders;
  const checks = played.isCanceled ? [] : checkLookAhead(input, played, replay);
  if (!hooks.isCanceled()) hooks.completed?.();
  const changed = (part: BacktestRequest) => {
    if (hooks.isCanceled()) return null;
    const { recorder, isCanceled } = replay({ ...input, request: part }, {});
    return isCanceled ? null : { equity: recorder.equity, trades: recorder.statistics().trades.closed };
  };
  const isOfVolumes = played.choices.every(({ kind }) => kind === 'candle' || kind === 'bid_ask');
  const sensitivity =
    request.sensitivity && !played.isCanceled
      ? sensitivityOf(request, { pace: played.pace, isOfVolumes }, played.recorder.equity, changed)
      : null;
  return summaryOf(input, played, range, checks, sensitivity);
}

/** The order of extremes on paths, if the run is played once. */
const mainOrder = ({ request: { fills } }: BacktestInput): PassOptions['highLow'] =>
  fills.highLow === 'both' ? 'likely' : fills.highLow;

/**
 * Reports the progress of a phase over all its passes, `passes` at most. It never goes back: where the simulated time does, the
 * next pass begins.
 */
function goesOnBy(
  input: BacktestInput,
  { progress, isCanceled }: Pick<BacktestHooks, 'progress' | 'isCanceled'>,
  phase: BacktestProgress['phase'],
  passes: number,
): PassOptions['goesOn'] {
  const { fromMs, toMs } = spanOf(input);
  let [pass, lastMs] = [0, fromMs];
  return (evaluations, simulatedAtMs) => {
    refuseTooMany(evaluations);
    if (simulatedAtMs < lastMs) pass++;
    lastMs = simulatedAtMs;
    const share = Math.min(1, (pass + (simulatedAtMs - fromMs) / (toMs - fromMs)) / passes);
    progress({ phase, share, evaluations, simulatedAtMs });
    return !isCanceled();
  };
}

/**
 * Steps inside bars and recorded quotes can only be counted during the run.
 *
 * @throws BacktestError `too_large`.
 */
export function refuseTooMany(evaluations: number): void {
  if (evaluations <= EVALUATIONS_MAX) return;
  const most = EVALUATIONS_MAX.toLocaleString('en-US');
  throw new BacktestError(
    'too_large',
    `The run takes more than ${most} evaluations. Take a shorter range or less detail.`,
  );
}

type Span = { readonly fromMs: number; readonly toMs: number };
const spanOf = ({ request }: BacktestInput): Span => ({
  fromMs: Date.parse(request.from),
  toMs: Date.parse(request.to),
});

/**
 * Returns the order of extremes on the paths of the shown run: as requested, or the one with the lowest end. The latter comes
 * with the range of ends.
 */
export function reportedHighLow(
  input: BacktestInput,
  pass: PassOptions,
): { readonly highLow: PassOptions['highLow']; readonly range: BacktestSummary['range'] } {
  const lowest = input.request.fills.highLow === 'both' ? lowestOf(input, pass) : null;
  return lowest ?? { highLow: mainOrder(input), range: null };
}

const ORDERS = ['likely', 'high_first', 'low_first'] as const;

/** Returns the final equity with either extreme first and with neither chosen. Also returns the order with the lowest one. */
function lowestOf(input: BacktestInput, pass: PassOptions) {
  const ends = ORDERS.map((highLow) => ({
    highLow,
    equity: runPass(input, { ...pass, highLow }).recorder.equity,
  })).sort((a, b) => Number(a.equity) - Number(b.equity));
  const [low, high] = [ends[0], ends.at(-1)];
  if (low === undefined || high === undefined) return null;
  return { highLow: low.highLow, range: { low: low.equity, high: high.equity } };
}

/** Builds the summary of a pass. */
export function summaryOf(
  input: BacktestInput,
  played: PassResult,
  range: BacktestSummary['range'],
  checks: readonly Verdict[],
  sensitivity: BacktestSummary['sensitivity'],
): BacktestSummary {
  const { recorder, sessions, tally, choices, pace, isCanceled, missing, untilMs } = played;
  const { request } = input;
  const orders = tally.counts();
  const fidelity = fidelityOf(choices);
  const { gaps, bars, zeroVolumeBars } = barsOf(input, untilMs);
  const ambiguousBars = sessions.reduce((sum, session) => sum + session.ambiguousBars, 0);
  const held = holdingReturnsOf(input, played);
  const days = recorder.dailyReturns();
  const span = { ...spanOf(input), toMs: untilMs };
  const unsettled = equityRangeOfUnsettled(sessions, recorder.equity, untilMs);
  const findings = {
    request,
    orders,
    fidelity,
    gaps,
    ambiguousBars,
    zeroVolumeBars,
    isCanceled,
    missing,
    hasFailed: sessions.some(({ trader }) => trader.isHalted),
    lacksBooks: sessions.some(({ lacksBooks }) => lacksBooks),
    signals: input.signals,
    byGrade: recorder.grades.fills,
    unsettled,
    outliers: outlierBarsOf(choices, recorder.winners, span, request.fills.latencyMs),
    coverage: priceCoverageOf(choices, recorder.held, input, span),
  };
  const summary = {
    statistics: recorder.statistics(untilMs),
    verdicts: gravestFirst([...verdictsOf(findings), ...checks]),
    assumptions: assumptionsOf(input, choices, pace, sessions.length),
    fidelity,
    pace,
    orders,
    evaluations: evaluationsOf(sessions),
    bars,
    gaps,
    ambiguousBars,
    range,
    finalCash: sumOf(sessions.map(({ trader }) => trader.account.rows.account.cash)).toFixed(),
    finalEquity: recorder.equity,
    exitEquity: exitEquityOf(input, played, untilMs),
    fees: recorder.fees,
    buyAndHold: buyAndHoldOf(input, choices, untilMs),
    benchmark: held && benchmarkFiguresOf(days, held, dailyRate(request.riskFree), span),
    resampled: resampledFiguresOf(wholeDays(days, span).map(({ value }) => value)),
    costs: recorder.costs.costs(),
    capacity: recorder.volume.figures(Number(request.fills.share)),
    attribution: recorder.attribution.rows(held),
    forecasts: recorder.forecasts.score(),
    sensitivity,
    fillGrades: recorder.grades.rows(),
    unsettled,
  };
  return { ...summary, resultHash: hashOf(recorder.digest(), summary) };
}

const RANKS: readonly Fidelity[] = ['A', 'B', 'C', 'D'];

/** Returns the lowest fidelity of all price sources. */
const fidelityOf = (choices: readonly PriceChoice[]): Fidelity =>
  RANKS[Math.max(0, ...choices.map(({ fidelity }) => RANKS.indexOf(fidelity)))] ?? 'D';

/** Counts the candles in the span of the run, those missing between two, and those without volume. */
function barsOf(input: BacktestInput, toMs: number) {
  const { fromMs } = spanOf(input);
  let [bars, gaps, zeroVolumeBars] = [0, 0, 0];
  for (const history of input.histories) {
    if (history.key.kind !== 'candle') continue;
    const { columns, count } = rowsAs(history, 'candle');
    const { resolutionMs } = history.key;
    for (let index = 0; index < count; index++) {
      const openMs = columns.openTimeMs[index] as number;
      if (openMs < fromMs || openMs >= toMs) continue;
      bars++;
      if (columns.volume[index] === 0) zeroVolumeBars++;
      const before = index === 0 ? undefined : columns.closeTimeMs[index - 1];
      if (before !== undefined && before >= fromMs) gaps += Math.round((openMs - before - 1) / resolutionMs);
    }
  }
  return { bars, gaps, zeroVolumeBars };
}

/** Values holdings like `finalEquity`: at the last known bid if there is no quote at the end. */
function exitEquityOf({ request }: BacktestInput, { sessions }: PassResult, atMs: number): string {
  const parts = sessions.flatMap(({ trader, market }) => {
    const { rows } = trader.account;
    const held = [...rows.positions.values()].filter(({ amount }) => Number(amount) > 0);
    return [
      rows.account.cash,
      ...held.map(({ token_id, amount }) => {
        const instrument = market.rowOf(token_id);
        const bid = market.bidOf(token_id, atMs);
        return instrument === undefined
          ? '0'
          : saleProceedsOf(instrument, amount, bid, request.fees !== 'none');
      }),
    ];
  });
  return sumOf(parts).toFixed();
}

function holdingReturnsOf(input: BacktestInput, { sessions, choices, untilMs }: PassResult) {
  const traded = sessions.flatMap((session) => session.traded);
  return buyAndHoldReturns(input, choices, traded, { ...spanOf(input), toMs: untilMs });
}

/** Returns the return of holding the first traded coin from the first close to the last. */
function buyAndHoldOf(input: BacktestInput, choices: readonly PriceChoice[], toMs: number): number | null {
  const candle = choices.find(({ kind }) => kind === 'candle')?.history ?? null;
  if (candle === null) return null;
  const { columns, count } = rowsAs(candle, 'candle');
  const { fromMs } = spanOf(input);
  let [first, last] = [Number.NaN, Number.NaN];
  for (let index = 0; index < count; index++) {
    const closedMs = (columns.closeTimeMs[index] as number) + 1;
    if (closedMs <= fromMs || closedMs > toMs) continue;
    last = columns.close[index] as number;
    if (Number.isNaN(first)) first = last;
  }
  return Number.isNaN(first) || first === 0 ? null : last / first - 1;
}

/** Rounds numbers to 15 digits: the last one differs between versions of the runtime. */
const DIGITS = 15;

function hashOf(parts: string, summary: object): string {
  const text = JSON.stringify(summary, (_name, value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : value,
  );
  return hash('sha256', `${parts}\n${text}`, 'hex');
}
