import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Work } from '../../../platform/context.ts';
import { newId } from '../../../platform/ids.ts';
import { BLUEPRINTS_MAX, GRAPHS_BYTES_MAX, quotaExceeded } from './quota.ts';
import type { BlueprintRow } from './row.ts';

export type NewBlueprint = { name: string; visual?: Json | undefined; thesisId?: string | undefined };

/**
 * Creates a draft.
 *
 * One statement raises the account's counters only while both quotas hold, and inserts the row only if they were raised.
 * No number of concurrent creates can therefore exceed a quota.
 *
 * @throws DomainError `quota_exceeded` at 200 blueprints or 16 MiB of graphs.
 */
export async function createBlueprint(work: Work, draft: NewBlueprint): Promise<BlueprintRow> {
  const { visual: graph = null } = draft;
  const visual = graph === null ? null : JSON.stringify(graph);
  const bytes = Buffer.byteLength(visual ?? '');
  const row = await work.db
    .with('quota', (db) =>
      db
        .updateTable('account')
        .set({
          blueprint_count: sql<number>`blueprint_count + 1`,
          visual_bytes: sql<number>`visual_bytes + ${bytes}`,
        })
        .where('id', '=', work.accountId)
        .where('blueprint_count', '<', BLUEPRINTS_MAX)
        .where(sql<boolean>`visual_bytes + ${bytes} <= ${GRAPHS_BYTES_MAX}`)
        .returning('id'),
    )
    .insertInto('blueprint')
    .columns([
      'account_id',
      'id',
      'name',
      'status',
      'visual',
      'visual_bytes',
      'thesis_id',
      'created_at',
      'updated_at',
    ])
    .expression((db) =>
      db
        .selectFrom('quota')
        .select([
          'quota.id',
          sql<string>`${newId()}::uuid`.as('blueprint_id'),
          sql<string>`${draft.name}::text`.as('name'),
          sql<'draft'>`'draft'`.as('status'),
          sql<string>`${visual}::jsonb`.as('visual'),
          sql<number>`${bytes}::int`.as('visual_bytes'),
          sql<string>`${draft.thesisId ?? null}::uuid`.as('thesis_id'),
          sql<string>`statement_timestamp()`.as('created_at'),
          sql<string>`statement_timestamp()`.as('updated_at'),
        ]),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) throw await quotaExceeded(work);
  return { ...row, node_states: null };
}
