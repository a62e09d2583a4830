import { loadConnection } from '../../engine/trading/connections/row.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { CONNECTION_EXAMPLE, ConnectionId, ConnectionView, viewConnection } from './schemas.ts';

export const read = route({
  method: 'GET',
  path: '/api/venue-connections/{id}',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'Read a connection',
  description: 'Web session only. Its state and the reason for it, and the rows of its last check.',
  example: { path: { id: EXAMPLE.connectionId }, response: CONNECTION_EXAMPLE },
  input: ConnectionId,
  output: ConnectionView,
  resolve: async ({ ctx, input }) => viewConnection(await loadConnection(ctx.work, input.id)),
});
