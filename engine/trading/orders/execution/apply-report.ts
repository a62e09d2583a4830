import type { VenueOrder } from '../../../../venues/broker.ts';
import { bookingContextOf, writeBooking } from '../../../books/accounting/book-fill.ts';
import { openAccountDay } from '../../../books/accounting/day.ts';
import { positionsOf } from '../../../books/accounting/positions-of.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { RESERVING_STATUSES } from '../../../platform/order-states.ts';
import { reports, traceIdOfOrder } from '../diagnostics.ts';
import { storeOutcome, writeChange } from '../lifecycle/transition.ts';
import { planUncoveredCancels } from '../lifecycle/uncovered-sells.ts';
import { loadOrder, ordersOf } from '../load.ts';
import type { OrderRow } from '../row.ts';
import { type BookedFill, planReport, type ReportFacts } from './plan-report.ts';

/** Result of applying a report: the order after it, whether a fill came after its end, and whether one was reversed. */
export type AppliedReport = { order: OrderRow; isLate: boolean; hasReversal: boolean };

/**
 * Applies a venue's report to an order: books new fills and moves the status along the allowed edges, in one transaction under
 * the account's lock. Safe to call with any report, repeatedly and in any sequence: a fill counts once by its trade id, and an
 * outdated report moves nothing back.
 */
export async function applyReport(work: Work, id: string, report: VenueOrder): Promise<AppliedReport> {
  let fills = 0;
  let ageMs = 0;
  const applied = await underAccountLock(work, async (tx, now) => {
    const before = await loadOrder(tx, id);
    const facts = await readFacts(tx, before, report);
    const answered = planReport(facts, report, { ...bookingContextOf(tx, now), actor: tx.actor });
    if (answered.fills.length > 0) await openAccountDay(tx, now);
    for (const booked of answered.fills) await writeFill(tx, id, booked);
    if (answered.venueOrderId !== null) await storeVenueOrderId(tx, id, answered.venueOrderId);
    let order = before;
    for (const change of answered.changes) order = await writeChange(tx, change);
    await storeOutcome(tx, now, { ...answered, changes: [] });
    if (answered.lacksFills || answered.fills.length > 0)
      await storeFillsMissing(tx, id, answered.lacksFills, now);
    const hasReversal = answered.fills.some(({ booking }) => booking.fill.kind === 'reversal');
    if (hasReversal) await takeBackSells(tx, order, now);
    fills = answered.fills.length;
    ageMs = now.getTime() - Date.parse(order.created_at);
    return { order, isLate: answered.isLate, hasReversal };
  });
  if (reports.hasSubscribers) publishReport(applied.order, fills, ageMs);
  return applied;
}

function publishReport(order: OrderRow, fills: number, ageMs: number): void {
  const { id: orderId, account_id: accountId, status } = order;
  reports.publish({ orderId, accountId, traceId: traceIdOfOrder(order), status, fills, ageMs });
}

/** Cancels sells that a reversed trade has left without a holding. */
async function takeBackSells(tx: Work, order: OrderRow, now: Date): Promise<void> {
  if (order.side !== 'buy') return;
  const sells = await ordersOf(tx)
    .where('token_id', '=', order.token_id)
    .where('side', '=', 'sell')
    .where('status', 'in', RESERVING_STATUSES)
    .execute();
  const allocated = [];
  for (const sell of sells) allocated.push({ order: sell, allocations: await readAllocations(tx, sell) });
  const held = new Map(
    (await positionsOf(tx, order.token_id).execute()).map(({ id, amount }) => [id, exact(amount)]),
  );
  await storeOutcome(tx, now, planUncoveredCancels(allocated, held, { actor: tx.actor, now }));
}

/** Reads the stored state of the order; a report without fills needs none of the books. */
async function readFacts(tx: Work, order: OrderRow, { fills }: VenueOrder): Promise<ReportFacts> {
  if (fills.length === 0) return { order, fills: [], parts: [], allocations: [], positions: [] };
  return {
    order,
    fills: await readFills(tx, order),
    parts: fills.some(({ state }) => state === 'failed') ? await readParts(tx, order) : [],
    allocations: order.side === 'sell' ? await readAllocations(tx, order) : [],
    positions: await positionsOf(tx, order.token_id).execute(),
  };
}

const readFills = (tx: Work, order: OrderRow) =>
  tx.db
    .selectFrom('fill')
    .select([
      'id',
      'kind',
      'venue_trade_id',
      'price',
      'amount',
      'fee',
      'fee_asset',
      'fee_amount',
      'liquidity',
    ])
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', order.id)
    .execute();

const readParts = (tx: Work, order: OrderRow) =>
  tx.db
    .selectFrom('fill_allocation as p')
    .innerJoin('fill as f', (join) =>
      join.onRef('f.account_id', '=', 'p.account_id').onRef('f.id', '=', 'p.fill_id'),
    )
    .selectAll('p')
    .where('f.account_id', '=', tx.accountId)
    .where('f.order_id', '=', order.id)
    .execute();

const readAllocations = (tx: Work, order: OrderRow) =>
  tx.db
    .selectFrom('order_allocation')
    .select(['position_id', 'amount', 'filled_amount'])
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', order.id)
    .orderBy('number')
    .execute();

async function writeFill(tx: Work, orderId: string, { opened, booking, allocations }: BookedFill) {
  if (opened !== null) await tx.db.insertInto('position').values(opened).execute();
  if (!(await writeBooking(tx, booking))) {
    throw new Error(`Trade ${booking.fill.venue_trade_id} of order ${orderId} was booked already.`);
  }
  for (const { position_id, filled_amount } of allocations) {
    await tx.db
      .updateTable('order_allocation')
      .set({ filled_amount })
      .where('account_id', '=', tx.accountId)
      .where('order_id', '=', orderId)
      .where('position_id', '=', position_id)
      .execute();
  }
}

/** Stores since when reported fills are missing, so that they are requested; or clears it. */
async function storeFillsMissing(tx: Work, orderId: string, isLacking: boolean, now: Date): Promise<void> {
  await tx.db
    .updateTable('order_dispatch')
    .set({ fills_missing_since: isLacking ? now : null })
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', orderId)
    .where('fills_missing_since', isLacking ? 'is' : 'is not', null)
    .execute();
}

/** Stores the venue order id at once: some venues can only be queried by it. */
async function storeVenueOrderId(tx: Work, orderId: string, venueOrderId: string): Promise<void> {
  await tx.db
    .updateTable('trade_order')
    .set({ venue_order_id: venueOrderId })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', orderId)
    .execute();
}
