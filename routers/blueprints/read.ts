import { recordWatched } from '../../engine/usecases/blueprints/drafts/record-watched.ts';
import { readBlueprint } from '../../engine/usecases/blueprints/drafts/row.ts';
import { EXAMPLE, RUNNING_BLUEPRINT_EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from './schemas.ts';

export const read = route({
  method: 'GET',
  path: '/api/blueprints/{id}',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Blueprints',
  summary: 'Read a blueprint',
  description:
    'One blueprint with its node states. Its `ETag` can be sent as `If-Match` when editing or deploying.',
  etag: true,
  example: { path: { id: EXAMPLE.blueprintId }, response: RUNNING_BLUEPRINT_EXAMPLE },
  input: BlueprintId,
  output: BlueprintView,
  resolve: async ({ ctx, reply, input }) => {
    const row = await readBlueprint(ctx.work, input.id);
    if (row.status === 'running') {
      await ctx.confirm?.();
      await recordWatched(ctx.work, row.deployment_id);
    }
    reply.version(row.version);
    return viewBlueprint(row);
  },
});
