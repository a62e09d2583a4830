import { z } from 'zod';
import { deployBlueprint } from '../../../engine/usecases/blueprints/running/deploy.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from '../../blueprints/schemas.ts';
import { limitVenueLookUps } from '../../limit-venue-look-ups.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Deploys the version that a person vouches for, before it has run on paper for 24 hours. */
export const deployUntried = sessionProcedure()
  .input(BlueprintId.extend({ version: z.int().min(0) }))
  .output(BlueprintView)
  .mutation(async ({ ctx, input: { id, version } }) => {
    const row = await deployBlueprint(ctx.work, id, {
      market: ctx.market,
      admit: limitVenueLookUps(ctx),
      shardCount: ctx.shardCount,
      reviewedVersion: version,
      isVouchedFor: true,
    });
    ctx.wakeOrders();
    return viewBlueprint(row);
  });
