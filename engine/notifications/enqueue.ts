import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { DomainError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { FAILED_IN_A_ROW } from './backoff.ts';
import type { ChannelRow } from './channel-row.ts';
import { countWaiting } from './queue.ts';

/** Queue limit of one channel: above it no replay is queued, and a failing channel is disabled. */
export const WAITING_MAX = 10_000;

/** One notification for one channel. */
export type Queued = {
  readonly notificationId: string;
  readonly notBefore: Date;
  readonly expiresAt: Date | null;
  readonly isReplay: boolean;
};

type QueuedChannel = Pick<ChannelRow, 'account_id' | 'id' | 'position'>;

/**
 * Appends notifications to a channel's queue, in the order given, and marks the channel as due. A replay of a notification that
 * already waits makes that one due, at its place in the queue. Call with the channel's row locked: positions then rise in the
 * order of commits. Returns the ids of the deliveries.
 *
 * @throws DomainError `quota_exceeded` if replays make the queue too long.
 */
export async function enqueue(
  db: Db,
  channel: QueuedChannel,
  queued: readonly Queued[],
  now: Date,
): Promise<string[]> {
  if (queued.length === 0) return [];
  const replays = queued.flatMap(({ isReplay, notificationId }) => (isReplay ? [notificationId] : []));
  const madeDue = replays.length === 0 ? new Map<string, string>() : await makeDue(db, channel, replays, now);
  const added = queued.filter(({ notificationId }) => !madeDue.has(notificationId));
  if (added.some(({ isReplay }) => isReplay)) await refuseLong(db, channel, added.length);
  const first = BigInt(channel.position) + 1n;
  const rows = added.map(({ notificationId, notBefore, expiresAt, isReplay }, index) => ({
    account_id: channel.account_id,
    id: newId(),
    channel_id: channel.id,
    position: String(first + BigInt(index)),
    notification_id: notificationId,
    not_before: notBefore,
    expires_at: expiresAt,
    is_replay: isReplay,
    created_at: now,
  }));
  if (rows.length > 0) await db.insertInto('notification_delivery').values(rows).execute();
  const dueMs = Math.min(...queued.map(({ notBefore }) => notBefore.getTime()));
  const due = new Date(dueMs);
  await db
    .updateTable('notification_channel')
    .set({
      position: String(first + BigInt(added.length - 1)),
      // A paused channel waits for its next attempt: its receiver may have asked for that.
      due_at: sql<string>`case when attempts >= ${FAILED_IN_A_ROW} then due_at else least(due_at, ${due}) end`,
    })
    .where('account_id', '=', channel.account_id)
    .where('id', '=', channel.id)
    .execute();
  return [...madeDue.values(), ...rows.map(({ id }) => id)];
}

/** Makes already queued notifications due. Returns the delivery of each. */
async function makeDue(
  db: Db,
  channel: QueuedChannel,
  notificationIds: string[],
  now: Date,
): Promise<Map<string, string>> {
  const rows = await db
    .updateTable('notification_delivery')
    .set({ not_before: now, expires_at: null, is_replay: true })
    .where('account_id', '=', channel.account_id)
    .where('channel_id', '=', channel.id)
    .where('status', '=', 'waiting')
    .where('notification_id', '=', sql<string>`any(${notificationIds}::uuid[])`)
    .returning(['id', 'notification_id'])
    .execute();
  return new Map(rows.map(({ id, notification_id }) => [notification_id, id]));
}

async function refuseLong(db: Db, { account_id, id }: QueuedChannel, added: number): Promise<void> {
  const waiting = await countWaiting(db, { accountId: account_id, channelId: id }, WAITING_MAX);
  if (waiting + added <= WAITING_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    `${waiting} notifications wait for this channel, and ${added} more would exceed ${WAITING_MAX}. Wait until they have arrived, or replay a shorter span.`,
  );
}
