import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
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
    'An unsent order is canceled at once. For an order at the venue a cancel is requested, and a fill may still come first.',
  idempotent: true,
  example: { path: { id: EXAMPLE.orderId }, response: APPROVED_EXAMPLE },
  input: OrderId,
  output: okAndId,
  resolve: async ({ ctx, input }) => {
    const canceled = await cancelOrder(ctx.work, input.id);
    ctx.wakeOrders();
    return canceled;
  },
});
