import type { Mode, Venue } from '../../../db/vocabulary.ts';
import { otherSideOf, venueOf } from '../../../venues/catalogue.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import { type Exact, exact, sumOf, toMoney, ZERO } from '../../platform/decimal.ts';
import type { Receipt } from '../../risk/receipt.ts';
import type { BookedOrder, RebuiltBooks } from '../rebuilt-books.ts';
import type { Report } from '../rows.ts';

/**
 * Compares the live facts of a receipt with the books of that moment: that they exist in live mode only, and each sum. The
 * limits are those of the operator and of the connection at that time, which are stored nowhere else.
 */
export function checkLiveReceipt(
  mode: Mode,
  books: RebuiltBooks,
  { row }: BookedOrder,
  { live, decidedAt }: Receipt,
  report: Report,
): void {
  const stated = live === undefined ? 'nothing' : 'something';
  if ((mode === 'live') !== (live !== undefined))
    report(
      'trade_order',
      row.id,
      'real money on the receipt',
      mode === 'live' ? 'something' : 'nothing',
      stated,
    );
  if (live === undefined) return;
  const now = new Date(decidedAt);
  const buys = books.liveBuys(now, row.id);
  const paid = [...(books.paidByDay.get(utcDay(now)) ?? [])];
  const compare = (field: string, expected: Exact, actual: string) => {
    if (!toMoney(expected).eq(actual))
      report('trade_order', row.id, `${field} on the receipt`, toMoney(expected).toFixed(), actual);
  };
  const spentBy = (isCounted: (connectionId: string | null) => boolean): Exact =>
    sumOf([
      ...buys.filter(({ row: { connection_id } }) => isCounted(connection_id)).map(restOf),
      ...paid.filter(([connectionId]) => isCounted(connectionId)).map(([, usd]) => usd),
    ]);
  compare(
    'spentToday',
    spentBy(() => true),
    live.spentToday,
  );
  if (live.otherSide !== undefined) compare('otherSide', otherSideAt(row, books, buys), live.otherSide);
  const { connection } = live;
  if (connection === undefined) return;
  compare(
    'spentToday of the connection',
    spentBy((id) => id === connection.id),
    connection.spentToday,
  );
  compare('openNotional of the connection', openAt(row.venue, books, buys), connection.openNotional);
}

/** The most that a live buy may still cost at its limit. */
const restOf = ({ row, filledAmount }: BookedOrder): Exact =>
  exact(row.limit_price).times(exact(row.amount).minus(filledAmount));

const openAt = (venue: Venue, books: RebuiltBooks, buys: readonly BookedOrder[]): Exact =>
  sumOf([
    ...buys.filter(({ row }) => row.venue === venue).map(restOf),
    ...[...books.heldByToken()]
      .filter(([tokenId]) => venueOf(tokenId) === venue)
      .map(([, { totalCost }]) => totalCost),
  ]);

/** Units of the other side, held or being bought. */
function otherSideAt(
  { venue, token_id }: BookedOrder['row'],
  books: RebuiltBooks,
  buys: readonly BookedOrder[],
): Exact {
  const other = otherSideOf(venue, token_id);
  const bought = buys.filter(({ row }) => row.token_id === other);
  const held = other === null ? undefined : books.heldByToken().get(other);
  return sumOf([
    held?.amount ?? ZERO,
    ...bought.map(({ row, filledAmount }) => exact(row.amount).minus(filledAmount)),
  ]);
}
