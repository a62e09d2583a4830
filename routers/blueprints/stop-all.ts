import { z } from 'zod';
import { stopAllBlueprints } from '../../engine/blueprints/stop.ts';
import { once } from '../idempotency.ts';
import { route } from '../route.ts';
import { procedure } from '../trpc.ts';

export const stopAll = procedure({ scope: 'blueprints:deploy', bucket: 'brake' })
  .meta(
    route({
      method: 'POST',
      path: '/api/blueprints/stop',
      tag: 'Blueprints',
      summary: 'Stop everything',
      description: 'Stops every blueprint of the account that is running or in error, in one transaction.',
      example: { response: { stopped: 3 } },
    }),
  )
  .input(z.strictObject({}))
  .output(z.object({ stopped: z.number().int().meta({ description: 'How many were stopped.' }) }))
  .mutation(
    once(
      async ({ ctx }) => {
        const stopped = await stopAllBlueprints(ctx.work);
        ctx.nudgeOrders();
        return { stopped };
      },
      { isBrake: true },
    ),
  );
