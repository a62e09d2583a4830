/**
 * Notifications without an event of their own: limits nearly used, keys about to expire, daily summaries. Each is sent once.
 */
import { sql } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Db } from '../../db/tables.ts';
import { underAccountLock } from '../platform/account-lock.ts';
import { toIso } from '../platform/clock/timestamp-text.ts';
import { utcDay } from '../platform/clock/utc-day.ts';
import type { BooksKey, Work } from '../platform/context.ts';
import { exact } from '../platform/decimal.ts';
import { recordEvents } from '../platform/events/events.ts';
import { BALANCE_CHECKS } from '../risk/balance-checks.ts';
import { riskUsage } from '../usecases/risk-rules/usage.ts';
import type { NotificationKind } from './kinds.ts';
import { noticeEvent } from './notice.ts';

const DAY_MS = 86_400_000;
/** A key is reported seven days and one day before it expires. */
const KEY_DAYS = [7, 1] as const;
export const NEAR_PERCENT = 80;

/** A notification that is sent once; `name` identifies it. */
export type PeriodicNotice = {
  readonly name: string;
  readonly kind: NotificationKind;
  readonly fields: { readonly [name: string]: Json };
  /** Null if it concerns every mode. */
  readonly mode?: null;
};

/** Finds the books of accounts that have a channel, page by page. */
export async function findBooksWithChannels(db: Db, after: string | null, most: number): Promise<BooksKey[]> {
  const { rows } = await sql<{ account_id: string; mode: BooksKey['mode'] }>`
    select t.account_id, t.mode from trading_account t
    where t.account_id in (
      select account_id from notification_cursor c where ${after}::uuid is null or account_id > ${after}::uuid
      order by account_id limit ${most})
    order by t.account_id, t.mode`.execute(db);
  return rows.map(({ account_id, mode }) => ({ accountId: account_id, mode }));
}

/** Checks one account's books, and records the notifications due. */
export async function recordPeriodicNotices(work: Work): Promise<void> {
  const now = await work.clock(work.db);
  const remarks = [
    ...nearLimits((await riskUsage(work)).lines, now),
    ...(await endingKeys(work, now)),
    ...(await daySummary(work, now)),
  ];
  for (const remark of remarks) await recordOnce(work, remark);
}

type Usage = Awaited<ReturnType<typeof riskUsage>>['lines'][number];

/** Not limits: cooldowns end alone, and holdings may be used in full. */
const NO_LIMITS: ReadonlySet<string> = new Set([
  'cooldownAfterLossSec',
  ...BALANCE_CHECKS.map(({ name }) => name),
]);

/**
 * Reports limits used to 80 or 100 percent, each once a day per rule. Cooldowns, switches and free cash are not limits that
 * fill up. Pure.
 */
export function nearLimits(lines: readonly Usage[], now: Date): PeriodicNotice[] {
  return lines.flatMap(({ rule, limit, used }) => {
    const most = Number(limit);
    if (used === null || NO_LIMITS.has(rule) || !(most > 0)) return [];
    const usedPercent = Math.floor((Number(used) / most) * 100);
    if (!(usedPercent >= NEAR_PERCENT)) return [];
    const kind = usedPercent >= 100 ? 'rule.reached' : 'rule.near_limit';
    const fields = { rule, limit: most, used: Number(used), usedPercent };
    return [{ name: `${kind} ${rule} ${utcDay(now)}`, kind, fields }];
  });
}

