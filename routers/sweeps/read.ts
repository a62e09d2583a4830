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
    'What was asked, how far it is, and what it found. The best trial never comes without what luck explains of it.',
  example: { path: { id: EXAMPLE.sweepId }, response: SWEEP_EXAMPLE },
  input: SweepId,
  output: SweepView,
  resolve: async ({ ctx, input: { id } }) => viewSweep(await readSweep(ctx.work, id)),
});
