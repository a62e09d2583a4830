import { BacktestError } from './failure.ts';
import type { BacktestInput } from './input.ts';
import { isoOf } from './plain.ts';
import type { Verdict } from './result.ts';
import type { Pass, Played } from './run.ts';
import { truncated } from './truncate.ts';

/** Parts of the span in which a run is cut off: all three together cost no more than the run itself. */
const CUTS = [
  [0, 0.15],
  [0.15, 0.3],
  [0.3, 0.55],
] as const;

/** Which of the cuts is played again with more to warm up with. */
const WARMED = 1;

/**
 * Instants at which the run is cut off to see that nothing before them depends on what came after: by the seed, and where a
 * candle of the coarsest series closes. Pure.
 */
export function cutsOf({ request, histories }: BacktestInput): number[] {
  const [fromMs, toMs] = [Date.parse(request.from), Date.parse(request.to)];
  const random = randomOf(request.seed);
  const coarsest = histories.toSorted((a, b) => b.key.resolutionMs - a.key.resolutionMs)[0];
  const cuts = CUTS.map(([least, most]) => {
    const at = Math.round(fromMs + (toMs - fromMs) * (least + (most - least) * random()));
    const { closeTimeMs } = coarsest?.rows.columns ?? {};
    const close = closeTimeMs?.find((closeMs) => closeMs + 1 >= at);
    return close === undefined ? at : close + 1;
  });
  return [...new Set(cuts)].filter((at) => at > fromMs && at < toMs);
}

/** What is played again, and how. */
export type Replay = (input: BacktestInput, pass: Partial<Pass>) => Played;

/**
 * Plays the beginning of a run again without what came after, and compares everything: orders with their receipts, fills,
 * equity, log, values of nodes, memory, books. Then once more with twice the candles to warm up with.
 *
 * @throws BacktestError `look_ahead` where anything differs.
 */
export function checkRun(input: BacktestInput, main: Played, replay: Replay): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const [index, [atMs, noted]] of [...main.noted].entries()) {
    const part = truncated(input, atMs);
    const again = replay(part, { marks: [atMs] });
    if (again.isCanceled) return verdicts;
    if (again.noted.get(atMs) !== noted) {
      throw new BacktestError(
        'look_ahead',
        `What the run did before ${isoOf(atMs)} depends on what came after it.`,
      );
    }
    if (index !== WARMED) continue;
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

/** Numbers from 0 to below 1, the same of the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
