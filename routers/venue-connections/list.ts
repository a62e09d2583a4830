import { z } from 'zod';
import { listConnections } from '../../engine/trading/connections/list.ts';
import { route } from '../route.ts';
import { listOf } from '../schemas.ts';
import { CONNECTION_EXAMPLE, ConnectionView, viewConnection } from './schemas.ts';

export const list = route({
  method: 'GET',
  path: '/api/venue-connections',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'List connections',
  description: 'Web session only. The newest 100, including removed ones.',
  example: { response: [CONNECTION_EXAMPLE] },
  input: z.strictObject({}),
  output: listOf(ConnectionView),
  resolve: async ({ ctx }) => (await listConnections(ctx.work)).map(viewConnection),
});
