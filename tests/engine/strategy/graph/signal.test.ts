import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Memory, SignalArrival } from '../../../../engine/strategy/graph/types.ts';
import { draw, planOf, stateOf, T0, world } from './graph-fixtures.ts';

const planFor = (kind: string) => planOf(draw({ alert: ['signal', { name: 'tv', kind, maxAgeSec: 60 }] }));
const seen = (arrival: SignalArrival | null) =>
  world({ signals: new Map(arrival === null ? [] : [['tv', arrival]]) });

describe('signal', () => {
  test('the plan names what it reads', () => {
    expect(planFor('number').needs.signals).toEqual(['tv']);
  });

  test.each([
    ['number', 0.25, 0.25],
    ['boolean', 0.25, true],
    ['boolean', 0, false],
  ])('as %s the value %d is %s', (kind, value, state) => {
    const at = seen({ value, at: T0, id: '1' });
    expect(stateOf(evaluate(planFor(kind), at, null, T0), 'alert')).toMatchObject({ value: state });
  });

  test('is unknown while none has arrived, and once the newest is older than its maximum age', () => {
    const codeAt = (arrival: SignalArrival | null, now: number) =>
      stateOf(evaluate(planFor('number'), seen(arrival), null, now), 'alert').reason?.code;
    expect(codeAt(null, T0)).toBe('no_data');
    const arrival = { value: 1, at: T0, id: '1' };
    expect(codeAt(arrival, T0 + 60_000)).toBeUndefined();
    expect(codeAt(arrival, T0 + 60_001)).toBe('stale');
  });

  test('that arrived while the evaluation waited counts', () => {
    const newer = seen({ value: 1, at: T0 + 30_000, id: '1' });
    expect(stateOf(evaluate(planFor('number'), newer, null, T0), 'alert')).toMatchObject({ value: 1 });
  });

  test('an arrival is true for one step, never for a value from before the deploy, and not when it is too old', () => {
    const plan = planFor('arrival');
    let memory: Memory | null = null;
    const step = (arrival: SignalArrival | null, now: number) => {
      const evaluation = evaluate(plan, seen(arrival), memory, now);
      memory = evaluation.memory;
      return stateOf(evaluation, 'alert').value;
    };
    const first = { value: 1, at: T0 - 10, id: '7' };
    expect([step(first, T0), step(first, T0 + 2_000)]).toEqual([false, false]);
    const second = { value: 1, at: T0 + 3_000, id: '8' };
    expect([step(second, T0 + 4_000), step(second, T0 + 6_000)]).toEqual([true, false]);
    const late = { value: 1, at: T0 + 7_000, id: '9' };
    expect([step(late, T0 + 90_000), step(late, T0 + 92_000)]).toEqual([false, false]);
  });

  test('arrivals in consecutive evaluations are an edge each, and a signal that was added again arrives again', () => {
    const plan = planFor('arrival');
    let memory: Memory | null = evaluate(plan, seen(null), null, T0).memory;
    const step = (arrival: SignalArrival, now: number) => {
      const evaluation = evaluate(plan, seen(arrival), memory, now);
      memory = evaluation.memory;
      return stateOf(evaluation, 'alert').value;
    };
    const arrivalAt = (at: number, id: string) => ({ value: 1, at, id });
    const second = arrivalAt(T0 + 3_000, '2 a');
    expect([
      step(arrivalAt(T0 + 1_000, '1 a'), T0 + 2_000),
      step(second, T0 + 4_000),
      step(second, T0 + 6_000),
      step(second, T0 + 8_000),
    ]).toEqual([true, false, true, false]);
    expect(step(arrivalAt(T0 + 9_000, '2 b'), T0 + 10_000)).toBe(true);
  });

  test('an arrival whose time is converted again, a little differently, is still one arrival', () => {
    const plan = planFor('arrival');
    let memory: Memory | null = evaluate(plan, seen(null), null, T0).memory;
    const values = [0, 3, 1, 7].map((driftMs, index) => {
      const now = T0 + 2_000 * (index + 1);
      const evaluation = evaluate(plan, seen({ value: 1, at: T0 + 1_000 + driftMs, id: '1' }), memory, now);
      memory = evaluation.memory;
      return stateOf(evaluation, 'alert').value;
    });
    expect(values).toEqual([true, false, false, false]);
  });

  test('an arrival is remembered over a restart', () => {
    const plan = planFor('arrival');
    const empty = evaluate(plan, seen(null), null, T0);
    const arrival = { value: 1, at: T0 + 1_000, id: '1' };
    const fired = evaluate(plan, seen(arrival), empty.memory, T0 + 2_000);
    const stored = JSON.parse(JSON.stringify(fired.memory)) as Memory;
    expect(stateOf(evaluate(plan, seen(arrival), stored, T0 + 4_000), 'alert').value).toBe(false);
  });
});
