import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sumOf } from '../decimal.ts';
import { assumptionsOf } from './assumptions.ts';
import { checkRun, cutsOf, type Replay } from './checks.ts';
import { BacktestError } from './failure.ts';
import type { BacktestHooks, BacktestInput, BacktestProgress } from './input.ts';
import { exitValueOf, type PriceChoice, rowsAs } from './prices.ts';
import { EVALUATIONS_MAX, type HighLow } from './request.ts';
import type { BacktestSummary, Fidelity, Verdict } from './result.ts';
import { evaluationsOf, type Pass, type Played, play } from './run.ts';
import type { SharedSeries } from './shared-series.ts';
import { gravestFirst, verdictsOf } from './verdicts.ts';

const NOTHING = (): void => {};

/** A pass as most are made: nothing noted, nothing late. */
export const PASS: Pass = {
  emit: NOTHING,
  goesOn: () => true,
  highLow: 'likely',
  lagMs: 0,
  warmUpTimes: 1,
  marks: [],
  shared: null,
};

/**
 * Runs a drawing over its history: the same steps, rules, fees and matching as live, with everything entering at the instant it
 * became known. Synchronous, and a pure function of its input but for what the hooks are told; `docs/backtesting.md` says what
 * it takes for granted.
 *
 * @throws BacktestError `no_history` where a series that the drawing reads is not there, `look_ahead` where a node reads what
 *   has not happened yet.
 * @param shared with other runs of the same histories and span; what comes of it is the same.
 */
export function runBacktest(
  input: BacktestInput,
  hooks: BacktestHooks,
  shared: SharedSeries | null = null,
): BacktestSummary {
  const { request } = input;
  const main = mainOrder(input);
  const marks = request.checks ? cutsOf(input) : [];
  const played = play(input, {
    ...PASS,
    emit: hooks.part,
    goesOn: goesOnBy(input, hooks, 'running'),
    highLow: main,
    marks,
    shared,
  });
  const goesOn = goesOnBy(input, hooks, 'checks');
  const replay: Replay = (part, pass) => play(part, { ...PASS, goesOn, highLow: main, ...pass });
  const hasRange = request.fills.highLow === 'both' && played.pace === 'path' && !played.isCanceled;
  const range = hasRange ? rangeOf(input, played, replay) : null;
  return summaryOf(input, played, range, played.isCanceled ? [] : checkRun(input, played, replay));
}

/** The same run with every intent decided one candle later: who only earned by being quick earns nothing here. */
export function runOneBarLate(
  input: BacktestInput,
  hooks: Pick<BacktestHooks, 'progress' | 'isCanceled'>,
): BacktestSummary {
  const lagMs = Math.min(...input.histories.map(({ key }) => key.resolutionMs), DAY_MS);
  const goesOn = goesOnBy(input, hooks, 'checks');
  return summaryOf(input, play(input, { ...PASS, goesOn, highLow: mainOrder(input), lagMs }), null, []);
}

const DAY_MS = 86_400_000;

/** What is told and counted where both orders of the extremes are run. */
const mainOrder = ({ request: { fills } }: BacktestInput): Exclude<HighLow, 'both'> =>
  fills.highLow === 'both' ? 'likely' : fills.highLow;

function goesOnBy(
  input: BacktestInput,
  { progress, isCanceled }: Pick<BacktestHooks, 'progress' | 'isCanceled'>,
  phase: BacktestProgress['phase'],
): Pass['goesOn'] {
  const span = spanOf(input);
  return (evaluations, atMs) => {
    refuseTooMany(evaluations);
    progress(progressOf(phase, evaluations, atMs, span));
    return !isCanceled();
  };
}

/**
 * Steps inside bars and recorded quotes are only counted as they come.
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

const progressOf = (
  phase: BacktestProgress['phase'],
  evaluations: number,
  simulatedAtMs: number,
  { fromMs, toMs }: Span,
): BacktestProgress => ({
  phase,
  share: Math.min(1, (simulatedAtMs - fromMs) / (toMs - fromMs)),
  evaluations,
  simulatedAtMs,
});

/** The equity at the end, whichever of the extremes came first. */
function rangeOf(input: BacktestInput, likely: Played, replay: Replay): BacktestSummary['range'] {
  const ends = (['high_first', 'low_first'] as const).map(
    (highLow) => replay(input, { highLow }).recorder.equity,
  );
  const sorted = [likely.recorder.equity, ...ends].sort((a, b) => Number(a) - Number(b));
  return { low: sorted[0] as string, high: sorted.at(-1) as string };
}

