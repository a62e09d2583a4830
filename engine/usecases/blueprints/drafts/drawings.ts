import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Work } from '../../../platform/context.ts';
import { blueprintsOf } from './row.ts';

/** What a blueprint shows now: its drawing and the states of its nodes; null where it is not there any more. */
export async function knownDrawings(
  work: Work,
  id: string,
): Promise<{ visual: Json; nodeStates: Json } | null> {
  const row = await blueprintsOf(work).where('b.id', '=', id).executeTakeFirst();
  return row ? { visual: row.visual, nodeStates: row.node_states } : null;
}

/** The drawing of this hash that a release of the account keeps. */
export async function drawingOf(work: Work, hash: string): Promise<Json | undefined> {
  const row = await work.db
    .selectFrom('release_body')
    .select('visual')
    .where('account_id', '=', work.accountId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.visual;
}

/** A JSON value as the database gives it back: its keys in their order, its numbers in their form. */
export async function inStoredForm(work: Work, value: Json): Promise<Json> {
  const { rows } = await sql<{ value: Json }>`select ${JSON.stringify(value)}::jsonb as value`.execute(
    work.db,
  );
  return rows[0]?.value ?? null;
}
