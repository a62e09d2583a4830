import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact, ZERO } from '../../../../engine/platform/decimal.ts';
import {
  type Lasting,
  lastingAfter,
  statedAfter,
} from '../../../../engine/trading/reconciliation/lasting.ts';

/** Looks at gaps, each some seconds after the last one; each look's orders explain what is new for a minute. */
function looks(gaps: readonly number[], everySec = 10): { stated: number; seconds: number }[] {
  let lasting: Lasting = { stated: ZERO, waits: [] };
  return gaps.map((gap, look) => {
    const seconds = look * everySec;
    const until = new Date((seconds + 60) * 1_000);
    lasting = lastingAfter(lasting, { whole: exact(gap), until }, new Date(seconds * 1_000));
    return { stated: lasting.stated.toNumber(), seconds };
  });
}
const firstOf = (gaps: readonly number[]) => looks(gaps).find(({ stated }) => stated !== 0)?.seconds ?? null;
const last = (gaps: readonly number[]) => looks(gaps).at(-1)?.stated;
const times = (count: number, gap: number) => Array.from({ length: count }, () => gap);

test('a gap that every look sees is unexplained when its own orders have ended, and no order sent later delays it', () => {
  expect(firstOf(times(8, -300))).toBe(60);
});

test('the least that every look saw is stated: what orders of the moment moved on top of it waits for itself', () => {
  const moved = [-300, -700, -350, -300, -900, -310, -500];
  expect(looks(moved).at(-1)).toEqual({ stated: -300, seconds: 60 });
  expect(last([...moved, ...times(7, -500)])).toBe(-500);
});

test('a second theft behind a first that was stated is stated as well, and what is paid back is taken off', () => {
  expect(last([...times(7, -4), ...times(7, -300)])).toBe(-300);
  expect(last([...times(7, -300), ...times(8, -100)])).toBe(-100);
});

test('orders that move the gap to the other side for a look delay nothing', () => {
  expect(firstOf([-300, 100, -300, 100, -300, -300, -300])).toBe(60);
});

test('a gap that one look in each minute does not see is never stated', () => {
  const gap = fc.integer({ min: -1_000, max: 1_000 });
  const minute = fc.array(gap, { minLength: 0, maxLength: 5 }).map((gaps) => [...gaps, 0]);
  fc.assert(
    fc.property(fc.array(minute, { maxLength: 20 }), (minutes) => {
      expect(looks(minutes.flat()).every(({ stated }) => stated === 0)).toBe(true);
    }),
  );
});

test('a look that proves less than is stated already takes nothing back', () => {
  expect(statedAfter(exact(-300), exact(-250)).toNumber()).toBe(-300);
  expect(statedAfter(exact(-300), exact(-350)).toNumber()).toBe(-350);
  expect(statedAfter(exact(-300), exact(50)).toNumber()).toBe(50);
  expect(statedAfter(ZERO, exact(50)).toNumber()).toBe(50);
});
