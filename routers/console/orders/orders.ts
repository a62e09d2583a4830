import { z } from 'zod';
import { ORDER_STATUSES, ORDER_TYPES } from '../../../db/entities/order.ts';
import { SIDES, VENUE_IDS } from '../../../db/vocabulary.ts';
import { toIso, toIsoOrNull } from '../../../engine/platform/clock/timestamp-text.ts';
import { isLive } from '../../../engine/platform/order-states.ts';
import { OVERVIEW_SORTS, orderOverview } from '../../../engine/trading/orders/read/overview.ts';
import { readNodeLabels } from '../../../engine/usecases/blueprints/releases/node-labels.ts';
import {
  decimalNumber,
  listOf,
  moment,
  queryInteger,
  singleLineText,
  timestamp,
  uuid,
} from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

const Row = z.object({
  id: z.uuid(),
  blueprintId: z.uuid(),
  blueprintName: z.string(),
  /** The node that raised it; null for a person or key. */
  nodeId: z.string().nullable(),
  /** Its label in its release; null without one. */
  nodeLabel: z.string().nullable(),
  tokenId: z.string(),
  title: z.string(),
  venue: z.enum(VENUE_IDS),
  side: z.enum(SIDES),
  type: z.enum(ORDER_TYPES),
  amount: decimalNumber,
  limitPrice: decimalNumber,
  size: decimalNumber,
  filledAmount: decimalNumber,
  averagePrice: z.number().nullable(),
  status: z.enum(ORDER_STATUSES),
  reason: z.string().nullable(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  /** Whether it can still trade, or waits for approval. */
  isOpen: z.boolean(),
});

/** Orders with displayable names: one call for a table, where REST has a list and a detail. */
export const orders = procedure({ scope: 'orders:read' })
  .input(
    z.strictObject({
      limit: queryInteger(1, LIMIT_MAX).optional(),
      status: z.enum(ORDER_STATUSES).optional(),
      side: z.enum(SIDES).optional(),
      blueprintId: uuid.optional(),
      find: singleLineText(1, 100).optional(),
      from: moment.optional(),
      to: moment.optional(),
      sort: z.enum(OVERVIEW_SORTS).optional(),
      after: uuid.optional(),
    }),
  )
  .output(listOf(Row))
  .query(async ({ ctx, input: { limit = LIMIT_DEFAULT, ...filter } }) => {
    const rows = await orderOverview(ctx.work, { ...filter, limit });
    const labelOf = await readNodeLabels(ctx.work, rows);
    return rows.map(({ filledNotional, ...row }) => ({
      ...row,
      nodeLabel: labelOf(row),
      averagePrice: Number(row.filledAmount) === 0 ? null : Number(filledNotional) / Number(row.filledAmount),
      createdAt: toIso(row.createdAt),
      expiresAt: toIsoOrNull(row.expiresAt),
      isOpen: isLive(row.status),
    }));
  });
