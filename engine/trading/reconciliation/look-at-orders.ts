import { underAccountLock } from '../../platform/account-lock.ts';
import { reconcileOrder } from '../orders/execution/reconcile.ts';
import { abandonedSince } from '../orders/execution/send-deadlines.ts';
import { externalOrders, type Look, type OurOrder, orderDifferences, ordersToAsk } from './compare/orders.ts';
import { doneAt, keepProgress } from './cursor.ts';
import { answered, lookFor, type VenueAccount } from './look.ts';
import { readOurOrders } from './read-ours.ts';
import { mergeDifferences } from './store.ts';

/** Maximum number of orders polled one by one in one run; the others follow in the next. */
const ASKED_MAX = 200;

/** Reconciles open orders both ways: ours that the venue does not list, and listed ones that are not ours. */
export async function lookAtOrders(account: VenueAccount): Promise<void> {
  const { work, connection, broker } = account;
  const startedAt = await work.clock(work.db);
  const listed = await answered(() => broker.listOpen());
  const names = listed.flatMap(({ venueOrderId, clientOrderId }) => [venueOrderId, clientOrderId ?? '']);
  const before = await readOurOrders(work, connection.id, names);
  const toAsk = ordersToAsk(before, listed, await work.clock(work.db)).slice(0, ASKED_MAX);
  const looks = new Map<string, Look>();
  for (const order of toAsk) {
    const look = await ask(account, order);
    if (look !== null) looks.set(order.id, look);
  }
  await underAccountLock(work, async (tx, now) => {
    const ours = await readOurOrders(tx, connection.id, names);
    const found = [...externalOrders(ours, listed), ...orderDifferences(ours, looks)];
    await mergeDifferences(tx, connection.id, { found, scopes: ['order'] }, now);
    await keepProgress(tx, connection.id, doneAt('orders', startedAt));
  });
}

/** Polls one order; null if its sender may still get the response. */
async function ask(account: VenueAccount, { id, status, sentAt }: OurOrder): Promise<Look | null> {
  const { work, broker } = account;
  if (status !== 'submitted' && status !== 'unknown') return (await lookFor(account, id)).look;
  if (status === 'submitted' && sentAt > abandonedSince(await work.clock(work.db))) return null;
  return (await reconcileOrder(work, { of: () => broker }, id)) === null ? 'unsure' : 'found';
}
