import { z } from 'zod';
import { listTags } from '../../engine/usecases/blueprints/drafts/list.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf } from '../schemas.ts';

const TagUseView = z
  .object({
    tag: z.string(),
    blueprintIds: z.array(z.uuid()).meta({ description: 'The blueprints that have it, newest first.' }),
  })
  .meta({ id: 'BlueprintTag', description: 'A word for finding blueprints.' });

export const tags = route({
  method: 'GET',
  path: '/api/blueprints/tags',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Blueprints',
  summary: 'List tags',
  description:
    'The tags of the account’s blueprints, each once in any case, with the blueprints that have it.',
  example: { response: [{ tag: 'momentum', blueprintIds: [EXAMPLE.blueprintId] }] },
  input: z.strictObject({}),
  output: listOf(TagUseView),
  resolve: async ({ ctx }) => {
    const uses = await listTags(ctx.work);
    return uses.map(({ tag, blueprintIds }) => ({ tag, blueprintIds: [...blueprintIds] }));
  },
});
