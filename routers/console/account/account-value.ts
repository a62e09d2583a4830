import { z } from 'zod';
import { MODES } from '../../../db/vocabulary.ts';
import { accountNow } from '../../../engine/books/accounting/portfolio.ts';
import { decimalNumber } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

export const AccountView = z.object({
  runningBlueprints: z.number(),
  openPositions: z.number(),
  pendingOrders: z.number(),
  totalPnl: decimalNumber,
  equity: decimalNumber,
  cash: decimalNumber,
  worth: decimalNumber,
  realizedPnl: decimalNumber,
  unrealizedPnl: decimalNumber,
  dayPnl: decimalNumber,
});

/** The account's value now, in the mode of the request: all numbers are read at one instant, so that they agree. In USD. */
export const account = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(AccountView.extend({ mode: z.enum(MODES) }))
  .query(async ({ ctx: { work } }) => ({ ...(await accountNow(work)), mode: work.mode }));
