import { z } from 'zod';
import { LIQUIDITIES } from '../../../db/vocabulary.ts';
import type { VenueEvent, VenueOrder } from '../../../venues/broker.ts';
import { underAccountLock } from '../../account-lock.ts';
import type { Work } from '../../context.ts';
import type { OrderRow } from '../row.ts';
import { type AppliedReport, applyReport } from './execution-report.ts';

/** What of a stream is about an order. */
export type OrderEvent = Extract<VenueEvent, { kind: 'order' | 'fill' }>;

/** An order by what the venue calls it, and by what we do. */
type Names = { readonly clientOrderId: string | null; readonly venueOrderId: string | null };

/** After this long what nobody here knows is somebody else's. */
const EXTERNAL_AFTER_MS = 60_000;

/**
 * Takes over what a user stream tells of an order of this venue account. What is of no order known yet is parked: it may
 * come before the answer that names the order, and is taken over with that.
 *
 * @returns what it did; null where it was parked.
 */
export async function takeVenueEvent(
  work: Work,
  connectionId: string,
  event: OrderEvent,
): Promise<AppliedReport | null> {
  const id = await underAccountLock(work, async (tx, now) => {
    const names = namesOf(event);
    const known = await findByName(tx, connectionId, names);
    if (known === null) await park(tx, connectionId, event, names, now);
    return known;
  });
  return id === null ? null : applyAnswer(work, id, reportOf(event));
}

/** Believes an answer, and after it all that the stream told of the order before anybody knew its name. */
export async function applyAnswer(work: Work, id: string, told: VenueOrder): Promise<AppliedReport> {
  const applied = await applyReport(work, id, told);
  const { connection_id } = applied.order;
  if (connection_id === null) return applied;
  let last = applied;
  for (const { key, report } of await findParked(work, connection_id, applied.order)) {
    const next = await applyReport(work, id, Report.parse(report));
    last = {
      order: next.order,
      isLate: last.isLate || next.isLate,
      hasReversal: last.hasReversal || next.hasReversal,
    };
    await unpark(work, connection_id, key);
  }
  return last;
}

/** Events that have waited long enough to be of an order that was not placed here. */
export const findExternalEvents = (work: Work, connectionId: string, now: Date, limit: number) =>
  work.db
    .selectFrom('venue_event')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .where('at', '<=', new Date(now.getTime() - EXTERNAL_AFTER_MS).toISOString())
    .orderBy('at')
    .limit(limit)
    .execute();

const namesOf = (event: OrderEvent): Names =>
  event.kind === 'fill'
    ? event.fill
    : { clientOrderId: event.clientOrderId, venueOrderId: event.order.venueOrderId };

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
): Promise<string | null> {
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
  return row?.id ?? null;
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
      report: JSON.stringify(reportOf(event)),
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
});
