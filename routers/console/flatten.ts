import { z } from 'zod';
import { ORDER_STATUSES } from '../../db/entities/order.ts';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { flatten, holdingsToFlatten } from '../../engine/orders/entry/flatten.ts';
import { decimalNumber, exactNumber, line } from '../schemas.ts';
import { sessionProcedure } from '../trpc.ts';

/** More than an account holds that a person looks through. */
const POSITIONS_MAX = 200;

/** What is held and would be sold, of one venue or of all: a person looks it through before they sell it. */
export const toFlatten = sessionProcedure()
  .input(z.strictObject({ venue: z.enum(VENUE_IDS).optional() }))
  .output(
    z.array(
      z.object({
        tokenId: z.string(),
        title: z.string(),
        venue: z.enum(VENUE_IDS),
        amount: decimalNumber,
        free: decimalNumber,
        worth: decimalNumber,
        stuck: z.string().nullable(),
      }),
    ),
  )
  .query(({ ctx, input: { venue = null } }) => holdingsToFlatten(ctx.work, venue));

/** Sells what was looked through, and says of each position what became of it. */
export const flattenPositions = sessionProcedure({ bucket: 'brake' })
  .input(
    z.strictObject({
      positions: z
        .array(z.strictObject({ tokenId: line(1, 200), amount: exactNumber({ above: 0 }) }))
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
    const reviewed = input.positions.map(({ tokenId, amount }) => ({ tokenId, amount: String(amount) }));
    const results = await flatten(ctx.work, reviewed, ctx.trading);
    ctx.nudgeOrders();
    return results;
  });
