import { sql } from 'kysely';
import type { Work } from '../context.ts';

export type AuditPage = { limit: number; after: { createdAt: string; id: string } | null };

/** Reads the account's audit trail without rows of other modes, newest first: at most `limit + 1` rows. */
export function readAuditTrail(work: Work, { limit, after }: AuditPage) {
  let query = work.db
    .selectFrom('audit_event')
    .select(['id', 'at', 'actor', 'action', 'subject_id', 'before', 'after', 'request_id'])
    .where('account_id', '=', work.accountId)
    .where(({ or, eb }) => or([eb('mode', 'is', null), eb('mode', '=', work.mode)]))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after) {
    query = query.where(sql<boolean>`(at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  }
  return query.execute();
}
