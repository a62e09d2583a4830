import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { evaluate, PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import { IndexedMemory } from '../../../../engine/strategy/graph/run/indexed-memory.ts';
import { Run } from '../../../../engine/strategy/graph/run/run.ts';
import { upstreamSlots } from '../../../../engine/strategy/graph/run/upstream-slots.ts';
import { withForcedValue } from '../../../../engine/strategy/graph/run/with-forced-value.ts';
import { CONSTANT, TICK } from '../../../../engine/strategy/graph/update-clock.ts';
import { reason } from '../../../../engine/strategy/graph/values.ts';
import {
  draw,
  MINUTE_MS,
  marketOf,
  minuteCandles,
  planOf,
  series,
  signals,
  T0,
  world,
} from './graph-fixtures.ts';

const TWO = draw({ one: ['constant', { value: 1 }], two: ['math', { op: 'abs' }] }, ['one -> two.a']);
const CANDLE = draw({ btc: ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m', field: 'close' }] });
const candles = (closes: readonly number[]) =>
  world({ candles: new Map([['BTCUSDT@1m', series(minuteCandles(closes))]]) });

function begun(visual = TWO, memory: Parameters<Run['begin']>[1] = null, now = T0): Run {
  const run = new Run(planOf(visual));
  run.begin(world(), memory, now);
  run.enterLive();
  return run;
}

describe('a run', () => {
  test('is late for a condition that became true over a minute ago, but not for one from before the deploy', () => {
    const run = begun(TWO, { startedAt: T0 - 5 * MINUTE_MS, candles: {}, nodes: {} });
    expect(run.isTooLate(T0 - MINUTE_MS)).toBe(false);
    expect(run.isTooLate(T0 - MINUTE_MS - 1)).toBe(true);
    const deployed = begun(TWO, { startedAt: T0 - MINUTE_MS, candles: {}, nodes: {} });
    expect(deployed.isTooLate(T0 - 10 * MINUTE_MS)).toBe(false);
  });

  test('dates a step by its candle, or by the step if none has closed', () => {
    const run = begun(CANDLE);
    expect([run.timeOf(TICK), run.timeOf(CONSTANT), run.timeOf(0)]).toEqual([T0, T0, T0]);
    expect([run.isStep(TICK), run.isStep(0)]).toEqual([true, false]);
    run.begin(candles([100]), null, T0 + 90_000);
    run.enterLive();
    expect([run.timeOf(TICK), run.timeOf(0)]).toEqual([T0 + 90_000, T0 + MINUTE_MS]);
    expect([run.isStep(TICK), run.isStep(0)]).toEqual([true, true]);
  });

  test('knows no quote while missed candles are replayed', () => {
    const run = new Run(planOf(TWO));
    run.begin(marketOf('BTCUSDT', T0), null, T0);
    run.enterMissed(T0 - MINUTE_MS);
    expect([run.isLive, run.at, run.quote('BTCUSDT')]).toEqual([false, T0 - MINUTE_MS, undefined]);
    run.enterLive();
    expect([run.isLive, run.at, run.quote('BTCUSDT')?.last]).toEqual([true, T0, 100]);
  });

  test('forgets sales, late marks and messages with each step, and purchases with each evaluation', () => {
    const run = begun();
    run.sold.set('BTCUSDT', exact(1));
    run.bought.set('BTCUSDT', 1);
    run.markLate(1);
    run.mark(0, 'blocked', reason('halted', 'No.'));
    run.distances[0] = 5;
    expect([run.isLate(1), run.isLate(0)]).toEqual([true, false]);
    run.enterLive();
    expect([run.sold.size, run.bought.size, run.isLate(1)]).toEqual([0, 1, false]);
    expect([run.statuses[0], run.reasons[0], run.distances[0]]).toEqual([undefined, undefined, Number.NaN]);
    run.begin(world(), null, T0);
    expect(run.bought.size).toBe(0);
  });

  test('lists a node that failed once, with its first message, and returns raised intents once', () => {
    const run = begun();
    for (const message of ['first', 'second']) run.fail({ nodeId: 'one', message });
    run.fail({ nodeId: 'two', message: 'third' });
    run.notify({ nodeId: 'one', stepAt: T0, severity: 'info', text: 'Said.' });
    expect(run.takeRaised()).toEqual({
      intents: [],
      cancellations: [],
      notifications: [{ nodeId: 'one', stepAt: T0, severity: 'info', text: 'Said.' }],
      failures: [
        { nodeId: 'one', message: 'first' },
        { nodeId: 'two', message: 'third' },
      ],
    });
    expect(run.takeRaised()).toEqual({ intents: [], cancellations: [], notifications: [], failures: [] });
  });

  test('returns raised intents frozen to their last input, so that no later evaluation can change them', () => {
    const run = begun();
    run.raise({
      nodeId: 'one',
      stepAt: T0,
      origin: 'order',
      side: 'buy',
      tokenId: 'BTCUSDT',
      type: 'market',
      amount: '1',
      limitPrice: null,
      slippage: null,
      timeInForce: 'ioc',
      reason: reason('halted', 'No.'),
      inputs: [{ nodeId: 'one', name: 'out', value: 1, asOf: T0 }],
    });
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    expect(isFrozen(run.takeRaised())).toBe(true);
  });

  test('returns the given memory if nothing is new, and the same nodes if only candles moved', () => {
    const first = begun(TWO).takeMemory();
    expect(first).toEqual({ startedAt: T0, candles: {}, nodes: {} });
    expect(begun(TWO, first, T0 + 1).takeMemory()).toBe(first);

    const run = new Run(planOf(CANDLE));
    run.begin(candles([100]), null, T0 + MINUTE_MS);
    run.enterLive();
    run.remember(0, { kept: 1 });
    const remembered = run.takeMemory();
    expect(remembered.candles).toEqual({ 'BTCUSDT@1m': T0 + MINUTE_MS });
    run.begin(candles([100, 101]), remembered, T0 + 2 * MINUTE_MS);
    run.enterLive();
    const stepped = run.takeMemory();
    expect(stepped).not.toBe(remembered);
    expect(stepped.nodes).toBe(remembered.nodes);
    expect(stepped.startedAt).toBe(T0 + MINUTE_MS);
    expect(stepped.candles).toEqual({ 'BTCUSDT@1m': T0 + 2 * MINUTE_MS });
  });
});

test('a memory is read by slot in its own plan, and by id in any other', () => {
  const memory = new IndexedMemory(
    { startedAt: T0, candles: {}, nodes: { b: { n: 1 } } },
    ['a', 'b'],
    [undefined, { n: 2 }],
  );
  expect(IndexedMemory.bySlot(memory, ['b', 'a'])).toEqual([{ n: 1 }, undefined]);
  expect(IndexedMemory.bySlot(null, ['a'])).toEqual([undefined]);
  const own = planOf(TWO).nodeIds;
  const slots = [{ n: 3 }, undefined];
  const ofPlan = new IndexedMemory({ startedAt: T0, candles: {}, nodes: {} }, own, slots);
  expect(IndexedMemory.bySlot(ofPlan, own)).toBe(slots);
});

test('a plan with a preset node value computes everything else from it', () => {
  const plan = withForcedValue(planOf(TWO), ['one'], -7);
  const { nodeStates } = evaluate(plan, world(), null, T0);
  expect([nodeStates['one']?.value, nodeStates['two']?.value]).toEqual([-7, 7]);
});

test('the inputs of a node come nearest first, each once, and never the node again', () => {
  const reads = [[1, 2], [3], [3, 0], []];
  expect([...upstreamSlots({ reads }, 0)]).toEqual([1, 2, 3]);
  expect([...upstreamSlots({ reads }, 3)]).toEqual([]);
});

describe('a stepper', () => {
  test('computes a constant value once, and one that moves in every step', () => {
    const plan = planOf(
      draw({ one: ['constant', { value: 1 }], price: ['crypto.price', { symbol: 'BTCUSDT' }] }),
    );
    const calls: number[] = plan.computations.map(() => 0);
    const computations = plan.computations.map((each, i) => ({
      ...each,
      compute: (run: Run) => {
        calls[i] = (calls[i] ?? 0) + 1;
        return each.compute(run);
      },
    }));
    const stepper = new PlanEvaluator({ ...plan, computations });
    for (const now of [T0, T0 + 1, T0 + 2]) stepper.step(marketOf('BTCUSDT', now), null, now);
    expect(calls.toSorted()).toEqual([1, 3]);
  });

  test('reports the message of a node that throws, shortened, and that its value is unknown', () => {
    const plan = planOf(TWO);
    for (const [thrown, message] of [
      [new Error('x'.repeat(300)), 'x'.repeat(200)],
      ['a text', 'a text'],
    ] as const) {
      const computations = plan.computations.map((each) => ({
        ...each,
        compute: (run: Run) => {
          if (each.slot === 0) throw thrown;
          return each.compute(run);
        },
      }));
      const { failures, nodeStates } = new PlanEvaluator({ ...plan, computations }).step(
        signals({}, T0),
        null,
        T0,
      );
      expect(failures).toEqual([{ nodeId: 'one', message }]);
      expect(nodeStates['one']).toMatchObject({ status: 'error', value: null, reason: { code: 'failed' } });
    }
  });
});
