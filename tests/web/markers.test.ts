import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterMarkers, cyclesOf, slotSec } from '../../web/src/charts/marks/markers.ts';

const fillsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(index * 600_000).toISOString(),
    side: index % 2 === 0 ? ('buy' as const) : ('sell' as const),
    price: 100 + index,
  }));
const sum = (clusters: ReturnType<typeof clusterMarkers>, side: 'buy' | 'sell') =>
  clusters.filter((each) => each.side === side).reduce((total, { count }) => total + count, 0);

test('zoomed out, every fill counts in a cluster of its side: buys drawn are sells drawn, but for one that is open', () => {
  for (let count = 601; count <= 2_400; count += 7) {
    const drawn = clusterMarkers(fillsOf(count), slotSec(count * 600, 1_000));
    expect(sum(drawn, 'buy') - sum(drawn, 'sell')).toBe(count % 2);
    expect(sum(drawn, 'buy') + sum(drawn, 'sell')).toBe(count);
    expect(drawn.length).toBeLessThanOrEqual(120);
  }
});

test('zoomed in, every fill is a marker of its own', () => {
  const drawn = clusterMarkers(fillsOf(1_154), slotSec(6 * 3_600, 1_000));
  expect(drawn).toHaveLength(1_154);
  expect(drawn.every(({ count }) => count === 1)).toBe(true);
});

test('clusters are in order of time, and at least one second long, whatever is visible', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e10, noNaN: true }), fc.nat({ max: 4_000 }), (range, width) => {
      const slot = slotSec(range, width);
      expect(slot).toBeGreaterThanOrEqual(1);
      const at = clusterMarkers(fillsOf(50), slot).map((cluster) => cluster.at);
      expect(at).toEqual([...at].sort());
    }),
  );
});

test('entries are joined with the exits that follow them, and every fill is in one cycle', () => {
  const fills = (sides: string) =>
    [...sides].map((side, index) => ({
      at: new Date(index * 60_000).toISOString(),
      side: side === 'b' ? ('buy' as const) : ('sell' as const),
      price: index,
    }));
  const sidesOf = (sides: string) =>
    cyclesOf(fills(sides)).map((cycle) => cycle.map(({ side }) => side[0]).join(''));
  expect(sidesOf('bbsbsb')).toEqual(['bbs', 'bs', 'b']);
  expect(sidesOf('ssbss')).toEqual(['ss', 'bss']);
  expect(sidesOf('')).toEqual([]);
});
