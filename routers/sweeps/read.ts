import { readSweep } from '../../engine/research/sweeps/row.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { SWEEP_EXAMPLE } from './examples.ts';
import { SweepId, SweepView, viewSweep } from './schemas.ts';

export const read = route({
  method: 'GET',
  path: '/api/sweeps/{id}',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Sweeps',
  summary: 'Read a sweep',
  description:
    'The request, the progress and the outcome. The best trial always comes with the part that luck explains.',
  example: { path: { id: EXAMPLE.sweepId }, response: SWEEP_EXAMPLE },
  input: SweepId,
  output: SweepView,
  resolve: async ({ ctx, input: { id } }) => viewSweep(await readSweep(ctx.work, id)),
});
