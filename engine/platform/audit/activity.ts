import { sql } from 'kysely';
import type { Json } from '../../../db/json.ts';
import type { Work } from '../context.ts';
import { likePattern } from '../text.ts';
import type { AuditPage } from './audit-trail.ts';

/** One row of activity: an audit row, a fill, or a denial. */
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

/** Subjects of a row, each by the first words of its actions. */
const SUBJECTS = {
  trades: ['order', 'fill', 'position', 'market', 'cash'],
  strategies: ['blueprint', 'notify'],
  risk: ['risk_rules', 'daily_loss', 'drawdown'],
  venues: ['venue_connection', 'venue_difference', 'ledger'],
  access: [
    'user',
    'session',
    'password',
    'second_factor',
    'passkey',
    'api_key',
    'notification_channel',
    'signal',
    'account',
    'operator',
  ],
} as const;
export type ActivitySubject = keyof typeof SUBJECTS;
export const ACTIVITY_SUBJECTS = Object.keys(SUBJECTS) as [ActivitySubject, ...ActivitySubject[]];

export type ActivityFilter = AuditPage & {
  about?: ActivitySubject | undefined;
  /** Words in the action, the actor, the subject, or the change. */
  find?: string | undefined;
  /** From this instant on, and before that one. */
  from?: string | undefined;
  to?: string | undefined;
};

/** Searchable text of each kind of row. */
const AUDIT_SAYS = `translate(a.action, '._', '  '), a.actor, a.before::text, a.after::text, a.subject_id::text,
  (select b.name from blueprint b where b.account_id = a.account_id and b.id = a.subject_id)`;
/** The name of the strategy of an order. */
const STRATEGY_SAYS = `(select b.name from blueprint b where b.account_id = o.account_id and b.id = o.blueprint_id)`;
const FILL_SAYS = `case f.kind when 'trade' then 'order filled' else 'market settled' end, f.side, f.token_id, f.venue, i.title,
  f.order_id::text, ${STRATEGY_SAYS}`;
const FILL_ACTION = `case f.kind when 'trade' then 'order.filled' else 'market.settled' end`;
const DENIAL_SAYS = `'order denied', o.side, o.token_id, o.venue, i.title, o.reason, o.id::text, ${STRATEGY_SAYS}`;

/**
 * Reads the account's activity in one mode, newest first, at most `limit` rows. From the audit trail: changes and the texts of
 * Notify steps. Also fills, settlements, and denials by a rule. Each kind is read along its own index.
 */
export async function readActivity(
  work: Work,
  { limit, after, about, find, from, to }: ActivityFilter,
): Promise<ActivityRow[]> {
  const { accountId } = work;
  const words = find === undefined ? null : likePattern(find);
  /** Filters by page, span and subject; `action` and `said` are the row's action and searchable text, as SQL. */
  const older = (at: string, id: string, action: string, said: string) =>
    sql.join(
      [
        sql`true`,
        ...(after === null
          ? []
          : [sql`(${sql.raw(at)}, ${sql.raw(id)}) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`]),
        ...(from === undefined ? [] : [sql`${sql.raw(at)} >= ${from}::timestamptz`]),
        ...(to === undefined ? [] : [sql`${sql.raw(at)} < ${to}::timestamptz`]),
        ...(about === undefined
          ? []
          : [sql`split_part(${sql.raw(action)}, '.', 1) = any(${[...SUBJECTS[about]]}::text[])`]),
        ...(words === null ? [] : [sql`concat_ws(' ', ${sql.raw(said)}) ilike ${words}`]),
      ],
      sql` and `,
    );
  const { rows } = await sql<ActivityRow>`
    select * from (
      (select a.id, a.at, a.actor, a.action, a.subject_id, a.before, a.after, a.request_id from audit_event a
        where a.account_id = ${accountId} and (a.mode is null or a.mode = ${work.mode}) and ${older('a.at', 'a.id', 'a.action', AUDIT_SAYS)}
        order by a.at desc, a.id desc limit ${limit})
      union all
      (select f.id, f.applied_at, 'system', ${sql.raw(FILL_ACTION)}, f.order_id, null::jsonb,
          jsonb_build_object('side', f.side, 'amount', f.amount::text, 'price', f.price::text, 'venue', f.venue,
            'tokenId', f.token_id, 'title', i.title, 'blueprintId', o.blueprint_id), null
        from fill f join instrument i on i.token_id = f.token_id
          left join trade_order o on o.account_id = f.account_id and o.id = f.order_id
        where f.account_id = ${accountId} and f.mode = ${work.mode} and f.kind <> 'reversal' and ${older('f.applied_at', 'f.id', FILL_ACTION, FILL_SAYS)}
        order by f.applied_at desc, f.id desc limit ${limit})
      union all
      (select o.id, o.created_at, 'system', 'order.denied', o.id, null::jsonb,
          jsonb_build_object('side', o.side, 'amount', o.amount::text, 'price', o.limit_price::text, 'venue', o.venue,
            'tokenId', o.token_id, 'title', i.title, 'blueprintId', o.blueprint_id, 'reason', o.reason), null
        from trade_order o join instrument i on i.token_id = o.token_id
        where o.account_id = ${accountId} and o.mode = ${work.mode} and o.status = 'denied'
          and ${older('o.created_at', 'o.id', "'order.denied'", DENIAL_SAYS)}
        order by o.created_at desc, o.id desc limit ${limit})
    ) happened order by at desc, id desc limit ${limit}`.execute(work.db);
  return rows;
}