/** What a pass came to, in the words of the result. */
export function summaryOf(
  input: BacktestInput,
  played: Played,
  range: BacktestSummary['range'],
  checks: readonly Verdict[],
): BacktestSummary {
  const { recorder, sessions, tally, choices, pace, isCanceled, missing, untilMs } = played;
  const { request } = input;
  const orders = tally.counts();
  const fidelity = fidelityOf(choices);
  const { gaps, bars, zeroVolumeBars } = barsOf(input, untilMs);
  const ambiguousBars = sessions.reduce((sum, session) => sum + session.ambiguousBars, 0);
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
    finalCash: sumOf(sessions.map(({ trader }) => trader.desk.rows.account.cash)).toFixed(),
    finalEquity: recorder.equity,
    exitEquity: exitEquityOf(input, played, untilMs),
    fees: recorder.fees,
    buyAndHold: buyAndHoldOf(input, choices, untilMs),
  };
  return { ...summary, resultHash: hashOf(recorder.digest(), summary) };
}

const RANKS: readonly Fidelity[] = ['A', 'B', 'C', 'D'];

/** Of all that was priced, the least. */
const fidelityOf = (choices: readonly PriceChoice[]): Fidelity =>
  RANKS[Math.max(0, ...choices.map(({ fidelity }) => RANKS.indexOf(fidelity)))] ?? 'D';

/** Candles in the span as far as it was run, those that are missing between two, and those in which nothing was traded. */
function barsOf(input: BacktestInput, toMs: number) {
  const { fromMs } = spanOf(input);
  let [bars, gaps, zeroVolumeBars] = [0, 0, 0];
  for (const history of input.histories) {
    if (history.key.kind !== 'candle') continue;
    const { columns, count } = rowsAs(history, 'candle');
    const { resolutionMs } = history.key;
    for (let place = 0; place < count; place++) {
      const openMs = columns.openTimeMs[place] as number;
      if (openMs < fromMs || openMs >= toMs) continue;
      bars++;
      if (columns.volume[place] === 0) zeroVolumeBars++;
      const before = place === 0 ? undefined : columns.closeTimeMs[place - 1];
      if (before !== undefined && before >= fromMs) gaps += Math.round((openMs - before - 1) / resolutionMs);
    }
  }
  return { bars, gaps, zeroVolumeBars };
}

/** Valued at what `finalEquity` is valued at: the last bid that was seen where nothing is quoted at the end. */
function exitEquityOf({ request }: BacktestInput, { sessions }: Played, atMs: number): string {
  const parts = sessions.flatMap(({ trader, market }) => {
    const { rows } = trader.desk;
    const held = [...rows.positions.values()].filter(({ amount }) => Number(amount) > 0);
    return [
      rows.account.cash,
      ...held.map(({ token_id, amount }) => {
        const instrument = market.rowOf(token_id);
        const bid = market.bidOf(token_id, atMs);
        return instrument === undefined ? '0' : exitValueOf(instrument, amount, bid, request.fees !== 'none');
      }),
    ];
  });
  return sumOf(parts).toFixed();
}

/** What holding the first coin that is traded from the first close to the last would have returned. */
function buyAndHoldOf(input: BacktestInput, choices: readonly PriceChoice[], toMs: number): number | null {
  const candle = choices.find(({ kind }) => kind === 'candle')?.history ?? null;
  if (candle === null) return null;
  const { columns, count } = rowsAs(candle, 'candle');
  const { fromMs } = spanOf(input);
  let [first, last] = [Number.NaN, Number.NaN];
  for (let place = 0; place < count; place++) {
    const closedMs = (columns.closeTimeMs[place] as number) + 1;
    if (closedMs <= fromMs || closedMs > toMs) continue;
    last = columns.close[place] as number;
    if (Number.isNaN(first)) first = last;
  }
  return Number.isNaN(first) || first === 0 ? null : last / first - 1;
}

/** Numbers to 15 digits: the last one is another in another version of the runtime. */
const DIGITS = 15;

function hashOf(parts: string, summary: object): string {
  const text = JSON.stringify(summary, (_name, value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : value,
  );
  return bytesToHex(sha256(utf8ToBytes(`${parts}\n${text}`)));
}
