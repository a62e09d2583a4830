import { approveOrder } from '../../engine/orders/entry/approve.ts';
import { cancelOrder } from '../../engine/orders/lifecycle/cancel.ts';
import { declineOrder } from '../../engine/orders/lifecycle/decline.ts';
import { reviewedVersion } from '../etag.ts';
import { APPROVED_EXAMPLE } from '../examples.ts';
import { once } from '../idempotency.ts';
import { route } from '../route.ts';
import { okAndId } from '../schemas.ts';
import { procedure } from '../trpc.ts';
import { OrderId } from './schemas.ts';

export const approve = procedure({ scope: 'orders:write' })
  .meta(
    route({
      method: 'POST',
      path: '/api/orders/{id}/approve',
      tag: 'Orders',
      summary: 'Approve an order intent',
      description:
        'Use only after you reviewed order and risk rules. Rules and price band are checked again; if a check fails nothing changes and the answer says why. Send the order’s `ETag` as `If-Match` to approve exactly what you saw.',
      example: { response: APPROVED_EXAMPLE },
    }),
  )
  .input(OrderId)
  .output(okAndId)
  .mutation(
    once(async ({ ctx, input }) => {
      const approved = await approveOrder(ctx.work, input.id, reviewedVersion(ctx));
      ctx.nudgeOrders();
      return approved;
    }),
  );

export const reject = procedure({ scope: 'orders:write', bucket: 'brake' })
  .meta(
    route({
      method: 'POST',
      path: '/api/orders/{id}/reject',
      tag: 'Orders',
      summary: 'Decline an order intent',
      description: 'A pending intent is declined for good and never sent.',
      example: { response: APPROVED_EXAMPLE },
    }),
  )
  .input(OrderId)
  .output(okAndId)
  .mutation(once(({ ctx, input }) => declineOrder(ctx.work, input.id)));

export const cancel = procedure({ scope: 'orders:write', bucket: 'brake' })
  .meta(
    route({
      method: 'POST',
      path: '/api/orders/{id}/cancel',
      tag: 'Orders',
      summary: 'Cancel an order',
      description:
        'An order not sent yet is canceled at once; for one at the venue a cancel is asked for, and a fill may still be faster.',
      example: { response: APPROVED_EXAMPLE },
    }),
  )
  .input(OrderId)
  .output(okAndId)
  .mutation(
    once(async ({ ctx, input }) => {
      const canceled = await cancelOrder(ctx.work, input.id);
      ctx.nudgeOrders();
      return canceled;
    }),
  );
