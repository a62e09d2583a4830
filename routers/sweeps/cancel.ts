import { cancelSweep } from '../../engine/research/sweeps/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { okAndId } from '../schemas.ts';
import { SweepId } from './schemas.ts';

export const cancel = route({
  method: 'POST',
  path: '/api/sweeps/{id}/cancel',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Sweeps',
  summary: 'Cancel a sweep',
  description: 'It ends within a second; trials made until then stay, and count. Refused once it has ended.',
  idempotent: true,
  example: { path: { id: EXAMPLE.sweepId }, response: { ok: true, id: EXAMPLE.sweepId } },
  input: SweepId,
  output: okAndId,
  resolve: async ({ ctx, input: { id } }) => {
    await cancelSweep(ctx.work, id);
    ctx.wakeBacktests();
    return { ok: true, id };
  },
});
