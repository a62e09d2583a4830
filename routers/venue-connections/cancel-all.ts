import { requestCancelAll } from '../../engine/trading/connections/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { CONNECTION_EXAMPLE, ConnectionId, ConnectionView, viewConnection } from './schemas.ts';

export const cancelAll = route({
  method: 'POST',
  path: '/api/venue-connections/{id}/cancel-all',
  access: { kind: 'session', bucket: 'brake' },
  tag: 'Venue connections',
  summary: 'Cancel every order of the venue account',
  description:
    'Web session only. Asks the venue to cancel every open order of the account there, also orders that this service did not place, until its list is empty. To prevent new orders, halt the connection first.',
  idempotent: { isUrgent: true },
  example: { path: { id: EXAMPLE.connectionId }, response: CONNECTION_EXAMPLE },
  input: ConnectionId,
  output: ConnectionView,
  resolve: async ({ ctx, input }) => {
    const row = await requestCancelAll(ctx.work, input.id);
    ctx.wakeOrders();
    return viewConnection(row);
  },
});
