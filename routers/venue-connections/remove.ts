import { z } from 'zod';
import { removeConnection } from '../../engine/trading/connections/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { ConnectionId } from './schemas.ts';

export const remove = route({
  method: 'DELETE',
  path: '/api/venue-connections/{id}',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'Remove a connection',
  description:
    'Web session only. Its credentials are deleted; it stays as `revoked` for its orders. Refused while one of them may still trade.',
  example: { path: { id: EXAMPLE.connectionId }, response: { removed: true } },
  input: ConnectionId,
  output: z.object({ removed: z.boolean() }),
  resolve: async ({ ctx, input }) => {
    await removeConnection(ctx.work, input.id);
    return { removed: true };
  },
});
