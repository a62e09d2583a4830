import { type RawBuilder, sql } from 'kysely';
import type { Side, Venue } from '../../db/vocabulary.ts';
import { otherSideOf } from '../../venues/catalogue.ts';
import { utcDay } from '../platform/clock/utc-day.ts';
import type { Work } from '../platform/context.ts';
import { type Exact, exact, sumOf, toMoney } from '../platform/decimal.ts';
import { LIVE_STATUSES } from '../platform/order-states.ts';
import { isDustInSql, isPastItsTimeInSql, statusList } from '../platform/sql-fragments.ts';
import { largestFundingBalance } from './funding-balance.ts';
import type { LiveOrderInputs } from './risk-inputs.ts';

/** The order to check. A stored order has an id, so that it does not count against itself. */
type For = {
  readonly id?: string;
  readonly venue: Venue;
  readonly token_id: string;
  readonly side: Side;
  readonly connectionId: string | null;
};

/**
 * Reads the limits and sums for a live order at `now`, in one statement; null on paper. Under the account's lock they stay
 * valid until the transaction ends.
 */
export async function readLiveOrderInputs(
  work: Work,
  order: For,
  service: LiveOrderInputs['service'],
  now: Date,
): Promise<LiveOrderInputs | null> {
  if (work.mode !== 'live') return null;
  const { connectionId, side, venue } = order;
  const read = await readRow(work, order, now);
  const { buys, paid, limits } = read;
  const spentBy = (isCounted: (of: { connection_id: string | null }) => boolean): string =>
    inFull([...buys, ...paid].filter(isCounted));
  return {
    service,
    spentToday: spentBy(() => true),
    ...(connectionId !== null &&
      limits !== null && {
        connection: {
          ...limitsOf(connectionId, limits),
          ...(read.external !== null && { external: exact(read.external).toFixed() }),
          spentToday: spentBy(({ connection_id }) => connection_id === connectionId),
          openNotional: inFull([...buys.filter((buy) => buy.venue === venue), { usd: read.held_cost }]),
        },
      }),
    ...(side === 'buy' && {
      ...(read.other_side !== null && { otherSide: exact(read.other_side).toFixed() }),
      ...(read.dust.length > 0 && { dust: read.dust }),
      ...fundsOf(read.purses),
    }),
  };
}

const NO_ORDER = '00000000-0000-0000-0000-000000000000';

const inFull = (parts: readonly { usd: string }[]): string =>
  toMoney(sumOf(parts.map(({ usd }): Exact => exact(usd)))).toFixed();

/** Sums of an account from the database, decimals as text. */
type LiveRow = {
  /** Remaining notional of live buys at their limit prices. */
  readonly buys: readonly { connection_id: string | null; venue: Venue; usd: string }[];
  /** Notional of buy fills since 00:00 UTC. A trade that failed afterwards still counts. */
  readonly paid: readonly { connection_id: string | null; usd: string }[];
  /** The owner's limits of the connection; null without a connection. */
  readonly limits: Readonly<Record<'max_order' | 'max_day' | 'max_open_notional', string | null>> | null;
  /** Remaining cost of open orders placed at the venue account outside this service, as last seen there. */
  readonly external: string | null;
  readonly held_cost: string;
  /** Units held of the market's other side, plus what live buys of it may still fill. */
  readonly other_side: string | null;
  /** Holdings too small to sell that no live buy adds to. */
  readonly dust: string[];
  /** Balances at the venue, and what was spent since they were read. */
  readonly purses: readonly VenueCashRow[];
};

type VenueCashRow = {
  readonly currency: string;
  readonly available: string;
  readonly read_at: string;
  readonly quote_currency: string;
  readonly left: string;
};

const limitsOf = (id: string, { max_order, max_day, max_open_notional }: NonNullable<LiveRow['limits']>) => ({
  id,
  ...(max_order !== null && { maxOrder: exact(max_order).toFixed() }),
  ...(max_day !== null && { maxDay: exact(max_day).toFixed() }),
  ...(max_open_notional !== null && { maxOpenNotional: exact(max_open_notional).toFixed() }),
});

/** Returns the reported balance that would fund the order, less what was spent since. */
function fundsOf(balances: readonly VenueCashRow[]): Pick<LiveOrderInputs, 'funds'> {
  const venueBalance = largestFundingBalance(balances);
  if (venueBalance === null) return {};
  const available = toMoney(exact(venueBalance.available).minus(venueBalance.left)).toFixed();
  return { funds: { available, asOf: new Date(venueBalance.read_at).toISOString() } };
}

