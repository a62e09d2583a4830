/** Whose turn it is to be told, and what became of it. A channel is told by one process at a time, by its lease. */
import { sql } from 'kysely';
import type { DeliveryStatus } from '../../db/entities/notification.ts';
import type { Json } from '../../db/json.ts';
import type { Db } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { underAccountLock } from '../account-lock.ts';
import { audit } from '../audit.ts';
import type { Work } from '../context.ts';
import { recordEvents } from '../events.ts';
import { toIso } from '../time.ts';
import type { AfterFailure } from './backoff.ts';
import type { SentKind } from './kinds.ts';
import type { Told } from './message.ts';
import { noticeEvent } from './notice.ts';
import { type ChannelRow, channelOf } from './row.ts';
import type { Answer } from './verdict.ts';

/** The right of one process to tell a channel. */
export type ChannelLease = { readonly accountId: string; readonly channelId: string; readonly owner: string };

const inMs = (ms: number) => sql<string>`clock_timestamp() + ${ms} * interval '1 millisecond'`;

type Claim = { owner: string; count: number; leaseMs: number; isFailing: boolean };

/** Takes channels for which there is something to do, those that waited longest first. `isFailing`: whose last try failed. */
export async function claimChannels(
  db: Db,
  { owner, count, leaseMs, isFailing }: Claim,
): Promise<ChannelRow[]> {
  if (count <= 0) return [];
  const { rows } = await sql<Parameters<typeof channelOf>[0]>`
    with due as (
      select account_id, id from notification_channel
      where state = 'on' and due_at <= clock_timestamp() and (attempts > 0) = ${isFailing}
        and (leased_until is null or leased_until < clock_timestamp())
      order by due_at limit ${count} for update skip locked
    )
    update notification_channel c set lease_owner = ${owner}, leased_until = ${inMs(leaseMs)}
    from due where c.account_id = due.account_id and c.id = due.id returning c.*`.execute(db);
  return rows.map(channelOf);
}

/** One notification whose turn it is. */
export type Due = {
  readonly deliveryId: string;
  /** By the database's clock: that of a process may be wrong. */
  readonly isExpired: boolean;
  readonly told: Told;
};

/** The next of a channel's line whose time has come, in order. */
export async function nextDue(db: Db, { accountId, channelId }: ChannelLease, most: number): Promise<Due[]> {
  const { rows } = await sql<{
    id: string;
    is_expired: boolean;
    notification_id: string;
    kind: SentKind;
    mode: Told['mode'];
    at: string;
    data: { [name: string]: Json };
  }>`
    select d.id, coalesce(d.expires_at <= clock_timestamp(), false) as is_expired, d.notification_id, n.kind, n.mode, n.at, n.data
    from notification_delivery d join notification n on n.account_id = d.account_id and n.id = d.notification_id
    where d.account_id = ${accountId} and d.channel_id = ${channelId} and d.status = 'waiting'
      and d.not_before <= clock_timestamp()
    order by d.position limit ${most}`.execute(db);
  return rows.map(({ id, is_expired, notification_id, kind, mode, at, data }) => ({
    deliveryId: id,
    isExpired: is_expired,
    told: { id: notification_id, kind, mode, at: toIso(at), data },
  }));
}

/** What became of one that needs no further try. */
export type Ended = {
  readonly deliveryId: string;
  readonly status: Exclude<DeliveryStatus, 'waiting'>;
  /** Null where nothing was sent. */
  readonly answer: Answer | null;
  readonly tookMs: number | null;
};

/**
 * Notes what ended and extends the lease. False: the lease is somebody else's by now, who will tell these once more.
 */
