import { updateConnection } from '../../engine/trading/connections/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import {
  CONNECTION_EXAMPLE,
  ConnectionId,
  ConnectionView,
  Label,
  limitFields,
  limitsOf,
  viewConnection,
} from './schemas.ts';

export const update = route({
  method: 'PATCH',
  path: '/api/venue-connections/{id}',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'Rename a connection or set its limits',
  description: 'Web session only. An absent field keeps its value; null removes a limit.',
  example: {
    path: { id: EXAMPLE.connectionId },
    request: { maxOrder: 25, maxDay: 200 },
    response: CONNECTION_EXAMPLE,
  },
  input: ConnectionId.extend({ label: Label.optional(), ...limitFields }),
  output: ConnectionView,
  resolve: async ({ ctx, input: { id, label, ...sent } }) =>
    viewConnection(await updateConnection(ctx.work, id, { label, ...limitsOf(sent) })),
});
