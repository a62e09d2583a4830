import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draw, type NodeConfig, numberInput, Player, signals, T0 } from './graph-fixtures.ts';

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });

/** The value of a node whose ports are fed with these numbers; `null` is unknown. */
function result(node: NodeConfig, ports: Record<string, number | null>) {
  const names = Object.keys(ports).map((_, i) => 'abcdefgh'[i] as string);
  const inputs = Object.assign({}, ...names.map(numberInput));
  const edges = Object.keys(ports).map((port, i) => `${names[i]} -> node.${port.replace(/\d$/, '')}`);
  const values = Object.fromEntries(Object.values(ports).map((value, i) => [names[i], value]));
  return new Player(draw({ ...inputs, node }, edges)).state('node', T0, signals(values, T0));
}

describe('math', () => {
  const many = (op: string, numbers: readonly number[]) =>
    result(['math', { op }], Object.fromEntries(numbers.map((value, i) => [`in${i}`, value]))).value;
  const two = (op: string, a: number, b: number) => result(['math', { op }], { a, b }).value;
  const one = (config: Record<string, unknown>, a: number) => result(['math', config], { a }).value;

  test('add, multiply, min and max take any number of inputs, in the order of the graph', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 6 }), (numbers) => {
        expect(many('add', numbers)).toBe(numbers.reduce((a, b) => a + b) + 0);
        expect(many('multiply', numbers)).toBe(numbers.reduce((a, b) => a * b) + 0);
        expect(many('min', numbers)).toBe(Math.min(...numbers) + 0);
        expect(many('max', numbers)).toBe(Math.max(...numbers) + 0);
      }),
      { numRuns: 40 },
    );
  });

  test('subtract and divide take a and b; a division by 0 is unknown', () => {
    expect(two('subtract', 5, 3)).toBe(2);
    expect(two('divide', 5, 2)).toBe(2.5);
    expect(result(['math', { op: 'divide' }], { a: 5, b: 0 })).toMatchObject({
      status: 'waiting',
      value: null,
      reason: { code: 'not_a_number' },
    });
  });

  test('abs, clamp and round', () => {
    expect(one({ op: 'abs' }, -3)).toBe(3);
    expect([-5, 0.5, 9].map((a) => one({ op: 'clamp', low: 0, high: 1 }, a))).toEqual([0, 0.5, 1]);
    expect(one({ op: 'round', step: 0.01 }, 0.0349)).toBe(0.03);
    expect(one({ op: 'round', step: 0.05 }, 0.12)).toBe(0.1);
    expect(one({ op: 'round', step: 25 }, 90)).toBe(100);
    expect(one({ op: 'round' }, 2.5)).toBe(3);
  });

  test('power, modulo, roots and logarithms, and unknown where they have no real result', () => {
    expect([two('power', 2, 10), two('power', 4, -0.5), two('power', -8, 0.5)]).toEqual([1024, 0.5, null]);
    expect([two('modulo', 7, 3), two('modulo', -7, 3), two('modulo', 7, -3)]).toEqual([1, 2, -2]);
    expect([two('modulo', 0.3, 0.1), two('modulo', 1, 0)]).toEqual([0, null]);
    expect([9, -1].map((a) => one({ op: 'sqrt' }, a))).toEqual([3, null]);
    expect([1, 0, -1].map((a) => one({ op: 'log' }, a))).toEqual([0, null, null]);
    expect([0, 1, 1e3].map((a) => one({ op: 'exp' }, a))).toEqual([1, Math.E, null]);
    expect([-0.2, 0, 7].map((a) => one({ op: 'sign' }, a))).toEqual([-1, 0, 1]);
  });

  test('floor and ceil round a number to the whole one that only floating-point noise keeps it from', () => {
    expect([2.7, -2.7, 0.3 / 0.1].map((a) => one({ op: 'floor' }, a))).toEqual([2, -3, 3]);
    expect([2.2, -2.7, 1.1 * 1.1 * 100].map((a) => one({ op: 'ceil' }, a))).toEqual([3, -2, 121]);
  });

  test('an unknown input makes the result unknown, for the same reason', () => {
    const state = result(['math', { op: 'add' }], { in0: 1, in1: null });
    expect(state).toMatchObject({ status: 'waiting', value: null, reason: { code: 'no_data' } });
    expect(state.reason?.message).toContain('BUSDT');
  });
});

describe('probability.edge', () => {
  const edge = (fair: number, price: number, feeRate?: number) =>
    result(['probability.edge', feeRate === undefined ? {} : { feeRate }], { fair, price });
  // Fee of one contract: rate × P × (1 − P), the venue's published taker formula.
  test.each([
    [0.6, 0.5, 0.07, 0.6 - 0.5 - 0.07 * 0.25],
    [0.6, 0.5, 0, 0.1],
    [0.2, 0.5, 0.07, 0.2 - 0.5 - 0.07 * 0.25],
    [1, 0.99, 0.07, 0.01 - 0.07 * 0.99 * 0.01],
  ])('fair %f at a price of %f with rate %f', (fair, price, feeRate, value) => {
    expect(edge(fair, price, feeRate).value).toBeCloseTo(value, 12);
  });
  test('a schedule with an exponent can be stated', () => {
    const config = { feeRate: 0.25, feeExponent: 2 };
    const { value } = result(['probability.edge', config], { fair: 0.6, price: 0.5 });
    expect(value).toBeCloseTo(0.6 - 0.5 - 0.25 * 0.25 ** 2, 12);
  });
  test('a value that is no probability is unknown', () => {
    for (const [fair, price] of [
      [1.2, 0.5],
      [0.5, -0.1],
    ] as const)
      expect(edge(fair, price)).toMatchObject({ value: null, reason: { code: 'out_of_range' } });
  });
});
