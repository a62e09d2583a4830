import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** Chains what an account's tables of history have now, after a test changed rows past all triggers. In its transaction. */
export async function rechain(tx: Db, accountId: string): Promise<void> {
  await sql`set local session_replication_role = replica`.execute(tx);
  await sql`delete from ledger_link where account_id = ${accountId}`.execute(tx);
  await sql`delete from ledger_head where account_id = ${accountId}`.execute(tx);
  await sql`select chain_existing(array[${accountId}::uuid])`.execute(tx);
}
