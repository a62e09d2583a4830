import { z } from 'zod';
import { type AccountNow, accountNow } from '../../engine/accounting/portfolio.ts';
import { procedure } from '../trpc.ts';

const AccountView = z.object({
  runningBlueprints: z.number(),
  openPositions: z.number(),
  pendingOrders: z.number(),
  totalPnl: z.number(),
  equity: z.number(),
  cash: z.number(),
});

/** What the account is worth now: all numbers of one look, so that none contradicts another. In USD. */
export const account = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(AccountView)
  .query(async ({ ctx }) => viewAccount(await accountNow(ctx.work)));

export const viewAccount = ({ totalPnl, equity, cash, ...counts }: AccountNow) => ({
  ...counts,
  totalPnl: Number(totalPnl),
  equity: Number(equity),
  cash: Number(cash),
});
