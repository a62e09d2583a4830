import { z } from 'zod';
import { accountCurve, blueprintCurve } from '../../../engine/books/accounting/books-statistics.ts';
import { EQUITY_RANGES } from '../../../engine/books/accounting/equity.ts';
import { StatisticsView, viewStatistics } from '../../portfolio/statistics-view.ts';
import { decimalNumber, timestamp, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const CurvePoint = z.object({
  at: timestamp,
  equity: decimalNumber,
  /** Distance below the highest point so far, as a share of it. */
  drawdown: z.number(),
});

/** The figures of a range and their curve, for the books or one blueprint. They are read at one instant, so that they agree. */
export const curve = procedure({ scope: 'portfolio:read', heavy: true })
  .input(z.strictObject({ blueprintId: uuid.nullable(), range: z.enum(EQUITY_RANGES) }))
  .output(
    z.object({
      statistics: StatisticsView,
      points: z.array(CurvePoint),
      /** As `account` states it, at the last point: a newer one moves the end of the curve. USD. */
      totalPnl: decimalNumber,
    }),
  )
  .query(async ({ ctx, input: { blueprintId, range } }) => {
    const {
      statistics,
      totalPnl,
      curve: points,
    } = blueprintId === null
      ? await accountCurve(ctx.work, range, ctx.archive)
      : await blueprintCurve(ctx.work, blueprintId, range, ctx.archive);
    return {
      statistics: viewStatistics(statistics),
      totalPnl,
      points: points.map(({ atMs, equity, drawdown }) => ({
        at: new Date(atMs).toISOString(),
        equity,
        drawdown,
      })),
    };
  });
