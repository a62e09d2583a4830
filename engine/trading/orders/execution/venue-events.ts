import { z } from 'zod';
import { LIQUIDITIES, SIDES } from '../../../../db/vocabulary.ts';
import type { AccountFill, VenueEvent, VenueOrder } from '../../../../venues/broker.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import type { OrderRow } from '../row.ts';
import { type AppliedReport, applyReport } from './apply-report.ts';

/** Events of a stream about an order. */
export type OrderEvent = Extract<VenueEvent, { kind: 'order' | 'fill' }>;

/** Ids of an order: ours and the venue's. */
type Names = { readonly clientOrderId: string | null; readonly venueOrderId: string | null };

/**
 * Applies an event of the user stream to an order of this venue account. An event of an unknown order is parked: it may come
 * before the response that names the order, and is applied with it. An event that stays parked belongs to an order from outside
 * this service: the reconciliation of open orders, fills and holdings finds that order, and the event is deleted after a while.
 * Venue A reports every fill as one of yes. A fill that differs from the order in instrument or side only proves that one
 * exists: the order itself is then polled.
 *
 * @returns the applied report; null if the event was parked, or only proves that a fill exists.
 */
export async function applyVenueEvent(
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
  return known === null ? null : applyVenueReport(work, known.id, reportOf(event));
}

/** Applies a report, and then all parked stream events of the order that came before its id was known. */
export async function applyVenueReport(work: Work, id: string, answer: VenueOrder): Promise<AppliedReport> {
  const applied = await applyReport(work, id, answer);
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

/** Returns the instrument and side that a fill event reports; none for an order event, which is matched by its id. */
const wordsOf = (event: OrderEvent): Words | undefined =>
  event.kind === 'fill' ? { tokenId: event.fill.tokenId, side: event.fill.side } : undefined;

const isOf = (order: Pick<OrderRow, 'token_id' | 'side'>, words: Words | undefined): boolean =>
  words === undefined || (words.tokenId === order.token_id && words.side === order.side);

/** Marks the order, so that its missing fills are requested. */
async function noteFillsMissing(tx: Work, orderId: string, now: Date): Promise<void> {
  await tx.db
    .updateTable('order_dispatch')
    .set({ fills_missing_since: now })
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', orderId)
    .where('fills_missing_since', 'is', null)
    .execute();
}

/** Converts an event to a report. A single fill does not state the order's status: `open` moves nothing back. */
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

/** Finds an order by one lookup an id, so that each uses its own index. */
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

/** Finds the parked events of an order, in the sequence of their arrival. */
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
/** A parked report. */
const Report = z.object({
  venueOrderId: z.string().nullable(),
  status: z.enum(['open', 'filled', 'canceled', 'expired', 'rejected']),
  filledAmount: z.string().nullable(),
  fills: z.array(Fill),
  reasonCode: z.string().nullable(),
  reason: z.string().nullable(),
  words: z.object({ tokenId: z.string(), side: z.enum(SIDES) }).optional(),
});
