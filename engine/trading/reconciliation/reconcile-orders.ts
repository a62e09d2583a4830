import { underAccountLock } from '../../platform/account-lock.ts';
import { isFinal } from '../../platform/order-states.ts';
import { mayCancel } from '../connections/states.ts';
import { pollGivenUpOrder, reconcileOrder } from '../orders/execution/reconcile.ts';
import { abandonedSince } from '../orders/execution/send-deadlines.ts';
import { type AccountToReconcile, withVenueTimeout } from './account-to-reconcile.ts';
import {
  externalOrders,
  type OurOrder,
  orderDifferences,
  ordersToPoll,
  type PollResult,
} from './compare/orders.ts';
import { mergeDifferences } from './difference-store.ts';
import { pollOrder, withoutVenueErrors } from './poll-order.ts';
import { progressOfPart, storeProgress } from './progress.ts';
import { readOurOrders } from './read-our-books.ts';

/** Maximum number of orders polled one by one in one run; the others follow in the next. */
const POLLED_MAX = 200;

/** Reconciles open orders both ways: ours that the venue does not list, and listed ones that are not ours. */
export async function reconcileOrders(account: AccountToReconcile): Promise<void> {
  const { work, connection, broker } = account;
  const startedAt = await work.clock(work.db);
  const listed = await withVenueTimeout(() => broker.listOpen());
  const names = listed.flatMap(({ venueOrderId, clientOrderId }) => [venueOrderId, clientOrderId ?? '']);
  const before = await readOurOrders(work, connection.id, names);
  const toPoll = ordersToPoll(before, listed, await work.clock(work.db)).slice(0, POLLED_MAX);
  const polls = new Map<string, PollResult>();
  for (const order of toPoll) {
    const result = await poll(account, order);
    if (result !== null) polls.set(order.id, result);
  }
  await underAccountLock(work, async (tx, now) => {
    const ours = await readOurOrders(tx, connection.id, names);
    const found = [...externalOrders(ours, listed), ...orderDifferences(ours, polls)];
    await mergeDifferences(tx, connection.id, { found, scopes: ['order'] }, now);
    await storeProgress(tx, connection.id, progressOfPart('orders', startedAt));
  });
}

/**
 * Polls one order; null if its sender may still get the response. One that has ended here, by a refusal that its venue took
 * back, and rests there is canceled.
 */
async function poll(
  account: AccountToReconcile,
  { id, status, sentAt }: OurOrder,
): Promise<PollResult | null> {
  const { work, broker, connection } = account;
  const brokers = { of: () => broker };
  if (isFinal(status) && mayCancel(connection.state)) {
    await withoutVenueErrors(() => withVenueTimeout(() => pollGivenUpOrder(work, brokers, id)));
    return null;
  }
  if (status !== 'submitted' && status !== 'unknown') return (await pollOrder(account, id)).result;
  if (status === 'submitted' && sentAt > abandonedSince(await work.clock(work.db))) return null;
  return (await reconcileOrder(work, brokers, id)) === null ? 'unsure' : 'found';
}
