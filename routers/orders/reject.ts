import { declineOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { APPROVED_EXAMPLE, EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { okAndId } from '../schemas.ts';
import { OrderId } from './schemas.ts';

export const reject = route({
  method: 'POST',
  path: '/api/orders/{id}/reject',
  access: { kind: 'scope', scope: 'orders:write', bucket: 'brake' },
  tag: 'Orders',
  summary: 'Decline an order intent',
  description: 'A pending intent is declined permanently and never sent.',
  idempotent: true,
  example: { path: { id: EXAMPLE.orderId }, response: APPROVED_EXAMPLE },
  input: OrderId,
  output: okAndId,
  resolve: ({ ctx, input }) => declineOrder(ctx.work, input.id),
});
