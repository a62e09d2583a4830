import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** Scheduled commands: metrics show the last result of each. */
export const SCHEDULED_COMMANDS = ['verify-ledger', 'backup', 'archive'] as const;

/** Records the end of a command, as the owner of the tables. */
export async function recordCommandEnd(
  db: Db,
  { name, isOk }: { name: (typeof SCHEDULED_COMMANDS)[number]; isOk: boolean },
): Promise<void> {
  await sql`
    insert into operation_run as o (name, ended_at, is_ok, last_ok_at)
    values (${name}, clock_timestamp(), ${isOk}, case when ${isOk} then clock_timestamp() end)
    on conflict (name) do update set ended_at = excluded.ended_at, is_ok = excluded.is_ok,
      last_ok_at = coalesce(excluded.last_ok_at, o.last_ok_at)`.execute(db);
}
