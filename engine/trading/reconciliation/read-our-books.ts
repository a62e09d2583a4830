import { sql } from 'kysely';
import { DOLLARS, isMoney } from '../../../venues/trading.ts';
import type { Work } from '../../platform/context.ts';
import { type Exact, exact, ZERO } from '../../platform/decimal.ts';
import { AT_VENUE_STATUSES } from '../../platform/order-states.ts';
import { statusList } from '../../platform/sql-fragments.ts';
import type { OrderUnderWay, RecentFill } from './compare/explained-gaps.ts';
import type { FilledOrder } from './compare/fills.ts';
import type { OurOrder } from './compare/orders.ts';

/** Reads orders of a connection that the venue may have, or whose ids are in `names`. */
export async function readOurOrders(
  work: Work,
  connectionId: string,
  names: readonly string[],
): Promise<OurOrder[]> {
  const rows = await ordersOf(work, connectionId)
    .where((eb) =>
      eb.or([sql<boolean>`o.status in ${statusList(AT_VENUE_STATUSES)}`, sql<boolean>`${isNamed(names)}`]),
    )
    .execute();
  return rows.map((row) => ({
    id: row.id,
    tokenId: row.token_id,
    status: row.status,
    clientOrderId: row.client_order_id ?? row.id,
    venueOrderId: row.venue_order_id ?? row.known_id,
    limitPrice: exact(row.limit_price),
    amount: exact(row.amount),
    filledAmount: exact(row.filled_amount),
    lacksFills: row.fills_missing_since !== null,
    sentAt: new Date(row.sent_at ?? row.created_at),
  }));
}

/** Reads orders of a connection whose ids are in `names`, each with its booked trades. */
export async function readFilledOrders(
  work: Work,
  connectionId: string,
  names: readonly string[],
): Promise<FilledOrder[]> {
  const orders = await ordersOf(work, connectionId)
    .where(sql<boolean>`${isNamed(names)}`)
    .execute();
  const ids = orders.map(({ id }) => id);
  const trades = await work.db
    .selectFrom('fill')
    .select(['order_id', 'venue_trade_id'])
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .where(sql<boolean>`order_id = any(${ids}::uuid[])`)
    .execute();
  const booked = Map.groupBy(trades, ({ order_id }) => order_id);
  return orders.map(({ id, client_order_id, venue_order_id, known_id }) => ({
    id,
    clientOrderId: client_order_id ?? id,
    venueOrderId: venue_order_id ?? known_id,
    tradeIds: new Set((booked.get(id) ?? []).map(({ venue_trade_id }) => venue_trade_id)),
  }));
}

/** Reads trades booked since then that their venue can still reverse. */
export async function readReversibleTrades(
  work: Work,
  connectionId: string,
  since: Date | null,
): Promise<{ orderId: string; tradeId: string }[]> {
  const rows = await work.db
    .selectFrom('fill')
    .select(['order_id', 'venue_trade_id'])
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .where('kind', '=', 'trade')
    .where('state', '=', 'provisional')
    .where(sql<boolean>`applied_at >= coalesce(${since}::timestamptz, '-infinity')`)
    .execute();
  return rows.flatMap(({ order_id, venue_trade_id }) =>
    order_id === null ? [] : [{ orderId: order_id, tradeId: venue_trade_id }],
  );
}

const isNamed = (names: readonly string[]) =>
  sql`(d.client_order_id = any(${names}) or d.venue_order_id = any(${names}) or o.venue_order_id = any(${names}))`;

const ordersOf = (work: Work, connectionId: string) =>
  work.db
    .selectFrom('trade_order as o')
    .leftJoin('order_dispatch as d', (join) =>
      join.onRef('d.account_id', '=', 'o.account_id').onRef('d.order_id', '=', 'o.id'),
    )
    .select([
      'o.id',
      'o.token_id',
      'o.status',
      'o.limit_price',
      'o.amount',
      'o.filled_amount',
      'o.venue_order_id',
      'o.created_at',
      'd.client_order_id',
      'd.venue_order_id as known_id',
      'd.sent_at',
      'd.fills_missing_since',
    ])
    .where('o.account_id', '=', work.accountId)
    .where('o.mode', '=', work.mode)
    .where('o.connection_id', '=', connectionId);

export type BookedHolding = { readonly tokenId: string; readonly amount: Exact };

