import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DrawdownTracker } from '../../../../engine/books/statistics/drawdown.ts';
import { equityDrawdownCurve } from '../../../../engine/books/statistics/equity-drawdown-curve.ts';

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
      const watch = new DrawdownTracker('1000', 0);
      for (const row of rows) watch.add(row);
      const deepest = Math.max(...equityDrawdownCurve('1000', 0, rows).map(({ drawdown }) => drawdown));
      if (rows.some(({ flow }) => flow !== undefined)) return;
      expect(deepest).toBeCloseTo(watch.drawdowns().max?.share ?? 0, 12);
    }),
  );
});

test('a curve begins with its start, and is nowhere above its peak', () => {
  fc.assert(
    fc.property(points, (rows) => {
      const curve = equityDrawdownCurve('1000', 0, rows);
      expect(curve[0]).toEqual({ atMs: 0, equity: '1000', drawdown: 0 });
      expect(curve).toHaveLength(rows.length + 1);
      for (const { drawdown } of curve) expect(drawdown).toBeGreaterThanOrEqual(0);
    }),
  );
});
