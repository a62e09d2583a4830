import { type DecimalInput, Exact, exact, sumOf, ZERO } from '../platform/decimal.ts';
import type { BookedOrder, RebuiltBooks } from './rebuilt-books.ts';
import type { Report, StoredBooks } from './rows.ts';

/** Compares an order's status and totals, and the used part of its allocations. */
export function compareOrder(
  { row, allocations, status, filledAmount, filledNotional, fees, soldByPosition }: BookedOrder,
  report: Report,
): void {
  const compare = comparer('trade_order', row.id, report);
  if (status !== row.status) report('trade_order', row.id, 'status', status ?? 'none', row.status);
  compare('filledAmount', filledAmount, row.filled_amount);
  compare('filledNotional', filledNotional, row.filled_notional);
  compare('fees', fees, row.fees);
  for (const { position_id, amount, filled_amount } of allocations) {
    const used = Exact.min(amount, soldByPosition.get(position_id) ?? ZERO);
    comparer('order_allocation', row.id, report)(`filledAmount of ${position_id}`, used, filled_amount);
  }
}

/** Compares every position, to the last digit. */
export function comparePositions({ positions }: StoredBooks, books: RebuiltBooks, report: Report): void {
  for (const row of positions) {
    const booked = books.positions.get(row.id);
    if (booked === undefined) continue;
    const compare = comparer('position', row.id, report);
    if (booked.fillCount === 0) report('position', row.id, 'fillCount', '1 or more', '0');
    compare('amount', booked.amount, row.amount);
    compare('totalCost', booked.totalCost, row.total_cost);
    compare('realizedPnl', booked.realizedPnl, row.realized_pnl);
    compare('fees', booked.fees, row.fees);
    compare('fillCount', exact(booked.fillCount), String(row.fill_count));
  }
}

type Account = Pick<
  StoredBooks,
  'accountId' | 'tradingAccount' | 'deposits' | 'moves' | 'cashTotal' | 'days' | 'positions'
>;

/** Compares cash, realized profit and loss, last loss and days, and checks that no cent was created or lost. */
export function compareAccount(
  { accountId, tradingAccount, deposits, moves, cashTotal, days, positions }: Account,
  books: RebuiltBooks,
  report: Report,
): void {
  const compare = comparer('trading_account', accountId, report);
  compare('cash', books.cash, tradingAccount.cash);
  compare('realizedPnl', books.realizedPnl, tradingAccount.realized_pnl);
  compare('sum of cash entries', books.cash, cashTotal);
  const outside = [...deposits, ...moves.filter(({ kind }) => kind !== 'fee_true_up')];
  const deposited = sumOf(outside.map(({ amount }) => amount));
  const cost = sumOf(positions.map(({ total_cost }) => total_cost));
  compare('deposits + realized - cost', deposited.plus(books.realizedPnl).minus(cost), tradingAccount.cash);
  const lastLoss = books.lastLossAt?.toISOString() ?? 'none';
  const storedLoss =
    tradingAccount.last_loss_at === null ? 'none' : new Date(tradingAccount.last_loss_at).toISOString();
  if (lastLoss !== storedLoss) report('trading_account', accountId, 'lastLossAt', lastLoss, storedLoss);
  for (const { day, realized_pnl } of days) {
    comparer('account_day', day, report)('realizedPnl', books.realizedByDay.get(day) ?? ZERO, realized_pnl);
  }
}

const comparer =
  (subject: string, id: string, report: Report) =>
  (field: string, expected: Exact, actual: DecimalInput): void => {
    if (!expected.eq(actual)) report(subject, id, field, expected.toFixed(), exact(actual).toFixed());
  };
