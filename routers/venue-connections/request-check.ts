import { requestCheck } from '../../engine/trading/connections/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { CONNECTION_EXAMPLE, ConnectionId, ConnectionView, viewConnection } from './schemas.ts';

export const check = route({
  method: 'POST',
  path: '/api/venue-connections/{id}/check',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'Check a connection again',
  description:
    'Web session only. The checks run soon, not in this request: `checkRequestedAt` is null once they have.',
  idempotent: true,
  example: {
    path: { id: EXAMPLE.connectionId },
    response: { ...CONNECTION_EXAMPLE, checkRequestedAt: EXAMPLE.updatedAt },
  },
  input: ConnectionId,
  output: ConnectionView,
  resolve: async ({ ctx, input }) => viewConnection(await requestCheck(ctx.work, input.id)),
});
