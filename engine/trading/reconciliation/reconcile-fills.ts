import type { AccountFill } from '../../../venues/broker.ts';
import { VENUES } from '../../../venues/catalogue.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { type AccountToReconcile, withVenueTimeout } from './account-to-reconcile.ts';
import type { Difference, DifferenceDetails } from './compare/difference.ts';
import { isMissed, missedFillDifference, sortFills } from './compare/fills.ts';
import { netOutcomes } from './compare/positions.ts';
import {
  amountOf,
  closeBySubject,
  type DifferenceRow,
  differenceDetailsOf,
  mergeDifferences,
  readActiveDifferences,
} from './difference-store.ts';
import { pollOrder } from './poll-order.ts';
import { progressOfPart, readPartsDone, readProgress, storeProgress } from './progress.ts';
import { readFilledOrders, readOurBooks, readReversibleTrades } from './read-our-books.ts';

/** Maximum number of pages in one run; the cursor is stored after each, so that the next run continues. */
const PAGES_MAX = 50;

/**
 * Reads the fills of the venue account from the stored cursor. A missing fill of ours is requested by its order: only that
 * reports it with the order's instrument and side. A fill without an order of ours is external.
 *
 * @returns whether every page was read.
 */
export async function reconcileFills(account: AccountToReconcile): Promise<boolean> {
  const { work, connection } = account;
  const startedAt = await work.clock(work.db);
  const { fills: last } = await readPartsDone(work, connection.id);
  await recognize(account);
  await pollMissing(account);
  const listed = new Set<string>();
  for (let page = 0; page < PAGES_MAX; page++) {
    if (!(await takePage(account, listed))) continue;
    if (!(await pollUnlisted(account, last, listed))) return false;
    await storeProgress(work, connection.id, progressOfPart('fills', startedAt));
    return true;
  }
  return false;
}

/**
 * Polls the orders of provisional trades booked since the last run that this run did not list. Their report was older than the
 * list: the venue may have reversed them before they were booked, and does not report that again.
 *
 * @returns whether all of them were found.
 */
async function pollUnlisted(
  account: AccountToReconcile,
  since: Date | null,
  listed: ReadonlySet<string>,
): Promise<boolean> {
  const { work, connection } = account;
  const booked = await readReversibleTrades(work, connection.id, since);
  const unlisted = booked.filter(({ tradeId }) => !listed.has(tradeId));
  let hasAll = true;
  for (const id of new Set(unlisted.map(({ orderId }) => orderId)))
    hasAll = (await pollOrder(account, id)).result === 'found' && hasAll;
  return hasAll;
}

/** Processes the next page, and collects its trade ids; true if it was the last. */
async function takePage(account: AccountToReconcile, listed: Set<string>): Promise<boolean> {
  const { work, connection, broker } = account;
  const { fills: from } = await readProgress(work, connection.id);
  const { fills, cursor } = await withVenueTimeout(() => broker.fillsSince(from));
  for (const { tradeId } of fills) listed.add(tradeId);
  const sort = async (of: Work) =>
    sortFills(
      fills,
      await readFilledOrders(of, connection.id, namesOf(fills)),
      new Date(connection.created_at),
    );
  const { missed } = await sort(work);
  for (const id of new Set(missed.map(({ orderId }) => orderId))) await pollOrder(account, id);
  await underAccountLock(work, async (tx, now) => {
    const sorted = await sort(tx);
    const external = await named(tx, account, sorted.external);
    const found = [...external, ...sorted.missed.map(missedFillDifference)];
    await mergeDifferences(tx, connection.id, { found, scopes: [] }, now);
    for (const subject of sorted.undone) await closeBySubject(tx, connection.id, subject, now);
    await storeProgress(tx, connection.id, { fills: cursor });
  });
  return fills.length === 0 || cursor === from;
}

const namesOf = (fills: readonly AccountFill[]): string[] =>
  fills.flatMap(({ venueOrderId, clientOrderId }) => [venueOrderId, clientOrderId ?? '']);

/** Marks an external fill against our holdings as `netting` if the venue nets: it pays out. */
async function named(
  tx: Work,
  { connection }: AccountToReconcile,
  external: readonly Difference[],
): Promise<readonly Difference[]> {
  const { clearing } = VENUES[connection.venue];
  if (!clearing.netsOutcomes || external.length === 0) return external;
  const { held } = await readOurBooks(tx, connection.id, null);
  const net = netOutcomes(held, clearing);
  return external.map((difference) => {
    const { tokenId = '', side } = difference.about;
    const ours = net.get(tokenId);
    const isAgainst = ours !== undefined && (side === 'sell' ? ours.gt(0) : ours.lt(0));
    return isAgainst ? { ...difference, kind: 'netting' } : difference;
  });
}

/** Reclassifies external fills as ours if their venue order id now belongs to an order of ours. */
async function recognize({ work, connection }: AccountToReconcile): Promise<void> {
  const strange = (await readActiveDifferences(work, connection.id)).filter(
    (row) =>
      row.state === 'open' &&
      row.subject.startsWith('fill:') &&
      differenceDetailsOf(row).orderId === undefined,
  );
  if (strange.length === 0) return;
  await underAccountLock(work, async (tx, now) => {
    const names = strange.map((row) => differenceDetailsOf(row).venueOrderId ?? '');
    const orders = await readFilledOrders(tx, connection.id, names);
    const found = strange.flatMap((row): Difference[] => {
      const about = differenceDetailsOf(row);
      const order = orders.find(({ venueOrderId }) => venueOrderId === about.venueOrderId);
      return order === undefined ? [] : [lagOf(row, { ...about, orderId: order.id })];
    });
    await mergeDifferences(tx, connection.id, { found, scopes: [] }, now);
  });
}

const lagOf = (row: DifferenceRow, about: DifferenceDetails): Difference => ({
  subject: row.subject,
  kind: 'lag',
  ours: amountOf(row.ours),
  theirs: amountOf(row.theirs),
  worth: null,
  about,
});

/**
 * Polls again the orders of our fills that the list reported before the orders did, until they are booked. A reversed fill need
 * not be booked: only its order reports the reversal once the list has moved on.
 */
async function pollMissing(account: AccountToReconcile): Promise<void> {
  const { work, connection } = account;
  const waiting = (await readActiveDifferences(work, connection.id)).filter(
    (row) =>
      row.state === 'open' &&
      row.subject.startsWith('fill:') &&
      differenceDetailsOf(row).orderId !== undefined,
  );
  if (waiting.length === 0) return;
  const failed = new Set<string>();
  for (const id of new Set(waiting.map((row) => differenceDetailsOf(row).orderId ?? ''))) {
    const { fills } = await pollOrder(account, id);
    for (const { tradeId, state } of fills) if (state === 'failed') failed.add(`${id} ${tradeId}`);
  }
  await underAccountLock(work, async (tx, now) => {
    const names = waiting.map((row) => differenceDetailsOf(row).venueOrderId ?? '');
    const booked = new Map(
      (await readFilledOrders(tx, connection.id, names)).map(({ id, tradeIds }) => [id, tradeIds]),
    );
    for (const row of waiting) {
      const about = differenceDetailsOf(row);
      const { orderId = '', tradeId = '' } = about;
      const isFailed = about.isFailed === true || failed.has(`${orderId} ${tradeId}`);
      if (!isMissed({ tradeId, state: isFailed ? 'failed' : 'final' }, booked.get(orderId) ?? new Set())) {
        await closeBySubject(tx, connection.id, row.subject, now);
        continue;
      }
      await mergeDifferences(tx, connection.id, { found: [lagOf(row, about)], scopes: [] }, now);
    }
  });
}
