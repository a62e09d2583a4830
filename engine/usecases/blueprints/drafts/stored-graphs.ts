import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Work } from '../../../platform/context.ts';
import { blueprintsOf } from './row.ts';

/** The current graph of each blueprint and the states of its nodes; null where the blueprint no longer exists. */
export async function currentGraph(
  work: Work,
  id: string,
): Promise<{ visual: Json; nodeStates: Json } | null> {
  const row = await blueprintsOf(work).where('b.id', '=', id).executeTakeFirst();
  return row ? { visual: row.visual, nodeStates: row.node_states } : null;
}

/** The graph with this hash among the account's releases. */
export async function releasedGraph(work: Work, hash: string): Promise<Json | undefined> {
  const row = await work.db
    .selectFrom('release_body')
    .select('visual')
    .where('account_id', '=', work.accountId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.visual;
}

/** A JSON value as the database returns it: with its order of keys and its form of numbers. */
export async function asStoredJson(work: Work, value: Json): Promise<Json> {
  const { rows } = await sql<{ value: Json }>`select ${JSON.stringify(value)}::jsonb as value`.execute(
    work.db,
  );
  return rows[0]?.value ?? null;
}
