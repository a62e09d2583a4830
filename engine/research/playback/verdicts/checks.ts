import type { SeriesRows } from '../../../history/series.ts';
import { hashedRandom, type Random, seededRandom } from '../bars/random.ts';
import { BacktestError } from '../failure.ts';
import type { BacktestInput } from '../input.ts';
import { isoOf } from '../plain.ts';
import type { Verdict } from '../result.ts';
import type { Pass, Played } from '../run.ts';
import { truncated, truncatedInside } from './truncate.ts';

/** Parts of the span in which a run is cut off: all three together cost no more than the run itself. */
const CUTS = [
  [0, 0.15],
  [0.15, 0.3],
  [0.3, 0.55],
] as const;

/** Part of the span in which a cut lies inside a bar. */
const INSIDE = [0.05, 0.15] as const;
/** Drawn ends of that bar. */
const ENDS = 3;

/** Which of the cuts is played again with more to warm up with. */
const WARMED = 1;

/**
 * Instants at which the run is cut off to see that nothing before them depends on what came after: by the seed, and where a
 * candle of the coarsest series closes. Pure.
 */
export function cutsOf({ request, histories }: BacktestInput): number[] {
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

/** An instant inside a bar of the finest candles. */
function insideCutOf({ request, histories }: Pick<BacktestInput, 'request' | 'histories'>, random: Random) {
  const [fromMs, toMs] = [Date.parse(request.from), Date.parse(request.to)];
  const candles = histories.filter(({ key }) => key.kind === 'candle');
  // A hole in them is known to end only once it has: what stands in for it there is no guess to be checked.
  if (candles.some(({ rows }) => hasHoles(rows))) return [];
  const [finest] = candles.toSorted((a, b) => a.key.resolutionMs - b.key.resolutionMs);
  if (finest === undefined) return [];
  const [least, most] = INSIDE;
  const at = fromMs + (toMs - fromMs) * (least + (most - least) * random());
  const { resolutionMs } = finest.key;
  const openMs = finest.rows.columns.openTimeMs.find((opened) => opened >= at - resolutionMs);
  return openMs === undefined ? [] : [openMs + Math.round(resolutionMs * (0.2 + 0.6 * random()))];
}

/** What is played again, and how. */
export type Replay = (input: BacktestInput, pass: Partial<Pass>) => Played;

/**
 * Plays the beginning of a run again without what came after, and compares everything: orders with their receipts, fills,
 * equity, log, values of nodes, memory, books. A cut inside a bar is played with several drawn ends of it, behind the same path. Then once more with twice the candles to warm up with.
 *
 * @throws BacktestError `look_ahead` where anything differs.
 */
export function checkRun(input: BacktestInput, main: Played, replay: Replay): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const [index, [atMs, noted]] of [...main.noted].entries()) {
    const part = truncated(input, atMs);
    const parts = isInside(input, atMs) ? endedOtherwise(input, atMs) : [part];
    for (const each of parts) {
      const again = replay(each, { marks: [atMs], drawnBy: input.histories });
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
          'With twice the candles to warm up with, it trades otherwise: live, it depends on when it is deployed.',
      });
    }
  }
  return verdicts;
}

const lookAhead = (atMs: number): BacktestError =>
  new BacktestError('look_ahead', `What the run did before ${isoOf(atMs)} depends on what came after it.`);

const hasHoles = ({ columns: { openTimeMs, closeTimeMs }, count }: SeriesRows): boolean =>
  openTimeMs.some((openMs, row) => row > 0 && row < count && openMs !== (closeTimeMs[row - 1] as number) + 1);

/** Whether an instant lies inside a bar of every series of candles. */
const isInside = ({ histories }: BacktestInput, atMs: number): boolean =>
  histories.some(({ key }) => key.kind === 'candle') &&
  histories.every(({ key, rows }) => key.kind !== 'candle' || !rows.columns.closeTimeMs.includes(atMs - 1));

/** Inputs as known inside a bar, each with another drawn end of the forming bars. */
const endedOtherwise = (input: BacktestInput, atMs: number): BacktestInput[] =>
  Array.from({ length: ENDS }, (_, end) =>
    truncatedInside(input, atMs, hashedRandom(`${input.request.seed} ${atMs} ${end}`)),
  );
