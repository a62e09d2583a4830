import { z } from 'zod';
import { ORDER_ORIGINS, ORDER_STATUSES } from '../../db/entities/order.ts';
import { SIDES } from '../../db/vocabulary.ts';
import { readBlueprint } from '../../engine/blueprints/row.ts';
import { readFirings } from '../../engine/orders/read/firings.ts';
import { toIso } from '../../engine/time.ts';
import { BlueprintId } from '../blueprints/schemas.ts';
import { decimalNumber, line, listOf, moment, queryInteger, timestamp, uuid } from '../schemas.ts';
import { procedure } from '../trpc.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

const Row = z.object({
  /** Of the order. */
  id: z.uuid(),
  nodeId: z.string(),
  at: timestamp,
  origin: z.enum(ORDER_ORIGINS),
  side: z.enum(SIDES),
  amount: decimalNumber,
  tokenId: z.string(),
  title: z.string(),
  status: z.enum(ORDER_STATUSES),
  reason: z.string().nullable(),
});

/** Which step of a blueprint acted when, and what became of it, in pages. */
export const firings = procedure({ scope: 'orders:read' })
  .input(
    BlueprintId.extend({
      limit: queryInteger(1, LIMIT_MAX).optional(),
      nodeId: line(1, 200).optional(),
      find: line(1, 100).optional(),
      from: moment.optional(),
      to: moment.optional(),
      isAscending: z.boolean().optional(),
      after: uuid.optional(),
    }),
  )
  .output(listOf(Row))
  .query(async ({ ctx, input: { id, limit = LIMIT_DEFAULT, ...filter } }) => {
    await readBlueprint(ctx.work, id);
    const rows = await readFirings(ctx.work, id, { ...filter, limit });
    return rows.map(({ node_id, created_at, token_id, ...row }) => ({
      ...row,
      nodeId: node_id,
      at: toIso(created_at),
      tokenId: token_id,
    }));
  });