/** The books of one venue account, all of one moment. */
export type OurBooks = {
  readonly held: readonly BookedHolding[];
  /** USD. */
  readonly cash: Exact;
  readonly hasCash: boolean;
  /** Sums of fills since `agreedAt`, USD. */
  readonly traded: { readonly notional: Exact; readonly fees: Exact };
  /** Number of orders without a response, or with missing fills. */
  readonly inFlight: number;
  /** Last movement of a fill or an order; null: never. */
  readonly movedAt: Date | null;
};

/**
 * Reads what a venue account should hold by its fills and cash entries. Fees charged in coins reduce the holding of the coin,
 * not the cash.
 */
export async function readOurBooks(
  work: Work,
  connectionId: string,
  agreedAt: string | null,
): Promise<OurBooks> {
  const held = await readHeld(work, connectionId);
  const coins = await readCoinFees(work, connectionId);
  const { rows } = await sql<{
    cash: string | null;
    in_flight: number;
    moved_at: string | null;
    notional: string;
    fees: string;
  }>`
    select
      (select sum(amount) from cash_entry where account_id = ${work.accountId} and connection_id = ${connectionId}) as cash,
      (select count(*)::int from trade_order o
        left join order_dispatch d on d.account_id = o.account_id and d.order_id = o.id
        where o.account_id = ${work.accountId} and o.connection_id = ${connectionId}
          and (o.status in ('submitted', 'unknown') or d.fills_missing_since is not null)) as in_flight,
      (select greatest(max(f.applied_at),
          (select max(greatest(o.submitted_at, o.ended_at)) from trade_order o
            where o.account_id = ${work.accountId} and o.connection_id = ${connectionId} and ${MAY_MOVE}))
        from fill f where f.account_id = ${work.accountId} and f.connection_id = ${connectionId}) as moved_at,
      coalesce(sum(t.amount * t.price), 0) as notional, coalesce(sum(abs(t.fee)), 0) as fees
    from fill t
    where t.account_id = ${work.accountId} and t.connection_id = ${connectionId} and t.kind = 'trade'
      and t.applied_at >= coalesce(${agreedAt}::timestamptz, '-infinity')`.execute(work.db);
  const [row] = rows;
  if (row === undefined) throw new Error(`There are no books of connection ${connectionId}.`);
  return {
    held: [...held, ...coins.map(({ tokenId, amount }) => ({ tokenId, amount: amount.negated() }))],
    cash: exact(row.cash ?? 0).plus(coins.reduce((sum, { fee }) => sum.plus(fee), ZERO)),
    hasCash: row.cash !== null,
    traded: { notional: exact(row.notional), fees: exact(row.fees) },
    inFlight: row.in_flight,
    movedAt: row.moved_at === null ? null : new Date(row.moved_at),
  };
}

/** Excludes orders that were never at the venue: refused, withheld or never cleared. */
const MAY_MOVE = sql`o.submitted_at is not null
  and not (o.status in ('rejected', 'canceled') and o.venue_order_id is null and o.filled_amount = 0)`;

/** Time after the latest arrival of an order, or since its fills are missing, during which it explains a gap. */
const EXPLAINS_FOR = sql`interval '1 minute'`;

/** Reads orders of a connection that the venue may have filled beyond the booked fills. */
export async function readOrdersUnderWay(
  work: Work,
  connectionId: string,
  now: Date,
): Promise<OrderUnderWay[]> {
  const rows = await work.db
    .selectFrom('trade_order as o')
    .innerJoin('instrument as i', 'i.token_id', 'o.token_id')
    .leftJoin('order_dispatch as d', (join) =>
      join.onRef('d.account_id', '=', 'o.account_id').onRef('d.order_id', '=', 'o.id'),
    )
    .select(['o.token_id', 'i.kind', 'o.side', 'o.time_in_force', 'o.limit_price'])
    .select([
      sql<string>`o.amount - o.filled_amount`.as('amount'),
      sql<string>`greatest(o.worst_fee - o.fees, 0)`.as('fee'),
      sql<string | null>`case
        when d.fills_missing_since is not null then d.fills_missing_since
        when o.status in ('submitted', 'unknown') then coalesce(d.arrives_by, o.submitted_at)
      end + ${EXPLAINS_FOR}`.as('until'),
    ])
    .where('o.account_id', '=', work.accountId)
    .where('o.connection_id', '=', connectionId)
    .where(
      sql<boolean>`(o.status in ('open', 'partially_filled')
        or (o.status in ('submitted', 'unknown') and coalesce(d.arrives_by, o.submitted_at) + ${EXPLAINS_FOR} > ${now})
        or d.fills_missing_since + ${EXPLAINS_FOR} > ${now})`,
    )
    .execute();
  return rows.map((row) => ({
    tokenId: row.token_id,
    kind: row.kind,
    side: row.side,
    timeInForce: row.time_in_force,
    amount: exact(row.amount),
    limitPrice: exact(row.limit_price),
    fee: exact(row.fee),
    until: row.until === null ? null : new Date(row.until),
  }));
}

