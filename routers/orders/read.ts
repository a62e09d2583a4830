import { readOrder } from '../../engine/orders/read/read.ts';
import { replyEtag } from '../etag.ts';
import { route } from '../route.ts';
import { procedure } from '../trpc.ts';
import { ORDER_DETAIL_EXAMPLE, OrderDetailView, viewOrderDetail } from './detail.ts';
import { OrderId } from './schemas.ts';

export const read = procedure({ scope: 'orders:read' })
  .meta(
    route({
      method: 'GET',
      path: '/api/orders/{id}',
      tag: 'Orders',
      summary: 'Read an order',
      description:
        'Everything about one order: the intent and the inputs that led to it, the risk receipt, fills and timeline. Its `ETag` can be sent as `If-Match` when approving.',
      example: { response: ORDER_DETAIL_EXAMPLE },
    }),
  )
  .input(OrderId)
  .output(OrderDetailView)
  .query(async ({ ctx, input }) => {
    const order = await readOrder(ctx.work, input.id);
    replyEtag(ctx, order.version);
    return viewOrderDetail(order);
  });
