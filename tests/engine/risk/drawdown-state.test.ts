import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact } from '../../../engine/platform/decimal.ts';
import {
  type DrawdownState,
  drawdownOf,
  drawdownStateAfter,
  type ProfitMeasurement,
  parseDrawdownState,
  resetDrawdownState,
  rowOfDrawdownState,
  startDrawdownState,
} from '../../../engine/risk/drawdown-state.ts';
import { NOW } from './risk-snapshot.ts';

const LIMIT = exact(10);
const at = (sec: number): Date => new Date(NOW.getTime() + sec * 1_000);
const START = startDrawdownState(exact(100), NOW);

/** A profit and its time; null if a mark is too old. */
type Look = readonly [sec: number, profit: number | null];

const heightOf = (profit: number | null): ProfitMeasurement => ({
  profit: exact(profit ?? 0),
  isStale: profit === null,
});
const lookedThrough = (looks: readonly Look[], watch: DrawdownState = START): DrawdownState =>
  looks.reduce((seen, [sec, profit]) => drawdownStateAfter(seen, LIMIT, heightOf(profit), at(sec)), watch);
const markAfter = (looks: readonly Look[]): string => lookedThrough(looks).highWaterMark.toFixed();
const tripAfter = (looks: readonly Look[]): Date | null => lookedThrough(looks).trippedAt;

/** The same profit, measured every second. */
const through = (from: number, to: number, profit: number | null): Look[] =>
  Array.from({ length: to - from + 1 }, (_, index) => [from + index, profit]);

describe('the high-water mark', () => {
  test('rises to the lowest profit of more than 30 s, and continues to rise from there', () => {
    expect(markAfter(through(0, 30, 120))).toBe('100');
    expect(markAfter([...through(0, 15, 120), ...through(16, 31, 110)])).toBe('110');
    expect(markAfter([...through(0, 31, 120), ...through(32, 62, 130)])).toBe('120');
    expect(markAfter([...through(0, 31, 120), ...through(32, 63, 130)])).toBe('130');
  });

  test.each<[string, Look[]]>([
    ['one quote that is wrong', [...through(0, 5, 100), [6, 9_999], ...through(7, 60, 100)]],
    [
      'a wrong quote that stays until it is too old to buy by',
      [...through(0, 30, 9_999), ...through(31, 90, null)],
    ],
    [
      'one that returns between two measurements',
      [
        [0, 9_999],
        [31, 100],
        [32, 9_999],
        [63, 100],
      ],
    ],
    [
      'one before and one after a time without looks',
      [
        [0, 9_999],
        [3_600, 9_999],
        [3_601, 100],
      ],
    ],
    [
      'one that is seen again after a clock went back',
      [
        [100, 9_999],
        [0, 9_999],
        [20, 9_999],
        [21, 100],
      ],
    ],
    ['marks that grow old in between', [...through(0, 20, 120), [21, null], ...through(22, 45, 120)]],
  ])('is not raised by %s', (_, looks) => {
    expect(markAfter(looks)).toBe('100');
  });

  test('never falls, whatever is measured', () => {
    const looks = fc.array(fc.tuple(fc.nat(200), fc.option(fc.integer({ min: -50, max: 300 }))), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(looks, (seen) => {
        let watch = START;
        for (const look of seen) {
          const next = lookedThrough([look], watch);
          expect(next.highWaterMark.gte(watch.highWaterMark)).toBe(true);
          watch = next;
        }
      }),
    );
  });

  test('is at most the highest profit that two measurements more than 30 s apart agree on', () => {
    const steps = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 90, max: 140 })), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (gaps) => {
        const looks = gaps.map(([, profit], index): Look => {
          const sec = gaps.slice(0, index + 1).reduce((sum, [gap]) => sum + gap, 0);
          return [sec, profit];
        });
        const lasting = looks.flatMap(([from, low], i) =>
          looks
            .slice(i + 1)
            .flatMap(([to, again]) => (to - from > 30 ? [Math.min(low ?? 0, again ?? 0)] : [])),
        );
        expect(Number(markAfter(looks))).toBeLessThanOrEqual(Math.max(100, ...lasting));
      }),
    );
  });
});

