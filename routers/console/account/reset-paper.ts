import { z } from 'zod';
import { resetPaper } from '../../../engine/books/accounting/reset-paper.ts';
import { decimalNumber } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Brings the cash of the paper account back to what it began with, while nothing goes on in it. */
export const resetPaperAccount = sessionProcedure()
  .input(z.strictObject({}))
  .output(z.object({ cash: decimalNumber, moved: decimalNumber }))
  .mutation(({ ctx }) => resetPaper(ctx.work));
