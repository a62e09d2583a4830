import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curveOf, thinned } from '../../../engine/statistics/curve.ts';
import { DrawdownWatch } from '../../../engine/statistics/drawdown.ts';

const points = fc
  .array(
    fc.record({ equity: fc.integer({ min: -50, max: 20_000 }), flow: fc.integer({ min: -50, max: 50 }) }),
  )
  .map((rows) =>
    rows.map(({ equity, flow }, index) => ({
      atMs: 1 + index,
      equity: String(equity),
      ...(flow > 30 && { flow: String(flow) }),
    })),
  );

test('the deepest point of a curve is the largest drawdown', () => {
  fc.assert(
    fc.property(points, (rows) => {
      const watch = new DrawdownWatch('1000', 0);
      for (const row of rows) watch.add(row);
      const deepest = Math.max(...curveOf('1000', 0, rows).map(({ drawdown }) => drawdown));
      if (rows.some(({ flow }) => flow !== undefined)) return;
      expect(deepest).toBeCloseTo(watch.drawdowns().max?.share ?? 0, 12);
    }),
  );
});

test('a curve begins with what there was, and is nowhere above its peak', () => {
  fc.assert(
    fc.property(points, (rows) => {
      const curve = curveOf('1000', 0, rows);
      expect(curve[0]).toEqual({ atMs: 0, equity: '1000', drawdown: 0 });
      expect(curve).toHaveLength(rows.length + 1);
      for (const { drawdown } of curve) expect(drawdown).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('a picture keeps the ends, the lowest and the highest of a line, in order, and no more points than asked', () => {
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
          kept.map(({ index }) => index).toSorted((a, b) => a - b),
        );
        const told = kept.map(({ value }) => value);
        expect(Math.min(...told)).toBe(Math.min(...values));
        expect(Math.max(...told)).toBe(Math.max(...values));
      },
    ),
  );
});
