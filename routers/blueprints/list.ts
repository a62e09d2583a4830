import { z } from 'zod';
import { BLUEPRINT_STATUSES } from '../../db/entities/blueprint.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import {
  type BlueprintHead,
  blueprintHeads,
  GRAPHS_AT_ONCE_MAX,
  listBlueprints,
  newestBlueprints,
} from '../../engine/usecases/blueprints/drafts/list.ts';
import type { BlueprintRow } from '../../engine/usecases/blueprints/drafts/row.ts';
import { ACCOUNT_LIMITS_MAX } from '../../engine/usecases/operator/set-limits.ts';
import { PageCursor } from '../cursor.ts';
import { BLUEPRINT_EXAMPLE } from '../examples.ts';
import { cutPage, startOf } from '../pages.ts';
import { route } from '../route.ts';
import { listOf, queryInteger, uuid } from '../schemas.ts';
import { BlueprintView, viewBlueprint } from './schemas.ts';

/** As many as an account may have. */
const LIMIT_MAX = ACCOUNT_LIMITS_MAX.blueprints;
/** Each part of a longer list is read after the one before was sent. */
const PART = GRAPHS_AT_ONCE_MAX;

export const list = route({
  method: 'GET',
  path: '/api/blueprints',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Blueprints',
  summary: 'List blueprints',
  description:
    'The account’s blueprints, newest first. The plain call is complete: an account has 200, unless its operator allows more.',
  pages: true,
  example: { response: [BLUEPRINT_EXAMPLE] },
  input: z.strictObject({
    limit: queryInteger(1, LIMIT_MAX)
      .optional()
      .meta({ description: 'Most rows to return; all by default.' }),
    cursor: PageCursor,
    status: z.enum(BLUEPRINT_STATUSES).optional().meta({ description: 'Only blueprints in this status.' }),
    thesisId: uuid.optional().meta({ description: 'Only blueprints created with this reference.' }),
  }),
  output: listOf(BlueprintView),
  resolve: async ({ ctx, reply, input: { limit = LIMIT_MAX, cursor, ...filters } }) => {
    const positionOf = (row: BlueprintHead) => ({ createdAt: toIso(row.created_at), id: row.id });
    const list = { list: 'blueprints', filters } as const;
    const page = { ...list, limit, positionOf };
    const after = startOf(ctx, cursor, list);
    const newest = await newestBlueprints(ctx.work, { ...filters, after, limit: Math.min(limit, PART) });
    // A short list is complete with one statement.
    const last = newest[PART - 1];
    if (limit <= PART || newest.length <= PART || last === undefined) {
      return cutPage({ ctx, reply }, newest, page).map(viewBlueprint);
    }
    const first = newest.slice(0, PART);
    const rest = { ...filters, after: positionOf(last), limit: limit - PART };
    const heads: BlueprintHead[] = [...first, ...(await blueprintHeads(ctx.work, rest))];
    const pageHeads = cutPage({ ctx, reply }, heads, page);
    const read = (from: number, to?: number) => listBlueprints(ctx.work, pageHeads.slice(from, to), filters);
    if (ctx.sink === null) return [...first, ...(await read(PART))].map(viewBlueprint);
    ctx.sink.takeFile(inParts(first, { of: pageHeads.length, read }));
    return [];
  },
});

type Rest = { of: number; read: (from: number, to: number) => Promise<BlueprintRow[]> };

/** One array in JSON. Its first part is already read, so that an immediate failure is refused as usual. */
async function* inParts(first: BlueprintRow[], { of, read }: Rest): AsyncIterable<string> {
  let written = '[';
  for (let from = 0; from < of; from += PART) {
    const rows = from === 0 ? first : await read(from, from + PART);
    if (rows.length === 0) continue;
    yield written + rows.map((row) => JSON.stringify(BlueprintView.parse(viewBlueprint(row)))).join();
    written = ',';
  }
  yield written === '[' ? '[]' : ']';
}
