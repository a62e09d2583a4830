import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IndicatorCache } from '../../../../engine/strategy/graph/nodes/indicators/indicator-cache.ts';
import { unknown } from '../../../../engine/strategy/graph/values.ts';

const KEPT = 20;
const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.nat(9).map((i) => unknown('no_data', `Reason ${i}.`)),
);

test('values are returned as they were added, or not at all', () => {
  const moves = fc.array(fc.tuple(fc.integer({ min: 0, max: 150 }), value), { maxLength: 60 });
  fc.assert(
    fc.property(moves, (sets) => {
      const stretch = new IndicatorCache(KEPT);
      const all = new Map<number, unknown>();
      for (const [place, put] of sets) {
        stretch.set(place, put);
        all.set(place, put);
        expect(stretch.get(place)).toBe(put);
        for (let at = -1; at <= 151; at++) {
          const got = stretch.get(at);
          if (got !== undefined) expect(got).toBe(all.get(at));
        }
      }
    }),
  );
});

test('the newest of values added one after another are kept, and their window is returned as it is', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.array(value, { minLength: 1, maxLength: 120 }), (from, puts) => {
      const stretch = new IndicatorCache(KEPT);
      for (const [i, put] of puts.entries()) stretch.set(from + i, put);
      const newest = puts.slice(-KEPT);
      const end = from + puts.length;
      for (const [i, put] of newest.entries()) expect(stretch.get(end - newest.length + i)).toBe(put);
      const firstUnknown = newest.find((put) => typeof put !== 'number');
      const window = stretch.window(end - newest.length, end);
      expect('unknown' in window ? window : [...window]).toEqual(firstUnknown ?? newest);
    }),
  );
});
