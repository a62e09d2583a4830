import { z } from 'zod';
import { requestCancelEverywhere } from '../../engine/trading/connections/change.ts';
import { route } from '../route.ts';

export const cancelEverywhere = route({
  method: 'POST',
  path: '/api/venue-connections/cancel-all',
  access: { kind: 'session', bucket: 'brake' },
  tag: 'Venue connections',
  summary: 'Cancel every order at every venue',
  description:
    'Web session only. Cancels at every connected venue account, as the request for one connection does, in one transaction. To prevent new orders, halt the connections first.',
  idempotent: { isUrgent: true },
  example: { response: { asked: 2 } },
  input: z.strictObject({}),
  output: z.object({ asked: z.number().int().meta({ description: 'How many connections were asked.' }) }),
  resolve: async ({ ctx }) => {
    const count = await requestCancelEverywhere(ctx.work);
    ctx.wakeOrders();
    return { asked: count };
  },
});
