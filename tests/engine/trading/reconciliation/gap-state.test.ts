import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact, ZERO } from '../../../../engine/platform/decimal.ts';
import {
  type GapState,
  gapStateAfter,
  statedAfter,
} from '../../../../engine/trading/reconciliation/gap-state.ts';

/** Compares gaps, each some seconds after the last one; each comparison's orders explain new gaps for a minute. */
function looks(gaps: readonly number[], everySec = 10): { stated: number; seconds: number }[] {
  let lasting: GapState = { stated: ZERO, waits: [] };
  return gaps.map((gap, look) => {
    const seconds = look * everySec;
    const until = new Date((seconds + 60) * 1_000);
    lasting = gapStateAfter(lasting, { whole: exact(gap), until }, new Date(seconds * 1_000));
    return { stated: lasting.stated.toNumber(), seconds };
  });
}
const firstOf = (gaps: readonly number[]) => looks(gaps).find(({ stated }) => stated !== 0)?.seconds ?? null;
const last = (gaps: readonly number[]) => looks(gaps).at(-1)?.stated;
const times = (count: number, gap: number) => Array.from({ length: count }, () => gap);

test('a gap in every comparison is unexplained when its own orders have ended, and no later order delays it', () => {
  expect(firstOf(times(8, -300))).toBe(60);
});

test('the smallest gap of all comparisons is stated: the part that present orders moved waits separately', () => {
  const moved = [-300, -700, -350, -300, -900, -310, -500];
  expect(looks(moved).at(-1)).toEqual({ stated: -300, seconds: 60 });
  expect(last([...moved, ...times(7, -500)])).toBe(-500);
});

test('a second theft after a first that was stated is stated as well, and a repayment is deducted', () => {
  expect(last([...times(7, -4), ...times(7, -300)])).toBe(-300);
  expect(last([...times(7, -300), ...times(8, -100)])).toBe(-100);
});

test('orders that move the gap to the other side for one comparison delay nothing', () => {
  expect(firstOf([-300, 100, -300, 100, -300, -300, -300])).toBe(60);
});

test('a gap missing in one comparison of each minute is never stated', () => {
  const gap = fc.integer({ min: -1_000, max: 1_000 });
  const minute = fc.array(gap, { minLength: 0, maxLength: 5 }).map((gaps) => [...gaps, 0]);
  fc.assert(
    fc.property(fc.array(minute, { maxLength: 20 }), (minutes) => {
      expect(looks(minutes.flat()).every(({ stated }) => stated === 0)).toBe(true);
    }),
  );
});

test('a comparison that proves less than is already stated removes nothing', () => {
  expect(statedAfter(exact(-300), exact(-250)).toNumber()).toBe(-300);
  expect(statedAfter(exact(-300), exact(-350)).toNumber()).toBe(-350);
  expect(statedAfter(exact(-300), exact(50)).toNumber()).toBe(50);
  expect(statedAfter(ZERO, exact(50)).toNumber()).toBe(50);
});