async function readRow(
  { db, accountId, mode }: Work,
  { id = NO_ORDER, venue, token_id, side, connectionId }: For,
  now: Date,
): Promise<LiveRow> {
  const isBuy = side === 'buy';
  const otherSide = isBuy ? otherSideOf(venue, token_id) : null;
  const own = sql`account_id = ${accountId} and mode = ${mode}`;
  const of = sql`account_id = ${accountId} and connection_id = ${connectionId}::uuid`;
  const { rows } = await sql<LiveRow>`
    with live_buy as materialized (
      select token_id, connection_id, venue, limit_price, amount - filled_amount as units
      from trade_order
      where ${own} and side = 'buy' and status in ${statusList(LIVE_STATUSES)} and not ${isPastItsTimeInSql(now)} and id <> ${id}
    )
    select
      (select coalesce(json_agg(json_build_object('connection_id', connection_id, 'venue', venue, 'usd', usd::text)), '[]')
        from (select connection_id, venue, sum(limit_price * units) as usd from live_buy group by connection_id, venue) buys) as buys,
      (select coalesce(json_agg(json_build_object('connection_id', connection_id, 'usd', usd::text)), '[]')
        from (select connection_id, sum(amount * price) as usd from fill
          where ${own} and kind = 'trade' and side = 'buy'
            and applied_at >= ${utcDay(now)}::date::timestamp at time zone 'UTC'
          group by connection_id) paid) as paid,
      (select json_build_object('max_order', max_order::text, 'max_day', max_day::text, 'max_open_notional', max_open_notional::text)
        from venue_connection where account_id = ${accountId} and id = ${connectionId}::uuid) as limits,
      (select sum(worth) from venue_difference
        where ${of} and kind = 'external_order' and state in ('open', 'explained')) as external,
      (select coalesce(sum(total_cost), 0) from position
        where ${own} and venue = ${venue} and amount > 0) as held_cost,
      case when ${otherSide}::text is not null then
        (select coalesce(sum(amount), 0) from position where ${own} and token_id = ${otherSide} and amount > 0)
        + (select coalesce(sum(units), 0) from live_buy where token_id = ${otherSide}) end as other_side,
      (select coalesce(json_agg(token_id order by token_id), '[]')
        from (select token_id, sum(amount) as amount, sum(total_cost) as cost from position
          where ${isBuy} and ${own} and amount > 0 group by token_id) held
        join instrument i using (token_id) left join quote q using (token_id)
        where ${isDustInSql(sql`held.amount`, sql`held.cost`)} and token_id not in (select token_id from live_buy)) as dust,
      (select coalesce(json_agg(json_build_object('currency', c.currency, 'available', c.available::text, 'read_at', c.read_at,
          'quote_currency', i.quote_currency, 'left', gone.usd::text) order by c.currency, c.shard), '[]')
        from venue_cash c join instrument i on i.token_id = ${token_id}
        cross join lateral (${spentSinceRead({ own, connectionId, leaveOut: id, now })}) gone
        where ${isBuy} and c.account_id = ${accountId} and c.connection_id = ${connectionId}::uuid) as purses`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('There is always one row.');
  return row;
}

type SpentSinceQuery = { own: RawBuilder<unknown>; connectionId: string | null; leaveOut: string; now: Date };

/** Sums the cost of buys sent after `c.read_at`, and the reserve of live buys not sent by then. */
function spentSinceRead({ own, connectionId, leaveOut, now }: SpentSinceQuery): RawBuilder<unknown> {
  const isLive = sql`(status in ${statusList(LIVE_STATUSES)} and not ${isPastItsTimeInSql(now)})`;
  const wasSentSince = sql`coalesce(submitted_at > c.read_at, false)`;
  return sql`
    select coalesce(sum(
        case when ${isLive} and (submitted_at is null or ${wasSentSince})
          then limit_price * (amount - filled_amount) + greatest(worst_fee - fees, 0) else 0 end
        + case when ${wasSentSince} then filled_notional + fees else 0 end), 0) as usd
    from trade_order
    where ${own} and connection_id = ${connectionId}::uuid and side = 'buy' and id <> ${leaveOut}
      and (status in ${statusList(LIVE_STATUSES)} or queued_at > c.read_at - interval '1 minute')`;
}
