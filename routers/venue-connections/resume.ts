import { resumeConnection } from '../../engine/trading/connections/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { CONNECTION_EXAMPLE, ConnectionId, ConnectionView, viewConnection } from './schemas.ts';

export const resume = route({
  method: 'POST',
  path: '/api/venue-connections/{id}/resume',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'Resume a connection',
  description:
    'Web session only. Lifts a halt: the checks run again, and the connection is ready once they pass.',
  idempotent: true,
  example: {
    path: { id: EXAMPLE.connectionId },
    response: {
      ...CONNECTION_EXAMPLE,
      state: 'unverified',
      stateCode: 'not_checked',
      stateReason: 'Its checks are made again.',
      checkRequestedAt: EXAMPLE.updatedAt,
    },
  },
  input: ConnectionId,
  output: ConnectionView,
  resolve: async ({ ctx, input }) => viewConnection(await resumeConnection(ctx.work, input.id)),
});
