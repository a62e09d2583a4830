import type { Selectable } from 'kysely';
import type { DeliveryStatus } from '../../db/entities/notification.ts';
import type { Database } from '../../db/tables.ts';
import { underAccountLock } from '../platform/account-lock.ts';
import type { Work } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { type ChannelRow, loadChannel } from './channel-row.ts';
import { enqueue } from './enqueue.ts';
import { type NotificationKind, switchOf, TEST_KIND } from './kinds.ts';

/** Limit of notifications queued by one replay of a range. */
export const RESENT_MAX = 1_000;

export type DeliveryRow = Selectable<Database['notification_delivery']> & {
  readonly kind: string;
  readonly label: string;
};

type Wanted = {
  readonly limit: number;
  readonly after: { readonly createdAt: string; readonly id: string } | null;
  readonly channelId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
};

/** Reads deliveries and their outcome, newest first; one row more than `limit` if there are more. */
export const listDeliveries = (
  { db, accountId }: Work,
  { limit, after, channelId, status }: Wanted,
): Promise<DeliveryRow[]> =>
  db
    .selectFrom('notification_delivery as d')
    .innerJoin('notification as n', (join) =>
      join.onRef('n.account_id', '=', 'd.account_id').onRef('n.id', '=', 'd.notification_id'),
    )
    .innerJoin('notification_channel as c', (join) =>
      join.onRef('c.account_id', '=', 'd.account_id').onRef('c.id', '=', 'd.channel_id'),
    )
    .selectAll('d')
    .select(['n.kind', 'c.label'])
    .where('d.account_id', '=', accountId)
    .$if(channelId !== undefined, (query) => query.where('d.channel_id', '=', channelId ?? ''))
    .$if(status !== undefined, (query) => query.where('d.status', '=', status ?? 'waiting'))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('d.created_at', 'd.id'), '<', tuple(after?.createdAt ?? '', after?.id ?? '')),
      ),
    )
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit + 1)
    .execute();

/** Queues a sent notification again, under the same id. @throws DomainError `not_found`, `invalid_state`. */
export function resendDelivery(work: Work, id: string): Promise<string> {
  return underAccountLock(work, async (tx, now) => {
    const sent = await tx.db
      .selectFrom('notification_delivery')
      .select(['channel_id', 'notification_id'])
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (sent === undefined) throw notFound();
    const channel = await loadOn(tx, sent.channel_id);
    const queued = {
      notificationId: sent.notification_id,
      notBefore: now,
      expiresAt: null,
      isReplay: true,
    };
    const [deliveryId = ''] = await enqueue(tx.db, channel, [queued], now);
    return deliveryId;
  });
}

/**
 * Queues again all notifications of a span that the channel's switches allow, oldest first, under the same ids.
 *
 * @throws DomainError `not_found`, `invalid_state`; `quota_exceeded` above the limit of a replay.
 */
export function resendDeliveries(
  work: Work,
  channelId: string,
  span: { from: Date; to: Date },
): Promise<number> {
  return underAccountLock(work, async (tx, now) => {
    const channel = await loadOn(tx, channelId);
    const sent = await tx.db
      .selectFrom('notification')
      .select(['id', 'kind'])
      .where('account_id', '=', tx.accountId)
      .where('at', '>=', span.from.toISOString())
      .where('at', '<', span.to.toISOString())
      .where('kind', '!=', TEST_KIND)
      .orderBy('at')
      .orderBy('id')
      .limit(RESENT_MAX + 1)
      .execute();
    if (sent.length > RESENT_MAX) {
      throw new DomainError(
        'quota_exceeded',
        `There are more than ${RESENT_MAX} notifications in this span. Ask for a shorter one.`,
      );
    }
    const queued = sent
      .filter(({ kind }) => switchOf(channel.switches, kind as NotificationKind) !== 'off')
      .map(({ id }) => ({ notificationId: id, notBefore: now, expiresAt: null, isReplay: true }));
    await enqueue(tx.db, channel, queued, now);
    return queued.length;
  });
}

async function loadOn(tx: Work, channelId: string): Promise<ChannelRow> {
  const channel = await loadChannel(tx, channelId);
  if (channel.state !== 'on')
    throw new DomainError('invalid_state', `The channel is ${channel.state}: turn it on first.`);
  if (channel.is_proven) return channel;
  throw new DomainError(
    'invalid_state',
    'The webhook is not proven: send it a test, and answer that with its challenge.',
  );
}
