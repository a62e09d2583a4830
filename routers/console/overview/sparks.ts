import { z } from 'zod';
import { sparks as readSparks } from '../../../engine/books/accounting/sparks.ts';
import { procedure } from '../../trpc.ts';

/** How each blueprint that traded has gone in a week, as a line in a table draws it. */
export const sparks = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(z.array(z.object({ blueprintId: z.uuid(), made: z.array(z.number()) })))
  .query(async ({ ctx }) =>
    (await readSparks(ctx.work)).map(({ blueprintId, made }) => ({ blueprintId, made: [...made] })),
  );
