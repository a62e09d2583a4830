import { z } from 'zod';
import { deleteSweep } from '../../engine/research/sweeps/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { SweepId } from './schemas.ts';

export const remove = route({
  method: 'DELETE',
  path: '/api/sweeps/{id}',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Sweeps',
  summary: 'Delete a sweep',
  description:
    'Also deletes its trials. Their number still counts in later sweeps of the blueprint. Refused while it is queued or running.',
  example: { path: { id: EXAMPLE.sweepId }, response: { deleted: true } },
  input: SweepId,
  output: z.object({ deleted: z.boolean() }),
  resolve: async ({ ctx, input }) => {
    await deleteSweep(ctx.work, input.id);
    return { deleted: true };
  },
});
