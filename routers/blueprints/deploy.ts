import { compileDraft, type DeployOptions, deployCompiled } from '../../engine/blueprints/deploy.ts';
import { replyEtag, reviewedVersion } from '../etag.ts';
import { RUNNING_BLUEPRINT_EXAMPLE } from '../examples.ts';
import { onceAfter } from '../idempotency.ts';
import { route } from '../route.ts';
import { procedure } from '../trpc.ts';
import { keptBlueprint } from './kept-answer.ts';
import { admitLookUp, type Caller } from './look-up.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from './schemas.ts';

const optionsOf = (ctx: Caller): DeployOptions => ({
  market: ctx.market,
  admit: admitLookUp(ctx),
  shardCount: ctx.shardCount,
  reviewedVersion: reviewedVersion(ctx),
});

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
    onceAfter(
      ({ ctx, input }) => compileDraft(ctx.work, input.id, optionsOf(ctx)),
      async ({ ctx }, compiled) => {
        const row = await deployCompiled(ctx.work, compiled, optionsOf(ctx));
        ctx.nudgeOrders();
        replyEtag(ctx, row.version);
        return viewBlueprint(row);
      },
      { keeping: keptBlueprint },
    ),
  );
