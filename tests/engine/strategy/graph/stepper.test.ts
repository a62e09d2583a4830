import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClosedCandles, NO_CANDLES } from '../../../../engine/strategy/graph/candles.ts';
import { evaluate, PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import { Run } from '../../../../engine/strategy/graph/run/run.ts';
import type { Memory } from '../../../../engine/strategy/graph/types.ts';
import { actionsOf, graph, graphWith, type Moment, moments } from './arbitraries.ts';
import { bytesOf, expectStepsAsFresh } from './fresh-evaluation.ts';
import {
  conditionInput,
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

test('row 10: one stepper for many deployments, in whatever order, returns the same as an evaluation without one', {
  tags: ['long'],
}, () => {
  expectStepsAsFresh(150);
});

test('a step that is passed as idle raises nothing, and remembers and shows what an evaluation would', () => {
  const drawn = fc.constantFrom('order', 'close', 'notify').chain((type) => graphWith(type, true));
  let idled = 0;
  fc.assert(
    fc.property(drawn, fc.nat(), (visual, seed) => {
      const stepper = new PlanEvaluator(planOf(visual));
      const [first, ...later] = moments(seed, 15, actionsOf(visual));
      const { orders, positions, buying } = (first as Moment).seen;
      let memory: Memory | null = null;
      for (const { now, seen } of [first as Moment, ...later]) {
        const same = { ...seen, orders, positions, buying };
        const stored = memory === null ? null : (JSON.parse(JSON.stringify(memory)) as Memory);
        const alone = evaluate(planOf(visual), same, stored, now);
        const after: Memory | null = stepper.idle(same, memory, now);
        if (after !== null) {
          idled++;
          const { intents, cancellations, notifications, failures } = alone;
          expect([intents, cancellations, notifications, failures]).toEqual([[], [], [], []]);
          expect(JSON.stringify(after)).toBe(JSON.stringify(alone.memory));
          expect(stepper.idleStates()).toEqual(alone.nodeStates);
          memory = after;
          continue;
        }
        const stepped = stepper.step(same, memory, now);
        expect(JSON.parse(bytesOf(stepped, memory))).toEqual(JSON.parse(bytesOf(alone, stored)));
        memory = stepped.memory;
      }
    }),
    { numRuns: 60, seed: 20_261_130 },
  );
  expect(idled).toBeGreaterThan(100);
});

/**
 * Digests of 400 random graphs over 20 moments each. A new node type changes the graphs: record only those that the old types
 * leave equal.
 */
const RECORDED = readFileSync(new URL('../../../fixtures/evaluations.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

test('row 10: recorded evaluations of random graphs are equal byte for byte', () => {
  const cases = fc.sample(fc.tuple(graph, fc.nat()), { seed: 20_261_122, numRuns: RECORDED.length });
  const digests = cases.map(([visual, seed]) => {
    const stepper = new PlanEvaluator(planOf(visual));
    const hash = createHash('sha256');
    let memory: Memory | null = null;
    for (const { now, seen } of moments(seed, 20, actionsOf(visual))) {
      const evaluation = stepper.step(seen, memory, now);
      hash.update(bytesOf(evaluation, memory));
      memory = evaluation.memory;
    }
    return hash.digest('hex').slice(0, 16);
  });
  expect(digests).toEqual(RECORDED);
});

test('a result holds nothing of the deployment that is stepped after it, and cannot be extended', () => {
  const { nodes, edges } = conditionInput('on');
  const drawing = draw(
    {
      ...nodes,
      one: ['constant', { value: 1 }],
      buy: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }],
      say: ['notify', { text: 'on' }],
    },
    [...edges, 'on -> buy.when', 'one -> buy.amount', 'on -> say.when'],
  );
  const stepper = new PlanEvaluator(planOf(drawing));
  const market = marketOf('BTCUSDT', T0);
  const waiting = stepper.step(signals({ on: false }, T0, market), null, T0);
  const firing = stepper.step(signals({ on: true }, T0, market), null, T0);
  const after = stepper.step(signals({ on: false }, T0, market), null, T0);
  expect(firing.intents.map(({ nodeId }) => nodeId)).toEqual(['buy']);
  expect(firing.notifications.map(({ nodeId }) => nodeId)).toEqual(['say']);
  for (const { intents, notifications, failures } of [waiting, after])
    expect([intents, notifications, failures]).toEqual([[], [], []]);
  for (const outcome of [waiting, firing, after])
    for (const value of [outcome, outcome.intents, outcome.notifications, outcome.failures])
      expect(Object.isFrozen(value)).toBe(true);
  for (const raised of [...firing.intents, ...firing.notifications])
    expect(Object.isFrozen(raised)).toBe(true);
  const { nodeStates } = after;
  for (const value of [nodeStates, ...Object.values(nodeStates)]) expect(Object.isFrozen(value)).toBe(true);
});

test('values stored after a memory was returned are not written into it', () => {
  const run = new Run(planOf(draw({ one: ['constant', { value: 1 }], two: ['constant', { value: 2 }] })));
  run.begin(world(), null, T0);
  run.remember(0, { kept: 'first' });
  const handedOut = run.takeMemory();
  run.remember(0, { kept: 'later' });
  run.begin(world(), handedOut, T0 + 1);
  expect(run.recall(0)).toEqual({ kept: 'first' });
  expect(handedOut.nodes).toEqual({ one: { kept: 'first' } });
});

test('an evaluation that throws half-way leaves nothing that the next deployment would use', () => {
  const drawing = draw(
    {
      one: ['constant', { value: 1 }],
      btc: ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m', field: 'close' }],
      sum: ['math', { op: 'add' }],
      eth: ['crypto.candle', { symbol: 'ETHUSDT', interval: '1m', field: 'close' }],
    },
    ['btc -> sum.in', 'one -> sum.in'],
  );
  const btc = ClosedCandles.of(minuteCandles([100, 200]));
  const eth = ClosedCandles.of(minuteCandles([10, 20]));
  const seenBy = (closed: ClosedCandles, other: ClosedCandles) =>
    world({
      candles: new Map([
        ['BTCUSDT@1m', series(closed)],
        ['ETHUSDT@1m', series(other)],
      ]),
    });
  const broken = new Proxy(eth, {
    get(target, name) {
      if (name === 'closedAt') throw new RangeError('damaged');
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const now = T0 + 2 * MINUTE_MS;
  for (const isFirst of [true, false]) {
    const stepper = new PlanEvaluator(planOf(drawing));
    if (!isFirst) stepper.step(seenBy(btc.slice(0, 1), NO_CANDLES), null, now - MINUTE_MS);
    expect(() => stepper.step(seenBy(btc, broken), null, now)).toThrow('damaged');
    const other = stepper.step(seenBy(btc, eth), null, now);
    expect(other.nodeStates).toEqual(evaluate(planOf(drawing), seenBy(btc, eth), null, now).nodeStates);
    expect(other.nodeStates['sum']?.value).toBe(201);
  }
});

test('a result that was not read before the next step is refused, not mixed up', () => {
  const stepper = new PlanEvaluator(planOf(draw({ a: ['crypto.price', { symbol: 'BTCUSDT' }] })));
  const first = stepper.step(marketOf('BTCUSDT', T0), null, T0);
  expect(first.nodeStates['a']?.value).toBe(100);
  const second = stepper.step(marketOf('BTCUSDT', T0 + 1, { last: 200 }), first.memory, T0 + 1);
  expect(first.nodeStates['a']?.value).toBe(100);
  expect(() => first.signature).toThrow('after the next step');
  expect(second.nodeStates['a']?.value).toBe(200);
});

test('a node that failed fails again in the next step, though nothing moved its value', () => {
  const plan = planOf(
    draw({ one: ['constant', { value: 1 }], two: ['math', { op: 'abs' }] }, ['one -> two.a']),
  );
  let calls = 0;
  const computations = plan.computations.map((one) => ({
    ...one,
    compute: () => {
      calls++;
      throw new Error('no');
    },
  }));
  const stepper = new PlanEvaluator({ ...plan, computations });
  for (const now of [T0, T0 + 1]) {
    const { failures, memory } = stepper.step(signals({}, now), null, now);
    expect(failures.map(({ nodeId }) => nodeId)).toEqual(['one', 'two']);
    expect(memory.nodes).toEqual({});
  }
  expect(calls).toBe(4);
});
