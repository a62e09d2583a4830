import { z } from 'zod';
import { changeTags } from '../../../engine/usecases/blueprints/drafts/set-tags.ts';
import { ACCOUNT_LIMITS_MAX } from '../../../engine/usecases/operator/set-limits.ts';
import { Tags } from '../../blueprints/schemas.ts';
import { uuid } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Adds tags to blueprints and removes others, from all of them or, if one is refused, from none. */
export const tagBlueprints = sessionProcedure()
  .input(
    z.strictObject({
      ids: z.array(uuid).min(1).max(ACCOUNT_LIMITS_MAX.blueprints),
      add: Tags.default([]),
      remove: Tags.default([]),
    }),
  )
  .output(z.null())
  .mutation(async ({ ctx, input: { ids, add, remove } }) => {
    await changeTags(ctx.work, ids, { add, remove });
    return null;
  });
