import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conditionInput, draw, numberInput, Player, signals, T0 } from './graph-fixtures.ts';

const SECOND_MS = 1_000;

function comparer(config: Record<string, unknown>) {
  const between = config['op'] === 'between';
  const inputs = between ? ['a', 'low', 'high'] : ['a', 'b'];
  const nodes = Object.assign({}, ...inputs.map(numberInput), { node: ['compare', config] });
  const player = new Player(
    draw(
      nodes,
      inputs.map((name) => `${name} -> node.${name}`),
    ),
  );
  let step = 0;
  return (values: Record<string, number | null>) => {
    const now = T0 + 2 * SECOND_MS * step++;
    return player.state('node', now, signals(values, now));
  };
}

describe('compare', () => {
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  test('gt, gte, lt, lte agree with arithmetic up to noise, and complement each other', () => {
    fc.assert(
      fc.property(number, fc.oneof(number, fc.constant(null)), (a, other) => {
        const b = other ?? a * (1 + 1e-15);
        const value = (op: string) => comparer({ op })({ a, b }).value;
        const isEqual = Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
        expect(value('gt')).toBe(!isEqual && a > b);
        expect(value('lt')).toBe(!isEqual && a < b);
        expect(value('gte')).toBe(isEqual || a > b);
        expect(value('lte')).toBe(isEqual || a < b);
      }),
      { numRuns: 60 },
    );
  });

  test('between includes both ends', () => {
    const values = [0.9, 1, 1.5, 2, 2.1].map(
      (a) => comparer({ op: 'between' })({ a, low: 1, high: 2 }).value,
    );
    expect(values).toEqual([false, true, true, true, false]);
  });

  test('hysteresis: once true it stays true until a has returned past the threshold by that much', () => {
    const see = comparer({ op: 'gt', hysteresis: 2 });
    expect([10, 11, 9, 8.5, 8, 9, 10, 10.5].map((a) => see({ a, b: 10 }).value)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
      false,
      true,
    ]);
    const low = comparer({ op: 'lte', hysteresis: 2 });
    expect([11, 10, 12, 12.1, 11].map((a) => low({ a, b: 10 }).value)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    const range = comparer({ op: 'between', hysteresis: 1 });
    expect([0.5, 1, 0, -0.1, 0.5, 3, 2].map((a) => range({ a, low: 1, high: 2 }).value)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  test('an unknown input makes it unknown and leaves the hysteresis as it was', () => {
    const see = comparer({ op: 'gt', hysteresis: 2 });
    expect([11, null, 9].map((a) => see({ a, b: 10 }).value)).toEqual([true, null, true]);
  });

  test('crossesAbove is true for the one step in which a passes b', () => {
    const see = comparer({ op: 'crossesAbove' });
    const steps = [11, 9, 11, 12, 10, 11];
    expect(steps.map((a) => see({ a, b: 10 }).value)).toEqual([false, false, true, false, false, true]);
  });

  test('crossesBelow likewise, and unknown steps in between do not hide a crossing', () => {
    const see = comparer({ op: 'crossesBelow' });
    expect([11, null, 9, 9, 11, 10, 9].map((a) => see({ a, b: 10 }).value)).toEqual([
      false,
      null,
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  test('crossings count as many as the level rises, on any series', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 }), (series) => {
        const see = comparer({ op: 'crossesAbove' });
        const crossed = series.map((a) => see({ a, b: 10 }).value);
        expect(crossed).toEqual(series.map((a, i) => i > 0 && a > 10 && (series[i - 1] as number) <= 10));
      }),
      { numRuns: 40 },
    );
  });

  test('distance states how far a is from switching', () => {
    const see = comparer({ op: 'gt', hysteresis: 2 });
    expect(see({ a: 7, b: 10 }).distance).toBeCloseTo(3, 12);
    expect(see({ a: 11, b: 10 }).distance).toBeCloseTo(1, 12);
    expect(see({ a: 11, b: 10 }).distance).toBeCloseTo(3, 12);
  });
});

describe('logic', () => {
  const { nodes: a, edges: ea } = conditionInput('a');
  const { nodes: b, edges: eb } = conditionInput('b');
  const see = (config: Record<string, unknown>, values: Record<string, boolean | null>) =>
    new Player(
      draw({ ...a, ...b, node: ['logic', config] }, [...ea, ...eb, 'a -> node.in', 'b -> node.in']),
    ).state('node', T0, signals(values, T0)).value;

  test('a result that does not depend on the unknown input is known', () => {
    expect(see({ op: 'or' }, { a: true, b: null })).toBe(true);
    expect(see({ op: 'and' }, { a: false, b: null })).toBe(false);
    expect(see({ op: 'and' }, { a: true, b: null })).toBe(null);
    expect(see({ op: 'atLeast', k: 1 }, { a: null, b: true })).toBe(true);
    expect(see({ op: 'atLeast', k: 2 }, { a: null, b: false })).toBe(false);
  });

  test('not turns the condition round and keeps unknown', () => {
    const flip = (value: boolean | null) =>
      new Player(draw({ ...a, node: ['logic', { op: 'not' }] }, [...ea, 'a -> node.a'])).state(
        'node',
        T0,
        signals({ a: value }, T0),
      ).value;
    expect([true, false, null].map(flip)).toEqual([false, true, null]);
  });
});

describe('hold', () => {
  const { nodes, edges } = conditionInput('a');
  const holder = (seconds: number) =>
    new Player(draw({ ...nodes, node: ['hold', { seconds }] }, [...edges, 'a -> node']));

  test('is true once the input was true that long; false and unknown restart it', () => {
    const player = holder(4);
    const inputs = [true, true, true, true, false, true, true, null, true, true, true];
    const values = inputs.map(
      (a, i) => player.state('node', T0 + 2_000 * i, signals({ a }, T0 + 2_000 * i)).value,
    );
    expect(values).toEqual([false, false, true, true, false, false, false, null, false, false, true]);
  });

  test('time without evaluation does not count, and restarts it once', () => {
    const player = holder(40);
    const at = (sec: number, observedSince = 0) => {
      const now = T0 + sec * 1_000;
      return player.state('node', now, { ...signals({ a: true }, now), observedSince }).value;
    };
    const back = T0 + 35_000;
    expect([at(0), at(20), at(35, back), at(41, back), at(74, back), at(75, back)]).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test('states how many seconds are left, and writes memory on changes only', () => {
    const player = holder(10);
    const first = player.at(T0, signals({ a: true }, T0));
    const second = player.at(T0 + 2_000, signals({ a: true }, T0 + 2_000));
    expect(second.nodeStates['node']).toMatchObject({
      status: 'waiting',
      distance: 8,
      reason: { code: 'holding' },
    });
    expect(second.memory).toEqual(first.memory);
    expect(second.signature).toBe(first.signature);
  });
});
