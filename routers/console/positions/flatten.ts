import { z } from 'zod';
import { ORDER_STATUSES } from '../../../db/entities/order.ts';
import { flatten } from '../../../engine/trading/orders/entry/flatten.ts';
import { refuseWithoutRunner } from '../../runner.ts';
import { decimalNumber, exactNumber, singleLineText } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

/** More positions than a person checks. */
const POSITIONS_MAX = 200;

/** Sells the checked positions, and returns the outcome of each. */
export const flattenPositions = sessionProcedure({ bucket: 'brake' })
  .input(
    z.strictObject({
      positions: z
        .array(z.strictObject({ tokenId: singleLineText(1, 200), amount: exactNumber({ above: 0 }) }))
        .min(1)
        .max(POSITIONS_MAX),
    }),
  )
  .output(
    z.array(
      z.object({
        tokenId: z.string(),
        amount: decimalNumber,
        intentId: z.uuid().nullable(),
        status: z.enum(ORDER_STATUSES).nullable(),
        refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  )
  .mutation(async ({ ctx, input }) => {
    refuseWithoutRunner(ctx);
    const reviewed = input.positions.map(({ tokenId, amount }) => ({ tokenId, amount: String(amount) }));
    const results = await flatten(ctx.work, reviewed, ctx.trading);
    ctx.wakeOrders();
    return results;
  });
