import { readBlueprint } from '../../engine/blueprints/row.ts';
import { noteWatched } from '../../engine/blueprints/watch.ts';
import { replyEtag } from '../etag.ts';
import { RUNNING_BLUEPRINT_EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { procedure } from '../trpc.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from './schemas.ts';

export const read = procedure({ scope: 'blueprints:read' })
  .meta(
    route({
      method: 'GET',
      path: '/api/blueprints/{id}',
      tag: 'Blueprints',
      summary: 'Read a blueprint',
      description:
        'One blueprint with its node states. Its `ETag` can be sent as `If-Match` when editing or deploying.',
      example: { response: RUNNING_BLUEPRINT_EXAMPLE },
    }),
  )
  .input(BlueprintId)
  .output(BlueprintView)
  .query(async ({ ctx, input }) => {
    const row = await readBlueprint(ctx.work, input.id);
    if (row.status === 'running') await noteWatched(ctx.work, row.deployment_id);
    replyEtag(ctx, row.version);
    return viewBlueprint(row);
  });
