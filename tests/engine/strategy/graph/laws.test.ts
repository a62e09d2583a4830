/** Laws that hold for every node type, in graphs with others of all kinds. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import { nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import { evaluate, PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Evaluation, Memory, World } from '../../../../engine/strategy/graph/types.ts';
import { actionsOf, CANDLE_TYPES, DRAWN_TYPES, graphWith, type Moment, moments } from './arbitraries.ts';
import {
  EMPTY_WORLD,
  MINUTE_MS,
  minuteCandles,
  planOf,
  series,
  T0,
  type Visual,
  world,
} from './graph-fixtures.ts';

const RUNS = { numRuns: 8 };
const MOMENTS = 8;

/** Everything that an evaluation returns and stores. */
const saidBy = ({ memory, intents, notifications, failures, behind, nodeStates }: Evaluation) =>
  JSON.parse(JSON.stringify({ memory, intents, notifications, failures, behind, nodeStates }));

const throughJson = (memory: Memory | null): Memory | null =>
  memory === null ? null : (JSON.parse(JSON.stringify(memory)) as Memory);

/** One deployment that is never stopped. */
function uninterrupted(visual: Visual, feed: readonly Moment[]): unknown[] {
  const stepper = new PlanEvaluator(planOf(visual));
  let memory: Memory | null = null;
  return feed.map(({ now, seen }) => {
    const evaluation: Evaluation = stepper.step(seen, memory, now);
    const said = saidBy(evaluation);
    memory = evaluation.memory;
    return said;
  });
}

/** The same market in columns of their own, unaffected by later values. */
const cutOff = (seen: World): World => ({
  ...seen,
  candles: new Map(
    [...seen.candles].map(([key, one]) => [key, { ...one, closed: ClosedCandles.of([...one.closed]) }]),
  ),
});

describe('every node type', () => {
  test('is in the graphs of these laws', () => {
    expect([...DRAWN_TYPES].sort()).toEqual([...nodeTypes.keys()].sort());
  });

  test.each(DRAWN_TYPES)('%s is causal: later candles change no earlier result', (type) => {
    fc.assert(
      fc.property(graphWith(type), fc.nat(), fc.nat(MOMENTS - 1), (visual, seed, length) => {
        const feed = moments(seed, MOMENTS, actionsOf(visual));
        const all = uninterrupted(visual, feed);
        const prefix = feed.slice(0, length + 1).map(({ now, seen }) => ({ now, seen: cutOff(seen) }));
        expect(uninterrupted(visual, prefix)).toEqual(all.slice(0, length + 1));
        // Values of later candles are computed by now, and must not be used.
        expect(uninterrupted(visual, feed.slice(0, length + 1))).toEqual(all.slice(0, length + 1));
      }),
      RUNS,
    );
  });

  test.each(DRAWN_TYPES)('%s does the same when it is stopped and restored before any step', (type) => {
    fc.assert(
      fc.property(graphWith(type), fc.nat(), (visual, seed) => {
        const feed = moments(seed, MOMENTS, actionsOf(visual));
        let memory: Memory | null = null;
        const restored = feed.map(({ now, seen }) => {
          const evaluation = evaluate(planOf(visual), cutOff(seen), throughJson(memory), now);
          memory = evaluation.memory;
          return saidBy(evaluation);
        });
        expect(restored).toEqual(uninterrupted(visual, feed));
      }),
      RUNS,
    );
  });

  test.each(CANDLE_TYPES)(
    '%s on candles has the same result after a pause as if it had been evaluated after each of them',
    (type) => {
      const walk = fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 24, maxLength: 24 });
      fc.assert(
        fc.property(graphWith(type, true), walk, fc.integer({ min: 1, max: 22 }), (visual, closes, pause) => {
          const plan = planOf(visual);
          const candles = minuteCandles(closes);
          const at = (index: number) => T0 + MINUTE_MS * (index + 1);
          const seenAt = (index: number) =>
            world({ candles: new Map([['BTCUSDT@1m', series(candles.slice(0, index + 1))]]) });
          const play = (indexes: readonly number[]) => {
            let evaluation = evaluate(plan, EMPTY_WORLD, null, T0);
            for (const index of indexes)
              evaluation = evaluate(plan, seenAt(index), throughJson(evaluation.memory), at(index));
            return evaluation;
          };
          const all = candles.map((_, index) => index);
          const [looked, paused] = [play(all), play(all.filter((index) => index < 1 || index > pause))];
          expect(paused.memory).toEqual(looked.memory);
          expect(paused.nodeStates).toEqual(looked.nodeStates);
        }),
        RUNS,
      );
    },
  );
});
