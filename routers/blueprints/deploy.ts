import { deployBlueprint } from '../../engine/blueprints/deploy.ts';
import { replyEtag, reviewedVersion } from '../etag.ts';
import { RUNNING_BLUEPRINT_EXAMPLE } from '../examples.ts';
import { once } from '../idempotency.ts';
import { route } from '../route.ts';
import { procedure } from '../trpc.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from './schemas.ts';

export const deploy = procedure({ scope: 'blueprints:deploy' })
  .meta(
    route({
      method: 'POST',
      path: '/api/blueprints/{id}/deploy',
      tag: 'Blueprints',
      summary: 'Deploy a blueprint',
      description:
        'Freezes the drawing as a numbered release and runs it. Deploying a running blueprint changes nothing. Send the `ETag` you reviewed as `If-Match` to deploy exactly that. A drawing that cannot run answers 400 with one issue per problem.',
      example: { response: RUNNING_BLUEPRINT_EXAMPLE },
    }),
  )
  .input(BlueprintId)
  .output(BlueprintView)
  .mutation(
    once(async ({ ctx, input }) => {
      const row = await deployBlueprint(ctx.work, input.id, {
        market: ctx.market,
        shardCount: ctx.shardCount,
        reviewedVersion: reviewedVersion(ctx),
      });
      ctx.nudgeOrders();
      replyEtag(ctx, row.version);
      return viewBlueprint(row);
    }),
  );
