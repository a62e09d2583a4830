import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { shardOfAccount } from './account-shard.ts';

/** The ids of accounts with a running deployment. */
export async function findRunningAccounts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from deployment where ended_at is null order by account_id`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/**
 * Moves an account's running deployments to its shard among `shardCount`; returns how many moved. Once this is committed, the
 * process of the old shard stores nothing of them. This waits for a write in progress, so that the process of the new shard
 * reads the last memory.
 */
export async function moveToShard(work: Work, shardCount: number): Promise<number> {
  const shard = shardOfAccount(work.accountId, shardCount);
  return underAccountLock(work, async ({ db, accountId }) => {
    await sql`insert into shard (id) values (${shard}) on conflict do nothing`.execute(db);
    await sql`select from shard where id in (
        select shard from deployment where account_id = ${accountId} and ended_at is null and shard <> ${shard})
      order by id for update`.execute(db);
    const { numAffectedRows } = await sql`
      update deployment set shard = ${shard}
      where account_id = ${accountId} and ended_at is null and shard <> ${shard}`.execute(db);
    return Number(numAffectedRows ?? 0n);
  });
}
