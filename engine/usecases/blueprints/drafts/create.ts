import { type Selectable, sql } from 'kysely';
import { compileOnce } from '../../../../db/compiled.ts';
import type { Json } from '../../../../db/json.ts';
import type { Database } from '../../../../db/tables.ts';
import type { Work } from '../../../platform/context.ts';
import { newId } from '../../../platform/ids.ts';
import { quotaExceeded } from './quota.ts';
import type { BlueprintRow } from './row.ts';

export type NewBlueprint = { name: string; visual?: Json | undefined; thesisId?: string | undefined };

/**
 * Creates a draft.
 *
 * One statement raises the account's counters only while both quotas hold, and inserts the row only if they were raised.
 * No number of concurrent creates can therefore exceed a quota.
 *
 * @throws DomainError `quota_exceeded` at the account's limit of blueprints, or of bytes of graphs.
 */
export async function createBlueprint(work: Work, draft: NewBlueprint): Promise<BlueprintRow> {
  const { db, accountId } = work;
  const { name, visual: graph = null, thesisId = null } = draft;
  const visual = graph === null ? null : JSON.stringify(graph);
  const bytes = Buffer.byteLength(visual ?? '');
  const [row] = await INSERT(db, { accountId, id: newId(), name, visual, bytes, thesisId });
  if (!row) throw await quotaExceeded(work, { isNew: true });
  return { ...row, node_states: null };
}

type InsertValues = Record<'accountId' | 'id' | 'name', string> &
  Record<'visual' | 'thesisId', string | null> & { bytes: number };

const INSERT = compileOnce<InsertValues, Selectable<Database['blueprint']>>((db, draft) => {
  const bytes = sql<number>`${draft.bytes}::int`;
  return db
    .with('quota', (quotas) =>
      quotas
        .updateTable('account')
        .set({
          blueprint_count: sql<number>`blueprint_count + 1`,
          visual_bytes: sql<number>`visual_bytes + ${bytes}`,
        })
        .where('id', '=', draft.accountId)
        .whereRef('blueprint_count', '<', 'blueprints_max')
        .where(sql<boolean>`visual_bytes + ${bytes} <= visual_bytes_max`)
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
    .expression((quotas) =>
      quotas
        .selectFrom('quota')
        .select([
          'quota.id',
          sql<string>`${draft.id}::uuid`.as('blueprint_id'),
          sql<string>`${draft.name}::text`.as('name'),
          sql<'draft'>`'draft'`.as('status'),
          sql<string>`${draft.visual}::jsonb`.as('visual'),
          bytes.as('visual_bytes'),
          sql<string>`${draft.thesisId}::uuid`.as('thesis_id'),
          sql<string>`statement_timestamp()`.as('created_at'),
          sql<string>`statement_timestamp()`.as('updated_at'),
        ]),
    )
    .returningAll()
    .compile();
});
