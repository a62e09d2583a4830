import { type RawBuilder, sql } from 'kysely';
import type { OrderStatus } from '../../db/entities/order.ts';
import type { BooksKey } from './context.ts';
import { MONEY_PLACES } from './decimal.ts';
import { RESERVING_STATUSES } from './order-states.ts';

/** Fragments shared by several statements: each expresses in SQL what one function does in TypeScript. */

type Sql<Value> = RawBuilder<Value>;

/** Writes statuses as SQL literals: only then can the planner use the partial indexes. */
export const statusList = (statuses: readonly OrderStatus[]): Sql<unknown> =>
  sql.raw(`('${statuses.join("', '")}')`);

const HALF = sql.raw(`0.${'0'.repeat(MONEY_PLACES)}5`);
const TWO_LAST_DIGITS = sql.raw(`0.${'0'.repeat(MONEY_PLACES - 1)}2`);
const PLACES = sql.lit(MONEY_PLACES);

/**
 * Rounds a decimal to the places of the ledger, half-even, like `toMoney`: `round` alone rounds halves away from zero. For a
 * half, either the truncated value is even or the rest is.
 */
export const toMoneyInSql = (value: Sql<unknown>): Sql<string> =>
  sql<string>`case when abs(${value} - trunc(${value}, ${PLACES})) = ${HALF} and trunc(${value}, ${PLACES}) % ${TWO_LAST_DIGITS} = 0
    then trunc(${value}, ${PLACES}) else round(${value}, ${PLACES}) end`;

/** The value of `position p` at a price, USD, like `valueAt`. */
export const worthInSql = (price: Sql<unknown>): Sql<string> => toMoneyInSql(sql`(p.amount * (${price}))`);

/** The gain before fees of selling all of `position p` at a price, USD, like `unrealizedAt`. */
export const unrealizedInSql = (price: Sql<unknown>): Sql<string> =>
  sql<string>`(${worthInSql(price)}) - p.total_cost`;

/** The stored mark of `quote q`; zero if there never was a quote. */
export const MARK_OR_ZERO: Sql<string> = sql<string>`coalesce(q.mark_price, 0)`;

/** Whether an amount of `instrument i` is dust by `quote q`: too small for its venue to take back, like `isDust`. */
export const isDustInSql = (amount: Sql<unknown>, cost: Sql<unknown>): Sql<boolean> =>
  sql<boolean>`(${amount} < greatest(i.step_size, i.min_size)
    or (${cost} < i.min_notional and ${amount} * ${MARK_OR_ZERO} < i.min_notional))`;

/** Books as rows `(account_id, mode)`. */
export const booksInSql = (books: readonly BooksKey[]): Sql<unknown> =>
  sql`unnest(${books.map(({ accountId }) => accountId)}::uuid[], ${books.map(({ mode }) => mode)}::text[])
    as books (account_id, mode)`;

/** Units of `position p` that cleared sells have reserved at `now`, without those of the order `leaveOut`. */
export const reservedInSql = (now: Date | Sql<unknown>, excludedId?: string): Sql<string> => sql<string>`(
  select coalesce(sum(a.amount - a.filled_amount), 0)
  from order_allocation a
  join trade_order o on o.account_id = a.account_id and o.id = a.order_id
  where a.account_id = p.account_id and a.position_id = p.id
    and o.status in ${statusList(RESERVING_STATUSES)}
    and not ${isPastItsTimeInSql(now, 'o')}${excludedId === undefined ? sql`` : sql` and o.id <> ${excludedId}::uuid`})`;

/** Whether an order is past its time, like `isPastItsTime`; `order` is its alias in the statement. */
export const isPastItsTimeInSql = (now: Date | Sql<unknown>, order = 'trade_order'): Sql<boolean> => {
  const column = (name: string) => sql.ref(`${order}.${name}`);
  return sql<boolean>`(${column('status')} in ('pending', 'queued') and ${column('expires_at')} <= ${now})`;
};

/** The status to show at `now`, like `statusAt`. */
export const statusAtInSql = (now: Date | Sql<unknown>, order = 'trade_order'): Sql<OrderStatus> =>
  sql<OrderStatus>`case when ${isPastItsTimeInSql(now, order)} then 'expired' else ${sql.ref(`${order}.status`)} end`;
