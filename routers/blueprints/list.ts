import { z } from 'zod';
import { BLUEPRINT_STATUSES } from '../../db/entities/blueprint.ts';
import { listBlueprints } from '../../engine/blueprints/list.ts';
import { toIso } from '../../engine/time.ts';
import { PageCursor } from '../cursor.ts';
import { BLUEPRINT_EXAMPLE } from '../examples.ts';
import { cutPage, startOf } from '../pages.ts';
import { route } from '../route.ts';
import { listOf, queryInteger, uuid } from '../schemas.ts';
import { BlueprintView, viewBlueprint } from './schemas.ts';

const LIMIT_MAX = 200;

export const list = route({
  method: 'GET',
  path: '/api/blueprints',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Blueprints',
  summary: 'List blueprints',
  description:
    'The account’s blueprints, newest first. The plain call is complete: an account has at most 200.',
  pages: true,
  example: { response: [BLUEPRINT_EXAMPLE] },
  input: z.strictObject({
    limit: queryInteger(1, LIMIT_MAX)
      .optional()
      .meta({ description: 'Most rows to answer; 200 by default.' }),
    cursor: PageCursor,
    status: z.enum(BLUEPRINT_STATUSES).optional().meta({ description: 'Only blueprints in this status.' }),
    thesisId: uuid.optional().meta({ description: 'Only blueprints created with this reference.' }),
  }),
  output: listOf(BlueprintView),
  resolve: async ({ ctx, reply, input: { limit = LIMIT_MAX, cursor, ...filters } }) => {
    const page = { list: 'blueprints', filters } as const;
    const rows = await listBlueprints(ctx.work, { ...filters, limit, after: startOf(ctx, cursor, page) });
    return cutPage({ ctx, reply }, rows, {
      ...page,
      limit,
      positionOf: (row) => ({ createdAt: toIso(row.created_at), id: row.id }),
    }).map(viewBlueprint);
  },
});
