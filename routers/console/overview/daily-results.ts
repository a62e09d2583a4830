import { z } from 'zod';
import { dailyResults } from '../../../engine/books/accounting/daily-results.ts';
import { decimalNumber } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const Day = z.object({ day: z.string(), pnl: decimalNumber });

/** The result of each UTC day, USD. With the result before them, they add up to the total of the account. */
export const days = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(z.object({ before: decimalNumber, days: z.array(Day) }))
  .query(async ({ ctx }) => {
    const { before, days: results } = await dailyResults(ctx.work, ctx.archive);
    return { before, days: [...results] };
  });
