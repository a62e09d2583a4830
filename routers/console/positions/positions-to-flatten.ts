import { z } from 'zod';
import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { holdingsToFlatten } from '../../../engine/trading/orders/entry/flatten.ts';
import { decimalNumber } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

/** The holdings that a flatten would sell, at one venue or at all. A person checks them before they sell. */
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
