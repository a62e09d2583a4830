import { sql } from 'kysely';
import type { Side, Venue } from '../../db/vocabulary.ts';
import { otherSideOf } from '../../venues/catalogue.ts';
import type { Work } from '../context.ts';
import { type Exact, exact, sumOf, toMoney, ZERO } from '../decimal.ts';
import { isPastItsTimeInSql, statusList } from '../fragments.ts';
import { LIVE_STATUSES } from '../order-states.ts';
import { utcDay } from '../utc-day.ts';
import type { LiveFacts } from './facts.ts';
import { fullestOf } from './purse.ts';

/** The order they are about. One that is there already has an id: it must not count against itself. */
type For = {
  readonly id?: string;
  readonly venue: Venue;
  readonly token_id: string;
  readonly side: Side;
  readonly connectionId: string | null;
};

/**
 * What bounds an order with real money at `now`; null on paper. Under the account's lock it stays true until the
 * transaction ends.
 */
export async function readLive(
  work: Work,
  { id = NO_ORDER, venue, token_id, side, connectionId }: For,
  service: LiveFacts['service'],
  now: Date,
): Promise<LiveFacts | null> {
  if (work.mode !== 'live') return null;
  const [buys, paid] = [await readLiveBuys(work, id, now), await readPaid(work, now)];
  const spentBy = (isCounted: (of: { connection_id: string | null }) => boolean): string =>
    inFull([...buys, ...paid].filter(isCounted));
  const ofConnection = connectionId === null ? undefined : await readLimits(work, connectionId);
  return {
    service,
    spentToday: spentBy(() => true),
    ...(ofConnection !== undefined && {
      connection: {
        ...ofConnection,
        ...(await readExternal(work, ofConnection.id)),
        spentToday: spentBy(({ connection_id }) => connection_id === connectionId),
        openNotional: inFull([
          ...buys.filter((buy) => buy.venue === venue),
          { usd: await readHeldCost(work, venue) },
        ]),
      },
    }),
    ...(side === 'buy' && {
      ...(await readOtherSide(work, otherSideOf(venue, token_id), id, now)),
      ...(connectionId !== null && (await readFunds(work, { id, token_id, connectionId }, now))),
    }),
  };
}

const NO_ORDER = '00000000-0000-0000-0000-000000000000';

const inFull = (parts: readonly { usd: string }[]): string =>
  toMoney(sumOf(parts.map(({ usd }): Exact => exact(usd)))).toFixed();

/** What live buys may still cost at their limits. */
async function readLiveBuys({ db, accountId, mode }: Work, leaveOut: string, now: Date) {
  const { rows } = await sql<{ connection_id: string | null; venue: Venue; usd: string }>`
    select connection_id, venue, sum(limit_price * (amount - filled_amount)) as usd
    from trade_order
    where account_id = ${accountId} and mode = ${mode} and side = 'buy' and status in ${statusList(LIVE_STATUSES)}
      and not ${isPastItsTimeInSql(now)} and id <> ${leaveOut}
    group by connection_id, venue`.execute(db);
  return rows;
}

/** What buys were paid for since 00:00 UTC. A trade that failed since was one all the same. */
async function readPaid({ db, accountId, mode }: Work, now: Date) {
  const { rows } = await sql<{ connection_id: string | null; usd: string }>`
    select connection_id, sum(amount * price) as usd
    from fill
    where account_id = ${accountId} and mode = ${mode} and kind = 'trade' and side = 'buy'
      and applied_at >= ${utcDay(now)}::date::timestamp at time zone 'UTC'
    group by connection_id`.execute(db);
  return rows;
}

async function readHeldCost({ db, accountId, mode }: Work, venue: Venue): Promise<string> {
  const { rows } = await sql<{ usd: string }>`
    select coalesce(sum(total_cost), 0) as usd from position
    where account_id = ${accountId} and mode = ${mode} and venue = ${venue} and amount > 0`.execute(db);
  return rows[0]?.usd ?? '0';
}

