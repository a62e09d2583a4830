import { z } from 'zod';
import { startSample } from '../../../engine/usecases/blueprints/running/sample.ts';
import { admitLookUp } from '../../blueprints/look-up.ts';
import { sessionProcedure } from '../../trpc.ts';

/** Starts a small strategy on paper in an account that has none yet. */
export const sample = sessionProcedure()
  .input(z.strictObject({}))
  .output(z.object({ id: z.uuid() }))
  .mutation(async ({ ctx }) => {
    const { id } = await startSample(ctx.work, {
      market: ctx.market,
      admit: admitLookUp(ctx),
      shardCount: ctx.shardCount,
    });
    ctx.wakeOrders();
    return { id };
  });
