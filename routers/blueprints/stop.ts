import { stopBlueprint } from '../../engine/blueprints/stop.ts';
import { replyEtag } from '../etag.ts';
import { RUNNING_BLUEPRINT_EXAMPLE } from '../examples.ts';
import { once } from '../idempotency.ts';
import { route } from '../route.ts';
import { procedure } from '../trpc.ts';
import { keptBlueprint } from './kept-answer.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from './schemas.ts';

export const stop = procedure({ scope: 'blueprints:deploy', bucket: 'brake' })
  .meta(
    route({
      method: 'POST',
      path: '/api/blueprints/{id}/stop',
      tag: 'Blueprints',
      summary: 'Stop a blueprint',
      description:
        'After this answer nothing of the deployment is created or sent. Orders already at the venue get a cancel and may still fill until the venue confirms. Positions stay.',
      example: { response: { ...RUNNING_BLUEPRINT_EXAMPLE, status: 'stopped' } },
    }),
  )
  .input(BlueprintId)
  .output(BlueprintView)
  .mutation(
    once(
      async ({ ctx, input }) => {
        const row = await stopBlueprint(ctx.work, input.id);
        ctx.nudgeOrders();
        replyEtag(ctx, row.version);
        return viewBlueprint(row);
      },
      { isBrake: true, keeping: keptBlueprint },
    ),
  );