/** Reports keys that expire within seven days, and again within one day. */
async function endingKeys({ db, accountId, mode }: Work, now: Date): Promise<PeriodicNotice[]> {
  const [firstDays] = KEY_DAYS;
  const rows = await db
    .selectFrom('api_key')
    .select(['id', 'name', 'last4', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where('expires_at', '<', new Date(now.getTime() + firstDays * DAY_MS).toISOString())
    .execute();
  return rows.flatMap(({ id, name, last4, expires_at }) =>
    expires_at === null ? [] : endingKey({ id, name, last4, expiresAt: toIso(expires_at) }, now),
  );
}

type EndingKey = { id: string; name: string; last4: string; expiresAt: string };

/** Reports only the nearest of the days before expiry, so that a key found late is reported once. Pure. */
export function endingKey({ id, ...key }: EndingKey, now: Date): PeriodicNotice[] {
  const leftMs = Date.parse(key.expiresAt) - now.getTime();
  const days = KEY_DAYS.findLast((each) => leftMs <= each * DAY_MS);
  if (days === undefined || leftMs <= 0) return [];
  return [{ name: `key ${id} ${days}`, kind: 'key.expiring', fields: { keyId: id, ...key } }];
}

/**
 * Summarizes the last full day, at the first check of a day, even if that is late. Left out if books or channel did not exist
 * before today.
 */
async function daySummary(work: Work, now: Date): Promise<PeriodicNotice[]> {
  const day = utcDay(new Date(now.getTime() - DAY_MS));
  const name = `summary ${work.mode} ${day}`;
  if ((await isMarked(work, name)) || !(await wasThere(work, utcDay(now)))) return [];
  const { rows } = await sql<{
    fills: string;
    denied: string;
    pending: string;
    orders: string;
    realized: string;
  }>`
    select
      (select count(*) from fill where account_id = ${work.accountId} and mode = ${work.mode}
        and kind = 'trade' and applied_at >= ${day}::date and applied_at < ${day}::date + 1) as fills,
      (select count(*) from trade_order where account_id = ${work.accountId} and mode = ${work.mode}
        and created_at >= ${day}::date and created_at < ${day}::date + 1) as orders,
      (select count(*) from trade_order where account_id = ${work.accountId} and mode = ${work.mode}
        and status = 'denied' and created_at >= ${day}::date and created_at < ${day}::date + 1) as denied,
      (select count(*) from trade_order where account_id = ${work.accountId} and mode = ${work.mode}
        and status = 'pending') as pending,
      (select coalesce(sum(realized_pnl), 0) from account_day where account_id = ${work.accountId}
        and mode = ${work.mode} and day = ${day}::date) as realized`.execute(work.db);
  const [came] = rows;
  if (came === undefined) return [];
  const fields = {
    day,
    realizedPnl: exact(came.realized).toNumber(),
    orders: Number(came.orders),
    fills: Number(came.fills),
    denied: Number(came.denied),
    pending: Number(came.pending),
  };
  return [{ name, kind: 'summary.daily', fields }];
}

/** Whether the books and a channel existed before a day began. */
async function wasThere({ db, accountId, mode }: Work, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('trading_account as t')
    .innerJoin('notification_channel as c', 'c.account_id', 't.account_id')
    .select('c.id')
    .where('t.account_id', '=', accountId)
    .where('t.mode', '=', mode)
    .where('t.created_at', '<', `${day}T00:00:00Z`)
    .where('c.created_at', '<', `${day}T00:00:00Z`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const markedName = ({ mode }: Work, name: string): string => `${mode} ${name}`;

async function isMarked(work: Work, name: string): Promise<boolean> {
  const row = await work.db
    .selectFrom('notification_mark')
    .select('name')
    .where('account_id', '=', work.accountId)
    .where('name', '=', markedName(work, name))
    .executeTakeFirst();
  return row !== undefined;
}

/** Records an event unless it was recorded before, in one transaction. */
async function recordOnce(work: Work, remark: PeriodicNotice): Promise<void> {
  if (await isMarked(work, remark.name)) return;
  await underAccountLock(work, async (tx, now) => {
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto('notification_mark')
      .values({ account_id: tx.accountId, name: markedName(work, remark.name), at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return;
    await recordEvents(tx, now, [noticeEvent(remark.kind, remark.fields)]);
  });
}
