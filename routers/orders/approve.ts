import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { APPROVED_EXAMPLE, EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { refuseWithoutRunner } from '../runner.ts';
import { okAndId } from '../schemas.ts';
import { requireLiveScope } from '../trpc.ts';
import { OrderId } from './schemas.ts';

export const approve = route({
  method: 'POST',
  path: '/api/orders/{id}/approve',
  access: { kind: 'scope', scope: 'orders:write' },
  tag: 'Orders',
  summary: 'Approve an order intent',
  description:
    'Review the order and the risk rules first. Rules and price band are checked again; if a check fails nothing changes and the answer has the reason. Send the order’s `ETag` as `If-Match` to approve exactly what you saw.',
  ifMatch: true,
  idempotent: true,
  example: { path: { id: EXAMPLE.orderId }, response: APPROVED_EXAMPLE },
  input: OrderId,
  output: okAndId,
  resolve: async ({ ctx, reviewedVersion, input }) => {
    refuseWithoutRunner(ctx);
    if (ctx.principal.mode === 'live') requireLiveScope(ctx.principal, 'approve:live');
    const approved = await approveOrder(ctx.work, input.id, reviewedVersion, ctx.trading);
    ctx.wakeOrders();
    return approved;
  },
});
