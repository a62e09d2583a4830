/** The delivery queue of channels. One process at a time sends to a channel, by its lease. */
import { sql } from 'kysely';
import type { DeliveryStatus } from '../../db/entities/notification.ts';
import type { Json } from '../../db/json.ts';
import type { Db } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { underAccountLock } from '../platform/account-lock.ts';
import { audit } from '../platform/audit/audit.ts';
import { toIso } from '../platform/clock/timestamp-text.ts';
import type { Work } from '../platform/context.ts';
import { recordEvents } from '../platform/events/events.ts';
import { leaseEnd } from '../platform/jobs/lease.ts';
import type { FailureState } from './backoff.ts';
import { type ChannelRow, typedChannelRow } from './channel-row.ts';
import type { ReceiverAnswer } from './delivery-verdict.ts';
import type { SentKind } from './kinds.ts';
import type { NotificationPayload } from './message.ts';
import { noticeEvent } from './notice.ts';

/** The right of one process to send to a channel. */
export type ChannelLease = { readonly accountId: string; readonly channelId: string; readonly owner: string };

type Claim = { owner: string; count: number; leaseMs: number; isFailing: boolean };

/**
 * Claims channels with due deliveries. The first of each account goes before the second of any, then the one that waited
 * longest. `isFailing`: selects channels whose last attempt failed.
 */
export async function claimChannels(
  db: Db,
  { owner, count, leaseMs, isFailing }: Claim,
): Promise<ChannelRow[]> {
  if (count <= 0) return [];
  const { rows } = await sql<Parameters<typeof typedChannelRow>[0]>`
    with busy as (
      select account_id, count(*) as held from notification_channel
      where leased_until >= clock_timestamp() group by account_id
    ), waiting as (
      select account_id, id, row_number() over (partition by account_id order by due_at, id) as place
      from notification_channel
      where state = 'on' and due_at <= clock_timestamp() and (attempts > 0) = ${isFailing}
        and (leased_until is null or leased_until < clock_timestamp())
    ), due as (
      select c.account_id, c.id from notification_channel c
        join waiting w on w.account_id = c.account_id and w.id = c.id
        left join busy b on b.account_id = c.account_id
      where c.leased_until is null or c.leased_until < clock_timestamp()
      order by w.place + coalesce(b.held, 0), c.due_at limit ${count} for update of c skip locked
    )
    update notification_channel c set lease_owner = ${owner}, leased_until = ${leaseEnd(leaseMs)}
    from due where c.account_id = due.account_id and c.id = due.id returning c.*`.execute(db);
  return rows.map(typedChannelRow);
}

/** One due notification. */
export type DueDelivery = {
  readonly deliveryId: string;
  /** Failed attempts. */
  readonly attempts: number;
  /** By the database's clock: that of a process may be wrong. Null if it never expires. */
  readonly expiresInMs: number | null;
  readonly payload: NotificationPayload;
};

/** Returns the due notifications of a channel's queue, oldest first. */
export async function nextDue(
  db: Db,
  { accountId, channelId }: ChannelLease,
  most: number,
): Promise<DueDelivery[]> {
  const { rows } = await sql<{
    id: string;
    attempts: number;
    expires_in_ms: number | null;
    notification_id: string;
    kind: SentKind;
    mode: NotificationPayload['mode'];
    at: string;
    data: { [name: string]: Json };
  }>`
    select d.id, d.attempts, d.notification_id, n.kind, n.mode, n.at, n.data,
      (extract(epoch from d.expires_at - clock_timestamp()) * 1000)::float8 as expires_in_ms
    from notification_delivery d join notification n on n.account_id = d.account_id and n.id = d.notification_id
    where d.account_id = ${accountId} and d.channel_id = ${channelId} and d.status = 'waiting'
      and d.not_before <= clock_timestamp()
    order by d.position limit ${most}`.execute(db);
  return rows.map(({ id, attempts, expires_in_ms, notification_id, kind, mode, at, data }) => ({
    deliveryId: id,
    attempts,
    expiresInMs: expires_in_ms,
    payload: { id: notification_id, kind, mode, at: toIso(at), data },
  }));
}

/** Outcome of an attempt: `waiting` if it is retried, not before `notBefore`. */
export type DeliveryAttempt = {
  readonly deliveryId: string;
  readonly status: DeliveryStatus;
  readonly notBefore: Date | null;
  /** Null if nothing was sent. */
  readonly answer: ReceiverAnswer | null;
  readonly tookMs: number | null;
};

/**
 * Records outcomes and the state of the channel, and extends the lease. False: another process holds the lease by now, and
 * sends these again.
 */
export async function recordAttempts(
  db: Db,
  { accountId, channelId, owner }: ChannelLease,
  tried: readonly DeliveryAttempt[],
  { attempts, failingSince, leaseMs }: FailureState & { leaseMs: number },
): Promise<boolean> {
  if (tried.length === 0) return true;
  const column = <Value>(value: (each: DeliveryAttempt) => Value) => tried.map(value);
  const { rows } = await sql`
    with held as (
      update notification_channel set leased_until = ${leaseEnd(leaseMs)}, attempts = ${attempts}, failing_since = ${failingSince},
        is_proven = is_proven or ${tried.some(({ answer }) => answer?.isProof)}
      where account_id = ${accountId} and id = ${channelId} and lease_owner = ${owner}
        and leased_until > clock_timestamp()
      returning id
    ), noted as (
      update notification_delivery d
      set status = e.status, last_status = e.last_status, last_problem = e.last_problem, took_ms = e.took_ms,
        not_before = coalesce(e.not_before, d.not_before),
        attempts = d.attempts + (e.took_ms is not null)::int,
        last_attempt_at = case when e.took_ms is null then d.last_attempt_at else clock_timestamp() end,
        ended_at = case when e.status = 'waiting' then null else clock_timestamp() end
      from held, unnest(
        ${column(({ deliveryId }) => deliveryId)}::uuid[], ${column(({ status }) => status)}::text[],
        ${column(({ answer }) => answer?.status ?? null)}::int[], ${column(({ answer }) => answer?.problem ?? null)}::text[],
        ${column(({ tookMs }) => tookMs)}::int[], ${column(({ notBefore }) => notBefore?.toISOString() ?? null)}::timestamptz[]
      ) as e (id, status, last_status, last_problem, took_ms, not_before)
      where d.account_id = ${accountId} and d.id = e.id and d.status = 'waiting'
    )
    select id from held`.execute(db);
  return rows.length > 0;
}

/** Returns the lease, and stores when the next delivery is due. */
export function releaseChannel(db: Db, { accountId, channelId, owner }: ChannelLease): Promise<void> {
  return inTransaction(db, async (tx) => {
    // Locked first: the next statement then sees what was queued meanwhile.
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

/** Pauses a receiver until then; the lease is returned. */
export async function pauseChannel(
  db: Db,
  { accountId, channelId, owner }: ChannelLease,
  until: Date,
): Promise<void> {
  await sql`update notification_channel set lease_owner = null, leased_until = null, due_at = ${until}
    where account_id = ${accountId} and id = ${channelId} and lease_owner = ${owner}`.execute(db);
}

/** Counts the queue of a channel, up to `most`. */
export async function countWaiting(
  db: Db,
  { accountId, channelId }: Omit<ChannelLease, 'owner'>,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from (select from notification_delivery
      where account_id = ${accountId} and channel_id = ${channelId} and status = 'waiting' limit ${most}) as line`.execute(
    db,
  );
  return Number(rows[0]?.count ?? 0);
}

/** Disables an unreachable channel, once, and notifies the account's other channels. Its queue is retained. */
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