/** What open orders that somebody else placed at the venue account may still cost, as last seen there. */
async function readExternal({ db, accountId }: Work, connectionId: string): Promise<{ external?: string }> {
  const { rows } = await sql<{ usd: string | null }>`
    select sum(worth) as usd from venue_difference
    where account_id = ${accountId} and connection_id = ${connectionId} and kind = 'external_order'
      and state in ('open', 'explained')`.execute(db);
  const usd = rows[0]?.usd ?? null;
  return usd === null ? {} : { external: exact(usd).toFixed() };
}

/** What its owner allows through a connection. */
async function readLimits(work: Work, id: string) {
  const row = await work.db
    .selectFrom('venue_connection')
    .select(['max_order', 'max_day', 'max_open_notional'])
    .where('account_id', '=', work.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { max_order, max_day, max_open_notional } = row;
  return {
    id,
    ...(max_order !== null && { maxOrder: exact(max_order).toFixed() }),
    ...(max_day !== null && { maxDay: exact(max_day).toFixed() }),
    ...(max_open_notional !== null && { maxOpenNotional: exact(max_open_notional).toFixed() }),
  };
}

/** What is held of the other side of a market, and what live buys of it may still bring. */
async function readOtherSide(
  { db, accountId, mode }: Work,
  tokenId: string | null,
  leaveOut: string,
  now: Date,
): Promise<Pick<LiveFacts, 'otherSide'>> {
  if (tokenId === null) return {};
  const { rows } = await sql<{ units: string }>`
    select (select coalesce(sum(amount), 0) from position
        where account_id = ${accountId} and mode = ${mode} and token_id = ${tokenId} and amount > 0)
      + (select coalesce(sum(amount - filled_amount), 0) from trade_order
        where account_id = ${accountId} and mode = ${mode} and token_id = ${tokenId} and side = 'buy'
          and status in ${statusList(LIVE_STATUSES)} and not ${isPastItsTimeInSql(now)} and id <> ${leaveOut}) as units`.execute(
    db,
  );
  return { otherSide: exact(rows[0]?.units ?? ZERO).toFixed() };
}

type OfConnection = { readonly id: string; readonly token_id: string; readonly connectionId: string };

/** What its venue has told of the money an order would be paid from, less what has left since. */
async function readFunds(
  work: Work,
  { id, token_id, connectionId }: OfConnection,
  now: Date,
): Promise<Pick<LiveFacts, 'funds'>> {
  const { rows } = await sql<{
    currency: string;
    available: string;
    read_at: string;
    quote_currency: string;
  }>`
    select c.currency, c.available, c.read_at, i.quote_currency
    from venue_cash c join instrument i on i.token_id = ${token_id}
    where c.account_id = ${work.accountId} and c.connection_id = ${connectionId}`.execute(work.db);
  const purse = fullestOf(rows);
  if (purse === null) return {};
  const asOf = new Date(purse.read_at);
  const left = exact(purse.available).minus(await readLeftSince(work, { id, connectionId }, asOf, now));
  return { funds: { available: toMoney(left).toFixed(), asOf: asOf.toISOString() } };
}

/** What buys through a connection have cost since a moment, and what live ones that had not left by then may cost. */
async function readLeftSince(
  { db, accountId, mode }: Work,
  { id, connectionId }: Omit<OfConnection, 'token_id'>,
  asOf: Date,
  now: Date,
): Promise<string> {
  const since = sql`${asOf.toISOString()}::timestamptz`;
  const isLive = sql`(status in ${statusList(LIVE_STATUSES)} and not ${isPastItsTimeInSql(now)})`;
  const hasLeftSince = sql`coalesce(submitted_at > ${since}, false)`;
  const { rows } = await sql<{ usd: string }>`
    select coalesce(sum(
        case when ${isLive} and (submitted_at is null or ${hasLeftSince})
          then limit_price * (amount - filled_amount) + greatest(worst_fee - fees, 0) else 0 end
        + case when ${hasLeftSince} then filled_notional + fees else 0 end), 0) as usd
    from trade_order
    where account_id = ${accountId} and mode = ${mode} and connection_id = ${connectionId} and side = 'buy' and id <> ${id}
      and (status in ${statusList(LIVE_STATUSES)} or queued_at > ${since} - interval '1 minute')`.execute(db);
  return rows[0]?.usd ?? '0';
}
