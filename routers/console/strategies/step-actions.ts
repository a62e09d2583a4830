import { z } from 'zod';
import { ORDER_ORIGINS, ORDER_STATUSES } from '../../../db/entities/order.ts';
import { SIDES } from '../../../db/vocabulary.ts';
import { toIso } from '../../../engine/platform/clock/timestamp-text.ts';
import { readStepOrders } from '../../../engine/trading/orders/read/step-orders.ts';
import { readBlueprint } from '../../../engine/usecases/blueprints/drafts/row.ts';
import { readNodeLabels } from '../../../engine/usecases/blueprints/releases/node-labels.ts';
import { BlueprintId } from '../../blueprints/schemas.ts';
import { decimalNumber, listOf, singleLineText, timestamp, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';
import { TABLE_LIMIT_DEFAULT, TABLE_PAGE } from './table-page.ts';

const Row = z.object({
  /** The id of the order. */
  id: z.uuid(),
  nodeId: z.string(),
  /** Its label in its release; null without one. */
  nodeLabel: z.string().nullable(),
  at: timestamp,
  origin: z.enum(ORDER_ORIGINS),
  side: z.enum(SIDES),
  amount: decimalNumber,
  tokenId: z.string(),
  title: z.string(),
  status: z.enum(ORDER_STATUSES),
  reason: z.string().nullable(),
});

/** The actions of a blueprint's steps, with their times and outcomes, in pages. */
export const firings = procedure({ scope: 'orders:read' })
  .input(
    BlueprintId.extend({
      ...TABLE_PAGE,
      nodeId: singleLineText(1, 200).optional(),
      after: uuid.optional(),
    }),
  )
  .output(listOf(Row))
  .query(async ({ ctx, input: { id, limit = TABLE_LIMIT_DEFAULT, ...filter } }) => {
    await readBlueprint(ctx.work, id);
    const rows = await readStepOrders(ctx.work, id, { ...filter, limit });
    const nodes = rows.map(({ node_id, release_number }) => ({
      blueprintId: id,
      releaseNumber: release_number,
      nodeId: node_id,
    }));
    const labelOf = await readNodeLabels(ctx.work, nodes);
    return rows.map(({ node_id, release_number, created_at, token_id, ...row }) => ({
      ...row,
      nodeId: node_id,
      nodeLabel: labelOf({ blueprintId: id, releaseNumber: release_number, nodeId: node_id }),
      at: toIso(created_at),
      tokenId: token_id,
    }));
  });
