import { z } from 'zod';
import { readSparklines as readSparks } from '../../../engine/books/accounting/sparklines.ts';
import { procedure } from '../../trpc.ts';

/** The result of each blueprint that traded over a week, for the sparkline in a table. */
export const sparks = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(z.array(z.object({ blueprintId: z.uuid(), made: z.array(z.number()) })))
  .query(async ({ ctx }) =>
    (await readSparks(ctx.work)).map(({ blueprintId, made }) => ({ blueprintId, made: [...made] })),
  );
