import { z } from 'zod';
import { LIQUIDITIES, SIDES } from '../../../../db/vocabulary.ts';
import type { AccountFill, VenueEvent, VenueOrder } from '../../../../venues/broker.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import type { OrderRow } from '../row.ts';
import { type AppliedReport, applyReport } from './execution-report.ts';

/** What of a stream is about an order. */
export type OrderEvent = Extract<VenueEvent, { kind: 'order' | 'fill' }>;

/** An order by what the venue calls it, and by what we do. */
type Names = { readonly clientOrderId: string | null; readonly venueOrderId: string | null };

/**
 * Takes over what a user stream tells of an order of this venue account. What is of no order known yet is parked: it may
 * come before the answer that names the order, and is taken over with that. What stays parked is somebody else's: the comparison of
 * open orders, fills and holdings finds it, and it is forgotten with time. A fill in other words than the order's (venue A
 * tells everything as of yes) says that there is one: the order itself is asked for it.
 *
 * @returns what it did; null where it was parked, or only says that something is there.
 */
export async function takeVenueEvent(
  work: Work,
  connectionId: string,
  event: OrderEvent,
): Promise<AppliedReport | null> {
  const known = await underAccountLock(work, async (tx, now) => {
    const names = namesOf(event);
    const order = await findByName(tx, connectionId, names);
    if (order === null) await park(tx, connectionId, event, names, now);
    else if (!isOf(order, wordsOf(event))) await noteFillsMissing(tx, order.id, now);
    else return order;
    return null;
  });
  return known === null ? null : applyAnswer(work, known.id, reportOf(event));
}

/** Believes an answer, and after it all that the stream told of the order before anybody knew its name. */
export async function applyAnswer(work: Work, id: string, told: VenueOrder): Promise<AppliedReport> {
  const applied = await applyReport(work, id, told);
  const { connection_id } = applied.order;
  if (connection_id === null) return applied;
  let last = applied;
  for (const { key, report } of await findParked(work, connection_id, applied.order)) {
    const { words, ...parked } = Report.parse(report);
    if (!isOf(applied.order, words)) {
      await underAccountLock(work, (tx, now) => noteFillsMissing(tx, id, now));
      await unpark(work, connection_id, key);
      continue;
    }
    const next = await applyReport(work, id, parked);
    last = {
      order: next.order,
      isLate: last.isLate || next.isLate,
      hasReversal: last.hasReversal || next.hasReversal,
    };
    await unpark(work, connection_id, key);
  }
  return last;
}

const namesOf = (event: OrderEvent): Names =>
  event.kind === 'fill'
    ? event.fill
    : { clientOrderId: event.clientOrderId, venueOrderId: event.order.venueOrderId };

type Words = Pick<AccountFill, 'tokenId' | 'side'>;

/** What a fill is told to be of; nothing of an order, which is told by its name. */
const wordsOf = (event: OrderEvent): Words | undefined =>
  event.kind === 'fill' ? { tokenId: event.fill.tokenId, side: event.fill.side } : undefined;

const isOf = (order: Pick<OrderRow, 'token_id' | 'side'>, words: Words | undefined): boolean =>
  words === undefined || (words.tokenId === order.token_id && words.side === order.side);

/** Whoever asks for missing fills finds the order by it. */
async function noteFillsMissing(tx: Work, orderId: string, now: Date): Promise<void> {
  await tx.db
    .updateTable('order_dispatch')
    .set({ fills_missing_since: now })
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', orderId)
    .where('fills_missing_since', 'is', null)
    .execute();
}

/** A fill by itself says nothing of the order's status: an open one moves nothing back. */
const reportOf = (event: OrderEvent): VenueOrder =>
  event.kind === 'order'
    ? event.order
    : {
        venueOrderId: event.fill.venueOrderId,
        status: 'open',
        filledAmount: null,
        fills: [event.fill],
        reasonCode: null,
        reason: null,
      };

/** One look-up by each name, so that each is answered by its own index. */
async function findByName(
  tx: Work,
  connectionId: string,
  { clientOrderId, venueOrderId }: Names,
): Promise<Pick<OrderRow, 'id' | 'token_id' | 'side'> | null> {
  const dispatched = tx.db
    .selectFrom('order_dispatch')
    .select('order_id as id')
    .where('account_id', '=', tx.accountId)
    .where('connection_id', '=', connectionId);
  const named = tx.db
    .selectFrom('trade_order')
    .select('id')
    .where('account_id', '=', tx.accountId)
    .where('connection_id', '=', connectionId)
    .where('venue_order_id', '=', venueOrderId);
  const row = await dispatched
    .where('client_order_id', '=', clientOrderId)
    .unionAll(dispatched.where('venue_order_id', '=', venueOrderId))
    .unionAll(named)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const order = await tx.db
    .selectFrom('trade_order')
    .select(['id', 'token_id', 'side'])
    .where('account_id', '=', tx.accountId)
    .where('id', '=', row.id)
    .executeTakeFirst();
  return order ?? null;
}

async function park(
  tx: Work,
  connectionId: string,
  event: OrderEvent,
  { clientOrderId, venueOrderId }: Names,
  now: Date,
): Promise<void> {
  await tx.db
    .insertInto('venue_event')
    .values({
      account_id: tx.accountId,
      connection_id: connectionId,
      key: keyOf(event),
      client_order_id: clientOrderId,
      venue_order_id: venueOrderId,
      report: JSON.stringify({ ...reportOf(event), words: wordsOf(event) }),
      at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const keyOf = (event: OrderEvent): string =>
  event.kind === 'fill'
    ? `fill ${event.fill.venueOrderId} ${event.fill.tradeId} ${event.fill.state}`
    : `order ${event.order.venueOrderId} ${event.order.status} ${event.order.filledAmount}`;

/** What is parked of an order, in the order it came. */
const findParked = (work: Work, connectionId: string, { id, venue_order_id }: OrderRow) =>
  work.db
    .selectFrom('venue_event')
    .select(['key', 'report'])
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .where((eb) => eb.or([eb('client_order_id', '=', id), eb('venue_order_id', '=', venue_order_id)]))
    .orderBy('at')
    .execute();

async function unpark(work: Work, connectionId: string, key: string): Promise<void> {
  await work.db
    .deleteFrom('venue_event')
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .where('key', '=', key)
    .execute();
}

const Fill = z.object({
  tradeId: z.string(),
  amount: z.string(),
  price: z.string(),
  fee: z.string(),
  feeAsset: z.string(),
  feeAmount: z.string(),
  liquidity: z.enum(LIQUIDITIES).nullable(),
  state: z.enum(['provisional', 'final', 'failed']),
  at: z.coerce.date(),
});
/** A report as it was parked. */
const Report = z.object({
  venueOrderId: z.string().nullable(),
  status: z.enum(['open', 'filled', 'canceled', 'expired', 'rejected']),
  filledAmount: z.string().nullable(),
  fills: z.array(Fill),
  reasonCode: z.string().nullable(),
  reason: z.string().nullable(),
  words: z.object({ tokenId: z.string(), side: z.enum(SIDES) }).optional(),
});
