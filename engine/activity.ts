import { sql } from 'kysely';
import type { Json } from '../db/json.ts';
import type { AuditPage } from './audit-trail.ts';
import type { Work } from './context.ts';

/** One line of what happened: of the audit trail, a fill, or a denial. */
export type ActivityRow = {
  id: string;
  at: string;
  actor: string;
  action: string;
  subject_id: string | null;
  before: Json;
  after: Json;
  request_id: string | null;
};

/**
 * What happened on the account in one mode, newest first, at most `limit` lines: who changed what and what Notify steps said (both
 * of the audit trail), what was filled and settled, what a rule denied. Each kind is read along its own index.
 */
export async function readActivity(work: Work, { limit, after }: AuditPage): Promise<ActivityRow[]> {
  const { accountId } = work;
  const older = (at: string, id: string) =>
    after === null
      ? sql`true`
      : sql`(${sql.raw(at)}, ${sql.raw(id)}) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<ActivityRow>`
    select * from (
      (select a.id, a.at, a.actor, a.action, a.subject_id, a.before, a.after, a.request_id from audit_event a
        where a.account_id = ${accountId} and (a.mode is null or a.mode = ${work.mode}) and ${older('a.at', 'a.id')}
        order by a.at desc, a.id desc limit ${limit})
      union all
      (select f.id, f.applied_at, 'system', case f.kind when 'trade' then 'order.filled' else 'market.settled' end,
          f.order_id, null::jsonb,
          jsonb_build_object('side', f.side, 'amount', f.amount::text, 'price', f.price::text, 'venue', f.venue,
            'tokenId', f.token_id, 'title', i.title), null
        from fill f join instrument i on i.token_id = f.token_id
        where f.account_id = ${accountId} and f.mode = ${work.mode} and f.kind <> 'reversal' and ${older('f.applied_at', 'f.id')}
        order by f.applied_at desc, f.id desc limit ${limit})
      union all
      (select o.id, o.created_at, 'system', 'order.denied', o.id, null::jsonb,
          jsonb_build_object('side', o.side, 'amount', o.amount::text, 'price', o.limit_price::text, 'venue', o.venue,
            'tokenId', o.token_id, 'title', i.title, 'reason', o.reason), null
        from trade_order o join instrument i on i.token_id = o.token_id
        where o.account_id = ${accountId} and o.mode = ${work.mode} and o.status = 'denied'
          and ${older('o.created_at', 'o.id')}
        order by o.created_at desc, o.id desc limit ${limit})
    ) happened order by at desc, id desc limit ${limit}`.execute(work.db);
  return rows;
}
