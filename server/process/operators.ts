import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../../db/pool.ts';
import { audit } from '../../engine/platform/audit/audit.ts';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import { notFound } from '../../engine/platform/errors.ts';
import { transact } from '../../engine/platform/transact.ts';
import { requireAccount } from '../../engine/usecases/operator/suspend.ts';
import type { OperatedAccount, OperatorServices } from '../../routers/operator-services.ts';
import { isAlive } from './heartbeat.ts';
import { operationsReader } from './operations.ts';

/** Reads and acts of the operator's page, except those on an account's row. */
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
          blueprints, graph_bytes as "graphBytes",
          json_build_object('blueprints', blueprints_max, 'graphBytes', graph_bytes_max, 'keys', keys_max) as limits
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
    endSessions: async (work, reason) => {
      await requireAccount(work);
      return transact(work, async (tx) => {
        const { numAffectedRows } = await sql`delete from auth.session where "userId" in
          (select user_id from membership where account_id = ${tx.accountId})`.execute(tx.db);
        const ended = Number(numAffectedRows);
        await audit(tx, {
          action: 'session.ended_by_operator',
          mode: null,
          subjectId: tx.accountId,
          before: null,
          after: { reason, ended },
          at: await tx.clock(tx.db),
        });
        return ended;
      });
    },
    operations: operationsReader(pool, version),
    drain: async (processId, isDraining) => {
      const { numAffectedRows } = await sql`
        update process set drains_since = case when ${isDraining} then coalesce(drains_since, clock_timestamp()) end
        where id = ${processId} and role <> 'api'
          and ${isAlive('seen_at')}`.execute(db);
      if (numAffectedRows === 0n) throw notFound();
    },
  };
}
