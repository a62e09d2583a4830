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

/** What the account is worth now, in the mode asked in: all numbers of one look, so that none contradicts another. In USD. */
export const account = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(AccountView.extend({ mode: z.enum(MODES) }))
  .query(async ({ ctx: { work } }) => ({ ...(await accountNow(work)), mode: work.mode }));
