import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Stepper } from '../../../engine/graph/run/evaluate.ts';
import type { Memory } from '../../../engine/graph/types.ts';
import { graph, moments } from './arbitraries.ts';
import { actionsOf, bytesOf, stepsAsFromNothing } from './from-nothing.ts';
import { draw, marketOf, planOf, signals, T0 } from './support.ts';

test('row 10: one stepper for many deployments, in whatever order, says what an evaluation from nothing says', () => {
  stepsAsFromNothing(150);
});

/** Digests of 400 random drawings over 20 moments each, as the engine before candles were columns answered them. */
const RECORDED = readFileSync(new URL('../../fixtures/evaluations.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

test('row 10: recorded evaluations of random drawings come out byte for byte', () => {
  const cases = fc.sample(fc.tuple(graph, fc.nat()), { seed: 20_261_122, numRuns: RECORDED.length });
  const digests = cases.map(([visual, seed]) => {
    const stepper = new Stepper(planOf(visual));
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

test('what was not read of an evaluation before the next step is refused, not mixed up', () => {
  const stepper = new Stepper(planOf(draw({ a: ['crypto.price', { symbol: 'BTCUSDT' }] })));
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
  const stepper = new Stepper({ ...plan, computations });
  for (const now of [T0, T0 + 1]) {
    const { failures, memory } = stepper.step(signals({}, now), null, now);
    expect(failures.map(({ nodeId }) => nodeId)).toEqual(['one', 'two']);
    expect(memory.nodes).toEqual({});
  }
  expect(calls).toBe(4);
});
