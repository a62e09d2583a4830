import { exact } from '../../platform/decimal.ts';
import type { BookedOrder, RebuiltBooks } from '../rebuilt-books.ts';
import type { FillEntry, FillRow, LedgerOrderRow, Report } from '../rows.ts';

/** Checks that a trade matches its order, at the order's limit or better, and moved positions of the order's blueprint. */
export function checkFillAgainstOrder({ fill, parts }: FillEntry, books: RebuiltBooks, report: Report): void {
  const order = books.order(fill.order_id);
  for (const { position_id } of parts) {
    const position = books.positions.get(position_id);
    if (position === undefined) continue;
    const isAny = order === undefined || drawsOnAnyBlueprint(order) || isReservationSpent(order, books);
    const owner = isAny ? position.blueprintId : order.row.blueprint_id;
    if (position.blueprintId !== owner)
      report('position', position.id, `blueprintId of fill ${fill.id}`, owner, position.blueprintId);
    if (position.tokenId !== fill.token_id)
      report('position', position.id, `tokenId of fill ${fill.id}`, fill.token_id, position.tokenId);
  }
  if (order !== undefined) compareFillWithOrder(fill, order.row, report);
}

/** A close by a person or key may draw on every blueprint's position. */
const drawsOnAnyBlueprint = ({ row }: BookedOrder): boolean => row.side === 'sell' && row.origin === 'manual';

/**
 * Whether nothing is left of a sell's reservation. A trade beyond it, or one that arrives after the holding was sold
 * otherwise, is booked to any other holding.
 */
const isReservationSpent = ({ allocations, soldByPosition }: BookedOrder, books: RebuiltBooks): boolean =>
  allocations.length > 0 &&
  allocations.every(
    ({ position_id, amount }) =>
      exact(amount).lte(soldByPosition.get(position_id) ?? 0) ||
      !(books.positions.get(position_id)?.amount.gt(0) ?? false),
  );

/** The side of a fill: a reversal has the opposite one. */
const sideOf = ({ kind, side }: FillRow): FillRow['side'] =>
  kind !== 'reversal' ? side : side === 'buy' ? 'sell' : 'buy';

function compareFillWithOrder(fill: FillRow, order: LedgerOrderRow, report: Report): void {
  const ordered = `${order.side} ${order.token_id} on ${order.venue}`;
  const done = `${sideOf(fill)} ${fill.token_id} on ${fill.venue}`;
  if (ordered !== done) report('fill', fill.id, 'trade', ordered, done);
  if (fill.connection_id !== order.connection_id)
    report('fill', fill.id, 'connectionId', order.connection_id ?? 'none', fill.connection_id ?? 'none');
  if (fill.fee_asset === 'USD' && !exact(fill.fee).eq(fill.fee_amount))
    report('fill', fill.id, 'feeAmount', exact(fill.fee).toFixed(), exact(fill.fee_amount).toFixed());
  const [price, limit] = [exact(fill.price), exact(order.limit_price)];
  if (order.side === 'buy' ? price.gt(limit) : price.lt(limit))
    report(
      'fill',
      fill.id,
      'price',
      `${limit.toFixed()} or ${order.side === 'buy' ? 'less' : 'more'}`,
      price.toFixed(),
    );
}
