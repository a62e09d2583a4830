import { z } from 'zod';
import { cancelImport } from '../../engine/history/import-queue.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { okAndId, uuid } from '../schemas.ts';

export const cancelHistoryImport = route({
  method: 'POST',
  path: '/api/history/imports/{id}/cancel',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Market data',
  summary: 'Cancel an import of history',
  description: 'It ends at its next page. Imported rows stay. An import that has ended answers 403.',
  example: { path: { id: EXAMPLE.fillId }, response: { ok: true, id: EXAMPLE.fillId } },
  input: z.strictObject({
    id: uuid.meta({ description: 'The id from the answer to the request, or from the list of imports.' }),
  }),
  output: okAndId,
  resolve: async ({ ctx, input: { id } }) => {
    await cancelImport(ctx.work, id, await ctx.work.clock(ctx.work.db));
    return { ok: true as const, id };
  },
});
