import { listDifferences } from '../../engine/trading/reconciliation/list.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf } from '../schemas.ts';
import { DIFFERENCE_EXAMPLE, DifferenceView, viewDifference } from './difference-schemas.ts';
import { ConnectionId } from './schemas.ts';

export const differences = route({
  method: 'GET',
  path: '/api/venue-connections/{id}/differences',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'List differences between a venue account and its books',
  description: 'Web session only. At most 200: open ones first, then resolved ones, newest first.',
  example: { path: { id: EXAMPLE.connectionId }, response: [DIFFERENCE_EXAMPLE] },
  input: ConnectionId,
  output: listOf(DifferenceView),
  resolve: async ({ ctx, input }) => (await listDifferences(ctx.work, input.id)).map(viewDifference),
});
