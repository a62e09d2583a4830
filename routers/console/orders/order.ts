import { z } from 'zod';
import { canCancel } from '../../../engine/platform/order-states.ts';
import { readOrder } from '../../../engine/trading/orders/read/read.ts';
import { OrderDetailView } from '../../orders/detail.ts';
import { OrderId } from '../../orders/schemas.ts';
import { procedure } from '../../trpc.ts';

const Order = OrderDetailView.extend({
  /** Whether it can be canceled, or a cancel is pending. */
  canCancel: z.boolean(),
});

/** One order with the actions that a person may take on it. */
export const order = procedure({ scope: 'orders:read' })
  .input(OrderId)
  .output(Order)
  .query(async ({ ctx, input: { id } }) => {
    const found = await readOrder(ctx.work, id);
    return { ...found, canCancel: canCancel(found.status) };
  });
