import { z } from 'zod';
import { earningsByBlueprint } from '../../engine/accounting/performance.ts';
import { listOf } from '../schemas.ts';
import { procedure } from '../trpc.ts';

const Earnings = z.object({
  blueprintId: z.uuid(),
  realizedPnl: z.number(),
  unrealizedPnl: z.number(),
  totalPnl: z.number(),
});

/** What each blueprint that ever traded has made, in USD: for a table, where REST has one call per blueprint. */
export const earnings = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(listOf(Earnings))
  .query(async ({ ctx }) => {
    const rows = await earningsByBlueprint(ctx.work);
    return rows.map(({ blueprintId, realizedPnl, unrealizedPnl, totalPnl }) => ({
      blueprintId,
      realizedPnl: Number(realizedPnl),
      unrealizedPnl: Number(unrealizedPnl),
      totalPnl: Number(totalPnl),
    }));
  });
