import { updateBlueprint } from '../../engine/usecases/blueprints/drafts/update.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { BlueprintId, BlueprintView, Name, Visual, viewBlueprint } from './schemas.ts';

export const update = route({
  method: 'PUT',
  path: '/api/blueprints/{id}',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Blueprints',
  summary: 'Update a blueprint',
  description:
    'Renames a blueprint or replaces its graph; an absent field keeps its value. A running blueprint must be stopped first.',
  etag: true,
  ifMatch: true,
  example: { path: { id: EXAMPLE.blueprintId }, request: { name: 'Dip buyer' }, response: BLUEPRINT_EXAMPLE },
  input: BlueprintId.extend({ name: Name.optional(), visual: Visual.optional() }),
  output: BlueprintView,
  resolve: async ({ ctx, reply, reviewedVersion, input: { id, ...edit } }) => {
    const row = await updateBlueprint(ctx.work, id, edit, reviewedVersion);
    reply.version(row.version);
    return viewBlueprint(row);
  },
});
