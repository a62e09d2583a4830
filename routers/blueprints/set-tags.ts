import { z } from 'zod';
import { setTags as setTagsOf } from '../../engine/usecases/blueprints/drafts/set-tags.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { BlueprintId, Tags } from './schemas.ts';

export const setTags = route({
  method: 'PUT',
  path: '/api/blueprints/{id}/tags',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Blueprints',
  summary: 'Tag a blueprint',
  description:
    'Gives a blueprint these tags and no others; an empty list removes all. A running blueprint can be tagged: its `ETag` and `updatedAt` stay.',
  example: {
    path: { id: EXAMPLE.blueprintId },
    request: { tags: ['momentum', 'BTC'] },
    response: { id: EXAMPLE.blueprintId, tags: ['BTC', 'momentum'] },
  },
  input: BlueprintId.extend({ tags: Tags }),
  output: z
    .object({ id: z.uuid(), tags: z.array(z.string()).meta({ description: 'The stored tags, in order.' }) })
    .meta({ id: 'BlueprintTags' }),
  resolve: async ({ ctx, input: { id, tags } }) => ({ id, tags: await setTagsOf(ctx.work, id, tags) }),
});
