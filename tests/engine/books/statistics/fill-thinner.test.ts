import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thinnedFills } from '../../../../engine/books/statistics/fill-thinner.ts';

type Side = 'buy' | 'sell';
const fillsOf = (sides: readonly Side[]) => sides.map((side, at) => ({ side, at }));
const countOf = (rows: readonly { side: Side }[], side: Side) =>
  rows.filter((row) => row.side === side).length;

test('as many buys as sells are shown, but for one that is open, of 601 to 2,400 alternating fills', () => {
  for (let count = 601; count <= 2_400; count++) {
    const fills = fillsOf(Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'buy' : 'sell')));
    const drawn = thinnedFills(fills, 600);
    expect(drawn.length).toBeLessThanOrEqual(600);
    expect(drawn.length).toBeGreaterThan(250);
    expect(countOf(drawn, 'buy') - countOf(drawn, 'sell')).toBe(count % 2);
    expect(drawn.at(-1)).toEqual(fills.at(-1));
  }
});

test('thinned fills are in order, never more than the bound, and all of them if they fit', () => {
  const sides = fc.array(fc.constantFrom<Side>('buy', 'sell'), { maxLength: 300 });
  fc.assert(
    fc.property(sides, fc.integer({ min: 2, max: 60 }), (drawnOf, max) => {
      const fills = fillsOf(drawnOf);
      const drawn = thinnedFills(fills, max);
      expect(drawn.length).toBeLessThanOrEqual(max);
      expect(drawn.map(({ at }) => at)).toEqual(drawn.map(({ at }) => at).sort((a, b) => a - b));
      if (fills.length > 0) expect(drawn.length).toBeGreaterThan(0);
      if (fills.length <= max / 2) expect(drawn).toEqual(fills);
    }),
  );
});

test('a strategy that buys 5,000 times and never sells is shown from its first buy to its newest stretch', () => {
  const fills = fillsOf(Array.from({ length: 5_000 }, () => 'buy'));
  const drawn = thinnedFills(fills, 600);
  expect(drawn.length).toBeGreaterThan(100);
  expect(drawn[0]?.at).toBe(0);
  expect(drawn.at(-1)?.at).toBeGreaterThan(4_900);
});