export async function noteEnded(
  db: Db,
  { accountId, channelId, owner }: ChannelLease,
  ended: readonly Ended[],
  leaseMs: number,
): Promise<boolean> {
  if (ended.length === 0) return true;
  const column = <Value>(value: (each: Ended) => Value) => ended.map(value);
  const { rows } = await sql`
    with held as (
      update notification_channel set leased_until = ${inMs(leaseMs)}, attempts = 0, failing_since = null
      where account_id = ${accountId} and id = ${channelId} and lease_owner = ${owner}
        and leased_until > clock_timestamp()
      returning id
    ), noted as (
      update notification_delivery d
      set status = e.status, last_status = e.last_status, last_problem = e.last_problem, took_ms = e.took_ms,
        attempts = d.attempts + (e.took_ms is not null)::int,
        last_attempt_at = case when e.took_ms is null then d.last_attempt_at else clock_timestamp() end,
        ended_at = clock_timestamp()
      from held, unnest(
        ${column(({ deliveryId }) => deliveryId)}::uuid[], ${column(({ status }) => status)}::text[],
        ${column(({ answer }) => answer?.status ?? null)}::int[], ${column(({ answer }) => answer?.problem ?? null)}::text[],
        ${column(({ tookMs }) => tookMs)}::int[]
      ) as e (id, status, last_status, last_problem, took_ms)
      where d.account_id = ${accountId} and d.id = e.id and d.status = 'waiting'
    )
    select id from held`.execute(db);
  return rows.length > 0;
}

/** Gives the lease back, and says when there is something to do again. */
export function release(db: Db, { accountId, channelId, owner }: ChannelLease): Promise<void> {
  return inTransaction(db, async (tx) => {
    // Locked first: what is put in line meanwhile is then seen by the statement that looks.
    const { rows } = await sql`select id from notification_channel
      where account_id = ${accountId} and id = ${channelId} and lease_owner = ${owner} for update`.execute(
      tx,
    );
    if (rows.length === 0) return;
    await sql`update notification_channel set lease_owner = null, leased_until = null, due_at = (
        select min(not_before) from notification_delivery
        where account_id = ${accountId} and channel_id = ${channelId} and status = 'waiting')
      where account_id = ${accountId} and id = ${channelId}`.execute(tx);
  });
}

/** Notes a try that failed, and when the next one is; the lease is given back. */
export async function noteFailed(
  db: Db,
  { accountId, channelId, owner }: ChannelLease,
  { deliveryId, answer, tookMs }: { deliveryId: string; answer: Answer; tookMs: number },
  after: Extract<AfterFailure, { kind: 'retry' }>,
): Promise<void> {
  await sql`
    with held as (
      update notification_channel set lease_owner = null, leased_until = null, attempts = ${after.attempts},
        failing_since = ${after.failingSince}, due_at = ${after.at}
      where account_id = ${accountId} and id = ${channelId} and lease_owner = ${owner}
      returning id
    )
    update notification_delivery d set attempts = d.attempts + 1, last_attempt_at = clock_timestamp(),
      last_status = ${answer.status}, last_problem = ${answer.problem}, took_ms = ${tookMs}
    from held where d.account_id = ${accountId} and d.id = ${deliveryId} and d.status = 'waiting'`.execute(
    db,
  );
}

/** How many wait in a channel's line; counted up to `most`. */
export async function countWaiting(
  db: Db,
  { accountId, channelId }: ChannelLease,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from (select from notification_delivery
      where account_id = ${accountId} and channel_id = ${channelId} and status = 'waiting' limit ${most}) as line`.execute(
    db,
  );
  return Number(rows[0]?.count ?? 0);
}

/** Ends a channel that cannot be reached, once, and tells the account's others. What waits for it waits on. */
export const disableChannel = (
  work: Work,
  { channelId, owner }: ChannelLease,
  reason: string,
): Promise<void> =>
  underAccountLock(work, async (tx, now) => {
    const row = await tx.db
      .updateTable('notification_channel')
      .set({
        state: 'disabled',
        state_reason: reason,
        attempts: 0,
        failing_since: null,
        due_at: null,
        lease_owner: null,
        leased_until: null,
        updated_at: now,
        version: sql<number>`version + 1`,
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', channelId)
      .where('lease_owner', '=', owner)
      .returning(['id', 'label', 'kind'])
      .executeTakeFirst();
    if (row === undefined) return;
    await audit(tx, {
      mode: null,
      action: 'notification_channel.disabled',
      subjectId: row.id,
      before: { state: 'on' },
      after: { state: 'disabled', reason },
      at: now,
    });
    const fields = { channelId: row.id, label: row.label, channelKind: row.kind, reason };
    await recordEvents(tx, now, [noticeEvent('channel.disabled', fields, { mode: null })]);
  });
