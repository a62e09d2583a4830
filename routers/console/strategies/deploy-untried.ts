import { z } from 'zod';
import { deployBlueprint } from '../../../engine/usecases/blueprints/running/deploy.ts';
import { admitLookUp } from '../../blueprints/look-up.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from '../../blueprints/schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Deploys what a person vouches for: the version they looked at, before it has run on paper for a day. */
export const deployUntried = sessionProcedure()
  .input(BlueprintId.extend({ version: z.int().min(0) }))
  .output(BlueprintView)
  .mutation(async ({ ctx, input: { id, version } }) => {
    const row = await deployBlueprint(ctx.work, id, {
      market: ctx.market,
      admit: admitLookUp(ctx),
      shardCount: ctx.shardCount,
      reviewedVersion: version,
      isVouchedFor: true,
    });
    ctx.nudgeOrders();
    return viewBlueprint(row);
  });
