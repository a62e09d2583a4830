import { z } from 'zod';
import { FILL_KINDS } from '../../../db/entities/order.ts';
import { SIDES, VENUE_IDS } from '../../../db/vocabulary.ts';
import { readFills } from '../../../engine/books/accounting/read-fills.ts';
import { toIso } from '../../../engine/platform/clock/timestamp-text.ts';
import { readBlueprint } from '../../../engine/usecases/blueprints/drafts/row.ts';
import { BlueprintId } from '../../blueprints/schemas.ts';
import { decimalNumber, listOf, timestamp, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';
import { TABLE_LIMIT_DEFAULT, TABLE_PAGE } from './table-page.ts';

const Row = z.object({
  id: z.uuid(),
  orderId: z.uuid().nullable(),
  at: timestamp,
  kind: z.enum(FILL_KINDS),
  tokenId: z.string(),
  venue: z.enum(VENUE_IDS),
  title: z.string(),
  side: z.enum(SIDES),
  amount: decimalNumber,
  price: decimalNumber,
  fee: decimalNumber,
});

/** The bookings of a blueprint, fill by fill, in pages. */
export const fills = procedure({ scope: 'orders:read' })
  .input(
    BlueprintId.extend({
      ...TABLE_PAGE,
      side: z.enum(SIDES).optional(),
      after: uuid.optional(),
    }),
  )
  .output(listOf(Row))
  .query(async ({ ctx, input: { id, limit = TABLE_LIMIT_DEFAULT, ...filter } }) => {
    await readBlueprint(ctx.work, id);
    const rows = await readFills(ctx.work, id, { ...filter, limit });
    return rows.map(({ order_id, token_id, applied_at, ...row }) => ({
      ...row,
      orderId: order_id,
      tokenId: token_id,
      at: toIso(applied_at),
    }));
  });
