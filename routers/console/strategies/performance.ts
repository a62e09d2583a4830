import { z } from 'zod';
import { pnlByBlueprint } from '../../../engine/books/accounting/performance.ts';
import { decimalNumber, listOf } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const Performance = z.object({
  blueprintId: z.uuid(),
  realizedPnl: decimalNumber,
  unrealizedPnl: decimalNumber,
  totalPnl: decimalNumber,
});

/** The result of each blueprint that ever traded, in USD: for a table, where REST has one call per blueprint. */
export const performance = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(listOf(Performance))
  .query(({ ctx }) => pnlByBlueprint(ctx.work));
