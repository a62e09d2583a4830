import type { Selectable } from 'kysely';
import type { FILL_KINDS, FILL_STATES } from '../../../db/entities/order.ts';
import type { Database } from '../../../db/tables.ts';
import type { Liquidity, Side, Venue } from '../../../db/vocabulary.ts';
import type { BooksKey } from '../../platform/context.ts';
import { type Exact, exact, sumOf } from '../../platform/decimal.ts';
import { type AppliedFill, applyFill, cashMovements, type Draw } from './apply-fill.ts';
import { feeWithheldInKind } from './fee-withheld-in-kind.ts';

type Row<Table extends keyof Database> = Selectable<Database[Table]>;
export type PositionRow = Row<'position'>;
export type TradingAccountRow = Row<'trading_account'>;
export type AccountDayRow = Row<'account_day'>;
/** A fill as it is stored; the database numbers it. */
export type FillRow = Omit<Row<'fill'>, 'seq'>;
export type FillPartRow = Row<'fill_allocation'>;
export type CashRow = Row<'cash_entry'>;

/** The change of one position by a fill: the amount added, below zero if it is removed. */
export type PositionMove = {
  readonly positionId: string;
  readonly amount: Exact;
  readonly totalCost: Exact;
  readonly realizedPnl: Exact;
  readonly fees: Exact;
  /** Whether something is held again from here on. */
  readonly opens: boolean;
};

/** How a fill moves the account's cash and its day, and whether it starts the cool-down. */
export type AccountMove = { readonly cash: Exact; readonly realizedPnl: Exact; readonly isLoss: boolean };

/** All that one execution changes. */
export type Booking = {
  readonly fill: FillRow;
  readonly applied: AppliedFill;
  readonly positions: readonly PositionMove[];
  readonly parts: readonly FillPartRow[];
  readonly cash: readonly CashRow[];
  readonly account: AccountMove;
  readonly at: Date;
};

/** An execution to be booked. `at` is the venue's time; rules count from the time of booking. */
export type FillToBook = {
  readonly kind: (typeof FILL_KINDS)[number];
  readonly orderId: string | null;
  readonly tokenId: string;
  readonly venue: Venue;
  readonly venueTradeId: string;
  readonly side: Side;
  readonly amount: Exact;
  readonly price: Exact;
  /** USD. */
  readonly fee: Exact;
  /** The asset in which the fee was charged, and the amount of it. Default: `fee` in dollars. */
  readonly feeAsset?: string;
  readonly feeAmount?: Exact;
  readonly liquidity?: Liquidity | null;
  /** Final, unless the venue may still take it back. */
  readonly state?: (typeof FILL_STATES)[number];
  /** The venue account; null, as by default, where none was needed. */
  readonly connectionId?: string | null;
  readonly at: Date;
};

/** The books and the time of the entry, and the source of ids for new rows. */
export type BookingContext = BooksKey & {
  readonly at: Date;
  readonly newId: () => string;
};

/** Books one execution onto the positions it is drawn from. Pure. */
export function planBooking(fill: FillToBook, draws: readonly Draw[], entry: BookingContext): Booking {
  const row = fillRowOf(fill, entry);
  const applied = applyFill({ ...fill, withheld: feeWithheldInKind(fill) }, draws);
  const sign = fill.side === 'buy' ? 1 : -1;
  const movements = cashMovements(fill, applied);
  const cash = movements.map(
    ({ kind, amount }): CashRow => ({
      account_id: entry.accountId,
      id: entry.newId(),
      mode: entry.mode,
      kind,
      amount: amount.toFixed(),
      fill_id: row.id,
      connection_id: row.connection_id,
      seq: null,
      at: entry.at.toISOString(),
    }),
  );
  return {
    fill: row,
    applied,
    positions: applied.parts.map(({ positionId, amount, cost, fee, realizedPnl }) => ({
      positionId,
      amount: amount.times(sign),
      totalCost: cost.times(sign),
      realizedPnl,
      fees: fee,
      opens:
        fill.side === 'buy' && draws.some((draw) => draw.positionId === positionId && draw.amount.isZero()),
    })),
    parts: applied.parts.map(({ positionId, amount, cost, fee, realizedPnl }, index) => ({
      account_id: entry.accountId,
      fill_id: row.id,
      position_id: positionId,
      number: index + 1,
      amount: amount.toFixed(),
      cost: cost.toFixed(),
      fee: fee.toFixed(),
      realized_pnl: realizedPnl.toFixed(),
    })),
    cash,
    account: {
      cash: sumOf(movements.map(({ amount }) => amount)),
      realizedPnl: applied.realizedPnl,
      isLoss: applied.isLoss,
    },
    at: entry.at,
  };
}

const fillRowOf = (fill: FillToBook, { accountId, mode, newId, at }: BookingContext): FillRow => ({
  account_id: accountId,
  id: newId(),
  order_id: fill.orderId,
  mode,
  kind: fill.kind,
  token_id: fill.tokenId,
  venue: fill.venue,
  venue_trade_id: fill.venueTradeId,
  side: fill.side,
  amount: fill.amount.toFixed(),
  price: fill.price.toFixed(),
  fee: fill.fee.toFixed(),
  fee_asset: fill.feeAsset ?? 'USD',
  fee_amount: (fill.feeAmount ?? fill.fee).toFixed(),
  liquidity: fill.liquidity ?? null,
  state: fill.state ?? 'final',
  connection_id: fill.connectionId ?? null,
  at: fill.at.toISOString(),
  applied_at: at.toISOString(),
});

/** A position after a move. */
export const movePosition = (before: PositionRow, move: PositionMove, at: Date): PositionRow => ({
  ...before,
  amount: move.amount.plus(before.amount).toFixed(),
  total_cost: move.totalCost.plus(before.total_cost).toFixed(),
  realized_pnl: move.realizedPnl.plus(before.realized_pnl).toFixed(),
  fees: move.fees.plus(before.fees).toFixed(),
  fill_count: before.fill_count + 1,
  updated_at: at.toISOString(),
  ...(move.opens && { opened_at: at.toISOString() }),
});

/** The account after a move. */
export const moveAccount = (before: TradingAccountRow, move: AccountMove, at: Date): TradingAccountRow => ({
  ...before,
  cash: move.cash.plus(before.cash).toFixed(),
  realized_pnl: move.realizedPnl.plus(before.realized_pnl).toFixed(),
  ...(move.isLoss && { last_loss_at: at.toISOString() }),
});

/** The account's day after a move. */
export const moveDay = (before: AccountDayRow, { realizedPnl }: AccountMove): AccountDayRow => ({
  ...before,
  realized_pnl: realizedPnl.plus(before.realized_pnl).toFixed(),
});

/** Where a position belongs. */
export type PositionKey = BooksKey & Pick<PositionRow, 'token_id' | 'venue' | 'blueprint_id'>;

/** The empty position of a blueprint in an instrument, for a first buy. */
export const emptyPosition = (
  { accountId, mode, ...place }: PositionKey,
  id: string,
  at: Date,
): PositionRow => ({
  account_id: accountId,
  id,
  mode,
  ...place,
  amount: '0',
  total_cost: '0',
  realized_pnl: '0',
  fees: '0',
  fill_count: 0,
  opened_at: at.toISOString(),
  updated_at: at.toISOString(),
});

/** A position as a fill finds it. */
export const holdingOf = ({ id, amount, total_cost }: Pick<PositionRow, 'id' | 'amount' | 'total_cost'>) => ({
  positionId: id,
  amount: exact(amount),
  totalCost: exact(total_cost),
});
