import { z } from 'zod';
import { ORDER_STATUSES } from '../../../db/entities/order.ts';
import { SIDES } from '../../../db/vocabulary.ts';
import { toIso, toIsoOrNull } from '../../../engine/platform/clock/timestamp-text.ts';
import { isLive } from '../../../engine/platform/order-states.ts';
import { ORDER_SCHEMAS } from '../../../engine/trading/orders/read/order-columns.ts';
import { OVERVIEW_SORTS, orderOverview } from '../../../engine/trading/orders/read/overview.ts';
import { readNodeLabels } from '../../../engine/usecases/blueprints/releases/node-labels.ts';
import { listOf, moment, queryInteger, singleLineText, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

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
  .output(listOf(z.object(ORDER_SCHEMAS)))
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
