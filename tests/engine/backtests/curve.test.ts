import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Thinner } from '../../../engine/backtests/curve.ts';

const row = (value: number, atMs: number) => ({ atMs, equity: String(value), held: '0' });

test('a curve is thinned to as many points as are asked for, with both ends, the lowest and the highest', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 700 }),
      fc.integer({ min: 4, max: 60 }),
      (values, max) => {
        const rows = values.map(row);
        const thinner = new Thinner(rows.length, max);
        for (const each of rows) thinner.add(each);
        const kept = thinner.end();
        expect(kept.length).toBeLessThanOrEqual(max);
        expect([kept[0], kept.at(-1)]).toEqual([rows[0], rows.at(-1)]);
        const all = kept.map(({ equity }) => Number(equity));
        expect([Math.min(...all), Math.max(...all)]).toEqual([Math.min(...values), Math.max(...values)]);
        const times = kept.map(({ atMs }) => atMs);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        if (rows.length <= max) expect(kept).toEqual(rows);
      },
    ),
  );
});
