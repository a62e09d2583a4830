import { z } from 'zod';
import { pnlByBlueprint } from '../../engine/accounting/performance.ts';
import { listOf } from '../schemas.ts';
import { procedure } from '../trpc.ts';

const Performance = z.object({
  blueprintId: z.uuid(),
  realizedPnl: z.number(),
  unrealizedPnl: z.number(),
  totalPnl: z.number(),
});

/** What each blueprint that ever traded has made, in USD: for a table, where REST has one call per blueprint. */
export const performance = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(listOf(Performance))
  .query(async ({ ctx }) => {
    const rows = await pnlByBlueprint(ctx.work);
    return rows.map(({ blueprintId, realizedPnl, unrealizedPnl, totalPnl }) => ({
      blueprintId,
      realizedPnl: Number(realizedPnl),
      unrealizedPnl: Number(unrealizedPnl),
      totalPnl: Number(totalPnl),
    }));
  });
