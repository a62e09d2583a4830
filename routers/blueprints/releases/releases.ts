import { listReleases } from '../../../engine/usecases/blueprints/releases/releases.ts';
import { EXAMPLE } from '../../examples.ts';
import { route } from '../../route.ts';
import { listOf } from '../../schemas.ts';
import { BlueprintId } from '../schemas.ts';
import { RELEASE_EXAMPLE, ReleaseView, viewRelease } from './release-schemas.ts';

export const releases = route({
  method: 'GET',
  path: '/api/blueprints/{id}/releases',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Blueprints',
  summary: 'List releases',
  description: 'The releases of this blueprint, newest first, at most 200.',
  example: { path: { id: EXAMPLE.blueprintId }, response: [RELEASE_EXAMPLE] },
  input: BlueprintId,
  output: listOf(ReleaseView),
  resolve: async ({ ctx, input }) => (await listReleases(ctx.work, input.id)).map(viewRelease),
});
