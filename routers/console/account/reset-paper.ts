import { z } from 'zod';
import { resetPaper } from '../../../engine/books/accounting/reset-paper.ts';
import { decimalNumber } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Resets the cash of the paper account to its starting amount, while nothing runs, is open or is held. */
export const resetPaperAccount = sessionProcedure()
  .input(z.strictObject({}))
  .output(z.object({ cash: decimalNumber, moved: decimalNumber }))
  .mutation(({ ctx }) => resetPaper(ctx.work));
