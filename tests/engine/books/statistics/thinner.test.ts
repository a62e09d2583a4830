import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thinned } from '../../../../engine/books/statistics/thinner.ts';

test('a thinned curve has its ends, lowest and highest points, in order, and at most as many points as requested', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 4, max: 60 }),
      (values, max) => {
        const rows = values.map((value, index) => ({ value, index }));
        const kept = thinned(rows, max, ({ value }) => value);
        expect(kept.length).toBeLessThanOrEqual(max);
        expect([kept[0], kept.at(-1)]).toEqual([rows[0], rows.at(-1)]);
        expect(kept.map(({ index }) => index)).toEqual(
          [...new Set(kept.map(({ index }) => index))].toSorted((a, b) => a - b),
        );
        if (rows.length <= max) expect(kept).toEqual(rows);
        const thinValues = kept.map(({ value }) => value);
        expect(Math.min(...thinValues)).toBe(Math.min(...values));
        expect(Math.max(...thinValues)).toBe(Math.max(...values));
      },
    ),
  );
});
