import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Mode } from '../../db/vocabulary.ts';
import { rechain } from './rechain.ts';

/** Runs a blueprint, with the audit row of a deploy. Returns the id of its deployment. */
export async function addDeployment(
  db: Db,
  { accountId, blueprintId }: { readonly accountId: string; readonly blueprintId: string },
  now: Date,
  deployedBy = 'session:tester',
  mode: Mode = 'paper',
): Promise<string> {
  const id = randomUUID();
  const hash = createHash('sha256').update('null').digest('hex');
  await db
    .insertInto('release_body')
    .values({ account_id: accountId, hash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const number = (
    await db.selectFrom('release').select('number').where('blueprint_id', '=', blueprintId).execute()
  ).length;
  await db
    .insertInto('release')
    .values({
      account_id: accountId,
      blueprint_id: blueprintId,
      number: number + 1,
      body_hash: hash,
      name: 'Test',
      deployed_by: deployedBy,
      created_at: now,
    })
    .execute();
  await db
    .insertInto('deployment')
    .values({
      account_id: accountId,
      id,
      blueprint_id: blueprintId,
      release_number: number + 1,
      mode,
      shard: 0,
      token_ids: [],
      started_at: now,
    })
    .execute();
  await db
    .insertInto('audit_event')
    .values({
      account_id: accountId,
      id: randomUUID(),
      at: now,
      actor: deployedBy,
      action: 'blueprint.deployed',
      mode,
      subject_id: blueprintId,
      before: JSON.stringify({ status: 'stopped', deploymentId: null }),
      after: JSON.stringify({ status: 'running', deploymentId: id, release: number + 1 }),
    })
    .execute();
  await db
    .insertInto('deployment_state')
    .values({ account_id: accountId, deployment_id: id, updated_at: now })
    .execute();
  return id;
}

/** Ends a deployment, with the audit row of a stop. */
export async function endDeployment(db: Db, id: string, now: Date): Promise<void> {
  await sql`with ended as (
      update deployment set ended_at = ${now} where id = ${id} and ended_at is null returning account_id, blueprint_id, mode)
    insert into audit_event (account_id, id, at, actor, action, mode, subject_id, after)
    select account_id, gen_random_uuid(), ${now}, 'session:tester', 'blueprint.stopped', mode, blueprint_id,
      jsonb_build_object('status', 'stopped', 'deploymentId', ${id}::text) from ended`.execute(db);
}

/** Moves the start of a blueprint's deployment back, in its row and in the audit trail. */
export const backdate = (db: Db, blueprintId: string, startedAt: Date): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    const { rows } = await sql<{ account_id: string }>`with moved as (
        update deployment set started_at = ${startedAt} where blueprint_id = ${blueprintId} and ended_at is null returning id)
      update audit_event set at = ${startedAt}
      where action = 'blueprint.deployed' and after ->> 'deploymentId' in (select id::text from moved)
      returning account_id`.execute(tx);
    for (const { account_id } of rows) await rechain(tx, account_id);
  });
