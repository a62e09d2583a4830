/**
 * Turns the account's events into notifications for its channels. The events are the outbox: they are stored in the transaction
 * that caused them, in the order of commits. A reader that continues from a number misses none, and sees none before its
 * commit.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../platform/ids.ts';
import { type ChannelRow, typedChannelRow } from './channel-row.ts';
import { earliestNotifyAt } from './channel-rules.ts';
import { channelOfKind } from './channels/catalogue.ts';
import { enqueue } from './enqueue.ts';
import type { NotificationPayload } from './message.ts';
import { type Notice, noticeOf, type StoredEvent } from './notice.ts';
import { type NoticeDetails, readNoticeDetails } from './notice-details.ts';

/** Limit of events read in one transaction. */
const EVENTS_MAX = 200;

/** Finds accounts with events that are not turned into notifications yet. */
export async function findBehind(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select c.account_id from notification_cursor c join account a on a.id = c.account_id
    where a.event_seq > c.seq order by c.account_id limit ${most}`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/**
 * Makes notifications of the account's next events and queues them for its channels. The cursor moves in the same transaction:
 * none is left out or made twice, however often processes die. True if there may be more. An account that another process works
 * on is skipped.
 */
export function fanOut(db: Db, accountId: string, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ seq: string }>`
      select seq from notification_cursor where account_id = ${accountId} for update skip locked`.execute(tx);
    const [cursor] = rows;
    if (cursor === undefined) return false;
    const events = await readEvents(tx, accountId, cursor.seq);
    const last = events.at(-1);
    if (last === undefined) return false;
    await notifyChannels(tx, accountId, events, now);
    await tx
      .updateTable('notification_cursor')
      .set({ seq: last.seq })
      .where('account_id', '=', accountId)
      .execute();
    return events.length === EVENTS_MAX;
  });
}

type NumberedEvent = StoredEvent & { readonly seq: string; readonly at: string };

const readEvents = (tx: Db, accountId: string, after: string): Promise<NumberedEvent[]> =>
  tx
    .selectFrom('account_event')
    .select(['seq', 'at', 'type', 'mode', 'payload'])
    .where('account_id', '=', accountId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(EVENTS_MAX)
    .execute();

async function notifyChannels(
  tx: Db,
  accountId: string,
  events: readonly NumberedEvent[],
  now: Date,
): Promise<void> {
  const noticed = events.flatMap((event) => {
    const notice = noticeOf(event);
    return notice === null ? [] : [{ event, notice }];
  });
  if (noticed.length === 0) return;
  const details = await readNoticeDetails(
    tx,
    accountId,
    noticed.map(({ notice }) => notice),
  );
  const payloads = await withoutRepetitions(
    tx,
    accountId,
    noticed.map(({ event, notice }) => payloadOf(event, notice, details)),
  );
  if (payloads.length === 0) return;
  await insertNotifications(tx, accountId, payloads);
  for (const channel of await lockChannels(tx, accountId)) {
    const queued = payloads.flatMap((each) => {
      const notBefore = earliestNotifyAt(
        { switches: channel.switches, quietHours: channel.quiet_hours },
        each.kind,
        now,
      );
      if (notBefore === null || isAboutItself(each, channel)) return [];
      return [{ notificationId: each.id, notBefore, expiresAt: endOfUse(each, channel), isReplay: false }];
    });
    await enqueue(tx, channel, queued, now);
  }
}

const payloadOf = (event: NumberedEvent, notice: Notice, details: NoticeDetails): NotificationPayload => ({
  id: newId(),
  kind: notice.kind,
  mode: event.mode,
  at: new Date(event.at).toISOString(),
  data: details.of(notice),
});

const isAboutItself = ({ kind, data }: NotificationPayload, channel: ChannelRow): boolean =>
  kind === 'channel.disabled' && data['channelId'] === channel.id;

/** A person is not asked for an approval after its deadline; a program receives every notification. */
function endOfUse({ kind, data }: NotificationPayload, channel: ChannelRow): Date | null {
  const end = data['expiresAt'];
  if (kind !== 'order.pending' || channelOfKind(channel.kind).reader === 'program' || typeof end !== 'string')
    return null;
  return new Date(end);
}

/** Notifies of a connection only when its state changes: a rename causes the same event. */
async function withoutRepetitions(
  tx: Db,
  accountId: string,
  payloads: readonly NotificationPayload[],
): Promise<NotificationPayload[]> {
  const states = new Map<string, string>();
  const changed: NotificationPayload[] = [];
  for (const each of payloads) {
    if (each.kind === 'connection.changed') {
      const id = String(each.data['connectionId']);
      const before = states.get(id) ?? (await lastState(tx, accountId, id));
      const state = String(each.data['state']);
      if (state === before) continue;
      states.set(id, state);
    }
    changed.push(each);
  }
  return changed;
}

async function lastState(tx: Db, accountId: string, connectionId: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select data ->> 'state' as state from notification
    where account_id = ${accountId} and kind = 'connection.changed' and data ->> 'connectionId' = ${connectionId}
    order by at desc, id desc limit 1`.execute(tx);
  return rows[0]?.state;
}

export async function insertNotifications(
  tx: Db,
  accountId: string,
  payloads: readonly NotificationPayload[],
): Promise<void> {
  await tx
    .insertInto('notification')
    .values(
      payloads.map(({ id, kind, mode, at, data }) => ({
        account_id: accountId,
        id,
        kind,
        mode,
        at,
        data: JSON.stringify(data),
      })),
    )
    .execute();
}

async function lockChannels(tx: Db, accountId: string): Promise<ChannelRow[]> {
  const rows = await tx
    .selectFrom('notification_channel')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('state', '=', 'on')
    .where('is_proven', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(typedChannelRow);
}
