import { z } from 'zod';
import { haltConnection } from '../../engine/trading/connections/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { CONNECTION_EXAMPLE, ConnectionId, ConnectionView, viewConnection } from './schemas.ts';

export const halt = route({
  method: 'POST',
  path: '/api/venue-connections/{id}/halt',
  access: { kind: 'session', bucket: 'brake' },
  tag: 'Venue connections',
  summary: 'Halt a connection',
  description:
    'Web session only. From this answer on only cancels leave through it, or, with `to` set to `reduce_only`, cancels and exits, until a person resumes it. Open orders stay.',
  idempotent: { isUrgent: true },
  example: {
    path: { id: EXAMPLE.connectionId },
    request: { to: 'halted' },
    response: {
      ...CONNECTION_EXAMPLE,
      state: 'halted',
      stateCode: 'by_person',
      stateReason: 'Halted by a person.',
    },
  },
  input: ConnectionId.extend({
    to: z.enum(['halted', 'reduce_only']).optional().meta({ description: '`halted` by default.' }),
  }),
  output: ConnectionView,
  resolve: async ({ ctx, input: { id, to = 'halted' } }) =>
    viewConnection(await haltConnection(ctx.work, id, to)),
});
