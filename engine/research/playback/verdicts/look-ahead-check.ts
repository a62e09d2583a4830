import type { SeriesRows } from '../../../history/series.ts';
import { BacktestError } from '../backtest-error.ts';
import { hashedRandom, type Random, seededRandom } from '../bars/random.ts';
import type { BacktestInput } from '../input.ts';
import { toIsoCached } from '../iso-time.ts';
import type { Verdict } from '../result.ts';
import type { PassOptions, PassResult } from '../run-pass.ts';
import { truncateInputAt, truncateInputInsideBars } from './truncate-input.ts';

/** Parts of the span at which a run is cut off: all three together take at most the time of the run itself. */
const CUTS = [
  [0, 0.15],
  [0.15, 0.3],
  [0.3, 0.55],
] as const;

/** Part of the span at which a cut lies inside a bar. */
const INSIDE = [0.05, 0.15] as const;
/** Number of generated ends of that bar. */
const ENDS = 3;

/** Index of the cut that is repeated with a longer warm-up. */
const WARMED = 1;

/** The most passes of a check: one a cut, one an end of the bar, two for the warm-up. */
export const CHECK_PASSES = CUTS.length + ENDS + 2;

/**
 * Chooses instants at which the run is cut off, to check that nothing before them depends on later data. They are chosen by the
 * seed, at closes of the coarsest series. Pure.
 */
export function lookAheadCutsOf({ request, histories }: BacktestInput): number[] {
  const [fromMs, toMs] = [Date.parse(request.from), Date.parse(request.to)];
  const random = seededRandom(request.seed);
  const coarsest = histories.toSorted((a, b) => b.key.resolutionMs - a.key.resolutionMs)[0];
  const cuts = CUTS.map(([least, most]) => {
    const at = Math.round(fromMs + (toMs - fromMs) * (least + (most - least) * random()));
    const { closeTimeMs } = coarsest?.rows.columns ?? {};
    const close = closeTimeMs?.find((closeMs) => closeMs + 1 >= at);
    return close === undefined ? at : close + 1;
  });
  const inside = insideCutOf({ request, histories }, random);
  return [...new Set([...cuts, ...inside])].filter((at) => at > fromMs && at < toMs).sort((a, b) => a - b);
}

/** Returns an instant inside a bar of the finest candles. */
function insideCutOf({ request, histories }: Pick<BacktestInput, 'request' | 'histories'>, random: Random) {
  const [fromMs, toMs] = [Date.parse(request.from), Date.parse(request.to)];
  const candles = histories.filter(({ key }) => key.kind === 'candle');
  // The end of a hole is known only after it: its substitute is not a guess that could be checked.
  if (candles.some(({ rows }) => hasHoles(rows))) return [];
  const [finest] = candles.toSorted((a, b) => a.key.resolutionMs - b.key.resolutionMs);
  if (finest === undefined) return [];
  const [least, most] = INSIDE;
  const at = fromMs + (toMs - fromMs) * (least + (most - least) * random());
  const { resolutionMs } = finest.key;
  const openMs = finest.rows.columns.openTimeMs.find((opened) => opened >= at - resolutionMs);
  return openMs === undefined ? [] : [openMs + Math.round(resolutionMs * (0.2 + 0.6 * random()))];
}

/** The passes to repeat, and their options. */
export type RepeatPass = (input: BacktestInput, pass: Partial<PassOptions>) => PassResult;

/**
 * Repeats the beginning of a run without later data, and compares everything: orders with their receipts, fills, equity, log,
 * values of nodes, memory, books. A cut inside a bar is repeated with several generated ends of it, after the same path. One
 * more pass warms up with twice the candles.
 *
 * @throws BacktestError `look_ahead` if anything differs.
 */
export function checkLookAhead(input: BacktestInput, main: PassResult, replay: RepeatPass): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const [index, [atMs, noted]] of [...main.noted].entries()) {
    const part = truncateInputAt(input, atMs);
    const parts = isInside(input, atMs) ? endedOtherwise(input, atMs) : [part];
    for (const each of parts) {
      const again = replay(each, { marks: [atMs], pathHistories: input.histories });
      if (again.isCanceled) return verdicts;
      if (again.noted.get(atMs) !== noted) throw lookAhead(atMs);
    }
    if (index !== WARMED) continue;
    const again = replay(part, {});
    if (again.isCanceled) return verdicts;
    const warmed = replay(part, { warmUpTimes: 2 });
    if (!warmed.isCanceled && warmed.recorder.digest() !== again.recorder.digest()) {
      verdicts.push({
        code: 'warm_up_sensitive',
        severity: 'warning',
        message:
          'With a warm-up twice as long it trades differently: live, its trades depend on when it is deployed.',
      });
    }
  }
  return verdicts;
}

const lookAhead = (atMs: number): BacktestError =>
  new BacktestError(
    'look_ahead',
    `What the run did before ${toIsoCached(atMs)} depends on what came after it.`,
  );

const hasHoles = ({ columns: { openTimeMs, closeTimeMs }, count }: SeriesRows): boolean =>
  openTimeMs.some((openMs, row) => row > 0 && row < count && openMs !== (closeTimeMs[row - 1] as number) + 1);

/** Whether an instant lies inside a bar of every series of candles. */
const isInside = ({ histories }: BacktestInput, atMs: number): boolean =>
  histories.some(({ key }) => key.kind === 'candle') &&
  histories.every(({ key, rows }) => key.kind !== 'candle' || !rows.columns.closeTimeMs.includes(atMs - 1));

/** Returns inputs as known inside a bar, each with another generated end of the forming bars. */
const endedOtherwise = (input: BacktestInput, atMs: number): BacktestInput[] =>
  Array.from({ length: ENDS }, (_, end) =>
    truncateInputInsideBars(input, atMs, hashedRandom(`${input.request.seed} ${atMs} ${end}`)),
  );
