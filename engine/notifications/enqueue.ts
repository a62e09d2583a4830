import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { newId } from '../ids.ts';
import type { ChannelRow } from './row.ts';

/** One notification for one channel. */
export type Queued = {
  readonly notificationId: string;
  readonly notBefore: Date;
  readonly expiresAt: Date | null;
  readonly isReplay: boolean;
};

type Place = Pick<ChannelRow, 'account_id' | 'id' | 'position'>;

/**
 * Puts notifications at the end of a channel's line, in the order given, and says that there is something to do. Call with the
 * channel's row locked: its places rise as transactions commit. Answers the ids of the deliveries.
 */
export async function enqueue(
  db: Db,
  channel: Place,
  queued: readonly Queued[],
  now: Date,
): Promise<string[]> {
  if (queued.length === 0) return [];
  const first = BigInt(channel.position) + 1n;
  const rows = queued.map(({ notificationId, notBefore, expiresAt, isReplay }, index) => ({
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
  await db.insertInto('notification_delivery').values(rows).execute();
  const dueMs = Math.min(...queued.map(({ notBefore }) => notBefore.getTime()));
  const due = new Date(dueMs);
  await db
    .updateTable('notification_channel')
    .set({
      position: String(first + BigInt(queued.length - 1)),
      // One that is failing waits for its next try.
      due_at: sql<string>`case when attempts > 0 then due_at else least(due_at, ${due}) end`,
    })
    .where('account_id', '=', channel.account_id)
    .where('id', '=', channel.id)
    .execute();
  return rows.map(({ id }) => id);
}
