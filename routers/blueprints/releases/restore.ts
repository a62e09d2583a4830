import { restoreRelease } from '../../../engine/usecases/blueprints/releases/releases.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../../examples.ts';
import { route } from '../../route.ts';
import { blueprintAnswerStorage } from '../blueprint-answer-storage.ts';
import { BlueprintView, viewBlueprint } from '../schemas.ts';
import { ReleaseId } from './release-schemas.ts';

export const restore = route({
  method: 'POST',
  path: '/api/blueprints/{id}/releases/{n}/restore',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Blueprints',
  summary: 'Restore a release',
  description: 'Copies the release’s graph into the draft. A running blueprint must be stopped first.',
  etag: true,
  idempotent: { keeping: blueprintAnswerStorage },
  example: { path: { id: EXAMPLE.blueprintId, n: 1 }, response: BLUEPRINT_EXAMPLE },
  input: ReleaseId,
  output: BlueprintView,
  resolve: async ({ ctx, reply, input }) => {
    const row = await restoreRelease(ctx.work, input.id, input.n);
    reply.version(row.version);
    return viewBlueprint(row);
  },
});
