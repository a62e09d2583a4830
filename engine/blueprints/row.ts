import type { Selectable } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database } from '../../db/tables.ts';
import type { Work } from '../context.ts';
import { notFound } from '../errors.ts';

/** A blueprint with the node states of its latest deployment. */
export type BlueprintRow = Selectable<Database['blueprint']> & { node_states: Json };

/** The account's blueprints that are not deleted, each with its latest node states. */
export const blueprintsOf = (work: Work) =>
  work.db
    .selectFrom('blueprint as b')
    .leftJoin('deployment_state as s', (join) =>
      join.onRef('s.account_id', '=', 'b.account_id').onRef('s.deployment_id', '=', 'b.deployment_id'),
    )
    .selectAll('b')
    .select('s.node_states')
    .where('b.account_id', '=', work.accountId)
    .where('b.deleted_at', 'is', null);

/** @throws DomainError `not_found` for a missing, deleted or foreign one, all alike. */
export async function readBlueprint(work: Work, id: string): Promise<BlueprintRow> {
  const row = await blueprintsOf(work).where('b.id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The row alone, locked until the transaction ends. Lock order: the account first. */
export async function lockBlueprint(tx: Work, id: string): Promise<Selectable<Database['blueprint']>> {
  const row = await tx.db
    .selectFrom('blueprint')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
