import { z } from 'zod';
import { stopAllBlueprints } from '../../engine/usecases/blueprints/running/stop.ts';
import { route } from '../route.ts';

export const stopAll = route({
  method: 'POST',
  path: '/api/blueprints/stop',
  access: { kind: 'scope', scope: 'blueprints:deploy', bucket: 'brake' },
  tag: 'Blueprints',
  summary: 'Stop everything',
  description: 'Stops every blueprint of the account that is running or in error, in one transaction.',
  idempotent: { isUrgent: true },
  example: { response: { stopped: 3 } },
  input: z.strictObject({}),
  output: z.object({ stopped: z.number().int().meta({ description: 'How many were stopped.' }) }),
  resolve: async ({ ctx }) => {
    const stopped = await stopAllBlueprints(ctx.work);
    ctx.wakeOrders();
    return { stopped };
  },
});