describe('the drawdown stop', () => {
  test('trips once the limit was reached for longer than 30 s, and stays tripped when the account recovers', () => {
    expect(tripAfter(through(0, 30, 90))).toBeNull();
    expect(tripAfter([...through(0, 31, 90), ...through(32, 70, 200)])).toEqual(at(31));
    expect(tripAfter(through(0, 60, 90))).toEqual(at(31));
    expect(tripAfter(through(0, 60, 90.01))).toBeNull();
  });

  test('trips by measurements a minute apart, and restarts after a longer time without any', () => {
    expect(
      tripAfter([
        [0, 90],
        [60, 90],
      ]),
    ).toEqual(at(60));
    expect(
      tripAfter([
        [0, 90],
        [61, 90],
      ]),
    ).toBeNull();
  });

  test('restarts when a clock went back, and then trips in its time', () => {
    expect(tripAfter([[100, 90], ...through(0, 31, 90)])).toEqual(at(31));
  });

  test.each<[string, Look[]]>([
    ['one quote that is wrong', [...through(0, 5, 100), [6, 0], ...through(7, 60, 100)]],
    ['a wrong quote until it is too old', [...through(0, 30, 0), ...through(31, 90, null)]],
    ['marks that grow old in between', [...through(0, 20, 0), [21, null], ...through(22, 45, 0)]],
    ['an account that recovers in between', [...through(0, 20, 0), [21, 100], ...through(22, 45, 0)]],
    [
      'one before and one after a time without looks',
      [
        [0, 0],
        [3_600, 0],
        [3_601, 100],
      ],
    ],
    [
      'one that is seen again after a clock went back',
      [
        [100, 0],
        [0, 0],
        [20, 0],
        [21, 100],
      ],
    ],
  ])('is not tripped by %s', (_, looks) => {
    expect(tripAfter(looks)).toBeNull();
  });

  test('continues in another process, from the row alone', () => {
    const first = lookedThrough(through(0, 20, 90));
    const again = parseDrawdownState(rowOfDrawdownState(first));
    expect(again).toEqual(first);
    expect(lookedThrough(through(21, 31, 90), again).trippedAt).toEqual(at(31));
    const higher = lookedThrough(through(0, 20, 130));
    expect(
      lookedThrough(
        through(21, 31, 125),
        parseDrawdownState(rowOfDrawdownState(higher)),
      ).highWaterMark.toFixed(),
    ).toBe('125');
  });

  test('is fully stored in its row, whatever its history', () => {
    const tripped = lookedThrough([...through(0, 31, 120), ...through(32, 70, 90)]);
    for (const watch of [START, tripped, lookedThrough([[0, 120]])]) {
      expect(rowOfDrawdownState(parseDrawdownState(rowOfDrawdownState(watch)))).toEqual(
        rowOfDrawdownState(watch),
      );
    }
    expect(parseDrawdownState(rowOfDrawdownState(START))).toEqual(START);
    expect(parseDrawdownState(rowOfDrawdownState(tripped)).trippedAt).toEqual(tripped.trippedAt);
    const rising = rowOfDrawdownState(lookedThrough([[0, 120]]));
    expect(parseDrawdownState({ ...rising, rising_to: null }).rising).toBeNull();
    expect(parseDrawdownState({ ...rising, rising_since: null }).rising).toBeNull();
  });

  test('with another limit restarts from the same mark', () => {
    const tripped = lookedThrough([...through(0, 31, 120), ...through(32, 70, 90)]);
    expect(tripped.trippedAt).not.toBeNull();
    expect(resetDrawdownState(tripped)).toEqual({ ...tripped, beyondSince: null, trippedAt: null });
    expect(drawdownOf(resetDrawdownState(tripped), exact(90)).below.toFixed()).toBe('30');
    expect(drawdownOf(tripped, exact(500)).below.toFixed()).toBe('0');
  });

  test('is unchanged if nothing changed', () => {
    expect(lookedThrough(through(0, 30, 95))).toBe(START);
    expect(lookedThrough([[0, null]])).toBe(START);
    const beyond = lookedThrough([[0, 90]]);
    expect(lookedThrough([[0, 90]], beyond)).toBe(beyond);
  });
});
