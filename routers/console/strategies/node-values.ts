import { z } from 'zod';
import { readNodeValuesAndMarkWatched } from '../../../engine/usecases/blueprints/drafts/record-watched.ts';
import { anyJson, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const BLUEPRINTS_MAX = 10;

/** The node values of several blueprints, for lists that name their conditions. Reading them keeps them written. */
export const nodeValues = procedure({ scope: 'blueprints:read' })
  .input(z.strictObject({ ids: z.array(uuid).max(BLUEPRINTS_MAX) }))
  .output(z.array(z.object({ id: z.uuid(), nodeStates: anyJson })))
  .query(async ({ ctx, input: { ids } }) => {
    await ctx.confirm?.();
    const rows = await readNodeValuesAndMarkWatched(ctx.work, ids);
    return rows.map(({ id, node_states }) => ({ id, nodeStates: node_states }));
  });
