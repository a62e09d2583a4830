import { z } from 'zod';
import { startSampleBlueprint } from '../../../engine/usecases/blueprints/running/start-sample-blueprint.ts';
import { limitVenueLookUps } from '../../limit-venue-look-ups.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Starts a small strategy on paper in an account that has none yet. */
export const sample = sessionProcedure()
  .input(z.strictObject({}))
  .output(z.object({ id: z.uuid() }))
  .mutation(async ({ ctx }) => {
    const { id } = await startSampleBlueprint(ctx.work, {
      market: ctx.market,
      admit: limitVenueLookUps(ctx),
      shardCount: ctx.shardCount,
    });
    ctx.wakeOrders();
    return { id };
  });
