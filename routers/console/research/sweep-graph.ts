import { readSweep } from '../../../engine/research/sweeps/row.ts';
import { anyJson } from '../../schemas.ts';
import { SweepId } from '../../sweeps/schemas.ts';
import { procedure } from '../../trpc.ts';

/** The graph in which a sweep tries values, for the names of its dimensions. */
export const sweepDrawing = procedure({ scope: 'blueprints:read' })
  .input(SweepId)
  .output(anyJson)
  .query(async ({ ctx, input: { id } }) => (await readSweep(ctx.work, id)).visual);
