import { cancelOrder } from '../../engine/trading/orders/lifecycle/cancel.ts';
import { APPROVED_EXAMPLE, EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { okAndId } from '../schemas.ts';
import { OrderId } from './schemas.ts';

export const cancel = route({
  method: 'POST',
  path: '/api/orders/{id}/cancel',
  access: { kind: 'scope', scope: 'orders:write', bucket: 'brake' },
  tag: 'Orders',
  summary: 'Cancel an order',
  description:
    'An order not sent yet is canceled at once; for one at the venue a cancel is asked for, and a fill may still be faster.',
  idempotent: true,
  example: { path: { id: EXAMPLE.orderId }, response: APPROVED_EXAMPLE },
  input: OrderId,
  output: okAndId,
  resolve: async ({ ctx, input }) => {
    const canceled = await cancelOrder(ctx.work, input.id);
    ctx.nudgeOrders();
    return canceled;
  },
});
