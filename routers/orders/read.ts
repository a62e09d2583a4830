import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { ORDER_DETAIL_EXAMPLE, OrderDetailView } from './detail.ts';
import { OrderId } from './schemas.ts';

export const read = route({
  method: 'GET',
  path: '/api/orders/{id}',
  access: { kind: 'scope', scope: 'orders:read' },
  tag: 'Orders',
  summary: 'Read an order',
  description:
    'Everything about one order: the intent and the inputs that led to it, the risk receipt, fills and timeline. Its `ETag` can be sent as `If-Match` when approving.',
  etag: true,
  example: { path: { id: EXAMPLE.orderId }, response: ORDER_DETAIL_EXAMPLE },
  input: OrderId,
  output: OrderDetailView,
  resolve: async ({ ctx, reply, input }) => {
    const order = await readOrder(ctx.work, input.id, ctx.archive);
    reply.version(order.version);
    return order;
  },
});
