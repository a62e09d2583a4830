import { sql } from 'kysely';
import { accountDb, type Pool, unscopedDb } from '../../db/pool.ts';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import { notFound } from '../../engine/platform/errors.ts';
import type { OperatedAccount, OperatorServices } from '../../routers/operator-services.ts';
import { SILENT_MAX_SEC } from './heartbeat.ts';
import { operationsReader } from './operations.ts';

/** Reads and acts of the operator's page, except suspensions. */
export function operatorServices(pool: Pool, version: string): OperatorServices {
  const db = unscopedDb(pool);
  return {
    standingOf: async ({ kind, id }) => {
      if (kind !== 'session') return null;
      const { rows } = await sql<{ userId: string; isFresh: boolean }>`
        select user_id as "userId", is_fresh as "isFresh" from operator_of(${id})`.execute(db);
      return rows[0] ?? null;
    },
    accounts: async ({ id }, { find, after, limit }) => {
      const { rows } = await sql<OperatedAccount>`
        select id, email, name, created_at as "createdAt", is_moving as "isMoving", suspended_at as "suspendedAt",
          suspension_reason as "suspensionReason", last_seen_at as "lastSeenAt", sessions, running, keys, connections,
          blueprints, graph_bytes as "graphBytes"
        from operator_accounts(${id}, ${find?.toLowerCase() ?? null}, ${after?.createdAt ?? null}, ${after?.id ?? null}, ${limit})`.execute(
        db,
      );
      return rows.map((row) => ({
        ...row,
        createdAt: toIso(row.createdAt),
        suspendedAt: toIsoOrNull(row.suspendedAt),
        lastSeenAt: toIsoOrNull(row.lastSeenAt),
      }));
    },
    endSessions: async (accountId) => {
      const { numAffectedRows } = await sql`delete from auth.session where "userId" in
        (select user_id from membership where account_id = ${accountId})`.execute(accountDb(pool, accountId));
      return Number(numAffectedRows);
    },
    operations: operationsReader(pool, version),
    drain: async (processId, isDraining) => {
      const { numAffectedRows } = await sql`
        update process set drains_since = case when ${isDraining} then coalesce(drains_since, clock_timestamp()) end
        where id = ${processId} and role <> 'api'
          and seen_at > clock_timestamp() - ${SILENT_MAX_SEC} * interval '1 second'`.execute(db);
      if (numAffectedRows === 0n) throw notFound();
    },
  };
}