/** Reads fills booked since then, which the venue's lists may not contain yet. */
export async function readRecentFills(work: Work, connectionId: string, since: Date): Promise<RecentFill[]> {
  const rows = await work.db
    .selectFrom('fill')
    .select(['token_id', 'side', 'amount', 'price', 'fee', 'applied_at'])
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .where('applied_at', '>=', since.toISOString())
    .execute();
  return rows.map(({ token_id, side, amount, price, fee, applied_at }) => {
    const sign = side === 'buy' ? 1 : -1;
    return {
      tokenId: token_id,
      amount: exact(amount).times(sign),
      cash: exact(amount).times(price).times(-sign).minus(fee),
      at: new Date(applied_at),
    };
  });
}

/** Sums holdings by the booked allocations of each fill: an amount sold beyond the holdings is not in the books. */
async function readHeld(work: Work, connectionId: string): Promise<BookedHolding[]> {
  const rows = await work.db
    .selectFrom('fill as f')
    .innerJoin('fill_allocation as p', (join) =>
      join.onRef('p.account_id', '=', 'f.account_id').onRef('p.fill_id', '=', 'f.id'),
    )
    .select([
      'f.token_id',
      sql<string>`sum(case f.side when 'buy' then p.amount else -p.amount end)`.as('amount'),
    ])
    .where('f.account_id', '=', work.accountId)
    .where('f.connection_id', '=', connectionId)
    .groupBy('f.token_id')
    .execute();
  return rows.map(({ token_id, amount }) => ({ tokenId: token_id, amount: exact(amount) }));
}

/** Sums fees in coins by the instrument of the coin. Fees deducted from a buy are already in its allocation. */
async function readCoinFees(
  work: Work,
  connectionId: string,
): Promise<{ tokenId: string; amount: Exact; fee: Exact }[]> {
  const rows = await work.db
    .selectFrom('fill')
    .select([
      'fee_asset',
      sql<string>`sum(fee_amount) filter (where not (${IN_KIND}))`.as('amount'),
      sql<string>`sum(fee) filter (where not (${IN_KIND}))`.as('fee'),
    ])
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .groupBy('fee_asset')
    .execute();
  return rows
    .filter(({ fee_asset }) => !isMoney(fee_asset))
    .map(({ fee_asset, amount, fee }) => ({
      tokenId: `${fee_asset}USDT`,
      amount: exact(amount ?? 0),
      fee: exact(fee ?? 0),
    }));
}

/** SQL form of `feeWithheldInKind`. */
const IN_KIND = sql`side = 'buy' and token_id = any(select fee_asset || money from unnest(${DOLLARS}::text[]) money)`;

/** Reads marks and settlement values of instruments, USD a unit. */
export async function readMarksAndPayouts(
  work: Work,
  tokenIds: readonly string[],
): Promise<{ marks: ReadonlyMap<string, Exact>; paid: ReadonlyMap<string, Exact> }> {
  const rows = await work.db
    .selectFrom('instrument as i')
    .leftJoin('quote as q', 'q.token_id', 'i.token_id')
    .select(['i.token_id', 'i.settlement_value', 'q.mark_price'])
    .where(sql<boolean>`i.token_id = any(${tokenIds})`)
    .execute();
  const priced = (of: (row: (typeof rows)[number]) => string | null) =>
    new Map(
      rows.flatMap((row) => {
        const price = of(row);
        return price === null ? [] : [[row.token_id, exact(price)] as const];
      }),
    );
  return { marks: priced((row) => row.mark_price), paid: priced((row) => row.settlement_value) };
}
