import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** Rebuilds the chain of an account's history after a test changed rows past all triggers. Runs in its transaction. */
export async function rechain(tx: Db, accountId: string): Promise<void> {
  await sql`set local session_replication_role = replica`.execute(tx);
  await sql`delete from ledger_link where account_id = ${accountId}`.execute(tx);
  await sql`delete from ledger_head where account_id = ${accountId}`.execute(tx);
  await sql`select chain_existing(array[${accountId}::uuid])`.execute(tx);
}
