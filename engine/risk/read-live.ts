import { sql } from 'kysely';
import type { Venue } from '../../db/vocabulary.ts';
import type { Work } from '../context.ts';
import { type Exact, exact, sumOf, toMoney } from '../decimal.ts';
import { isPastItsTimeInSql, statusList } from '../fragments.ts';
import { LIVE_STATUSES } from '../order-states.ts';
import { utcDay } from '../utc-day.ts';
import type { LiveFacts } from './facts.ts';

/** The order they are about. One that is there already has an id: it must not count against itself. */
type For = { readonly id?: string; readonly venue: Venue; readonly connectionId: string | null };

/**
 * What bounds an order with real money at `now`; null on paper. Under the account's lock it stays true until the
 * transaction ends.
 */
export async function readLive(
  work: Work,
  { id = NO_ORDER, venue, connectionId }: For,
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
