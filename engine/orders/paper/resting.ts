import { SIDES } from '../../../db/entities/order.ts';
import type { Db } from '../../../db/tables.ts';
import { VENUE_IDS } from '../../../db/vocabulary.ts';
import type { OrderKey } from '../../../venues/broker.ts';
import { type Candle, VENUES, VenueError } from '../../../venues/port.ts';
import type { Clock } from '../../context.ts';
import { type Exact, exact } from '../../decimal.ts';
import { KINDS } from '../../instruments/kinds.ts';
import { isFresh } from '../../quote-age.ts';
import type { QuoteRow } from '../row.ts';
import { PRICING_QUOTE_MAX_AGE_MS } from '../settings.ts';
import { type FeeSchedule, feeScheduleOf } from '../terms/fees.ts';
import { CANDLE_MS, candlesToAsk, unseenCandles } from './candles.ts';
import { look, take, untaken } from './levels.ts';
import { byPriority, meetCandle, meetOffer } from './match.ts';
import type { PaperMarketData } from './offers.ts';
import { bestLevel } from './opposite-side.ts';
import {
  demandOf,
  keepLevels,
  lockPaperMarket,
  type PaperOrderRow,
  readLevels,
  readTakenOfCandle,
  recordExecutions,
  rememberCandles,
  type SideKey,
  sideOf,
} from './store.ts';

const VENUES_WITH_CANDLES = VENUE_IDS.filter((venue) => KINDS[VENUES[venue].kind].hasCandles);

export type RestingDeps = { db: Db; marketData: PaperMarketData; clock: Clock };

/**
 * Matches what rests in these instruments against their stored quotes, and where there are candles against the minutes that
 * have closed since. Answers the orders that traded.
 */
export async function matchResting(deps: RestingDeps, tokenIds: readonly string[]): Promise<OrderKey[]> {
  if (tokenIds.length === 0) return [];
  const closedMinute = new Date(deps.marketData.now() - CANDLE_MS).toISOString();
  const markets = await deps.db
    .selectFrom('paper_order as o')
    .leftJoin('quote as q', 'q.token_id', 'o.token_id')
    .select((eb) => ['o.account_id', 'o.token_id', 'o.venue', eb.fn.min('o.candle_at').as('candle_at')])
    .where('o.token_id', 'in', tokenIds)
    .where('o.status', '=', 'open')
    .where((eb) =>
      eb.or([
        eb.and([eb('o.side', '=', 'buy'), eb('o.limit_price', '>=', eb.ref('q.ask'))]),
        eb.and([eb('o.side', '=', 'sell'), eb('o.limit_price', '<=', eb.ref('q.bid'))]),
        eb.and([eb('o.venue', 'in', VENUES_WITH_CANDLES), eb('o.candle_at', '<=', closedMinute)]),
        // What was taken from must be looked at also when it is gone, or its return would not be seen as new.
        eb.exists(
          eb
            .selectFrom('paper_level as l')
            .select('l.price')
            .whereRef('l.account_id', '=', 'o.account_id')
            .whereRef('l.token_id', '=', 'o.token_id')
            .whereRef('l.side', '=', 'o.side'),
        ),
      ]),
    )
    .groupBy(['o.account_id', 'o.token_id', 'o.venue'])
    .execute();
  const traded: OrderKey[] = [];
  for (const { account_id, token_id, venue, candle_at } of markets) {
    const candles = VENUES_WITH_CANDLES.includes(venue)
      ? await candlesSince(deps.marketData, token_id, candle_at)
      : [];
    traded.push(...(await matchMarket(deps, account_id, token_id, candles)));
  }
  return traded;
}

/** The minutes that opened since, or none while the venue cannot be asked: they are met the next time. */
async function candlesSince(
  marketData: PaperMarketData,
  symbol: string,
  since: string | null,
): Promise<Candle[]> {
  if (since === null) return [];
  const limit = candlesToAsk(since, marketData.now());
  if (limit === 0) return [];
  try {
    return await marketData.closedCandles(symbol, '1m', { limit });
  } catch (error) {
    if (error instanceof VenueError) return [];
    throw error;
  }
}

async function matchMarket(
  { db, clock }: RestingDeps,
  accountId: string,
  tokenId: string,
  candles: readonly Candle[],
): Promise<OrderKey[]> {
  return db.transaction().execute(async (trx) => {
    await lockPaperMarket(trx, accountId, tokenId);
    const now = await clock(trx);
    const orders = await restingOrders(trx, accountId, tokenId, now);
    const instrument = await trx
      .selectFrom('instrument')
      .selectAll()
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow();
    const schedule = feeScheduleOf(instrument.fee_schedule);
    const quote = await freshOpenQuote(trx, tokenId, now);
    const traded: OrderKey[] = [];
    for (const side of SIDES) {
      const waiting = orders.filter((order) => order.side === side);
      const met = await meetQuote(trx, { accountId, tokenId, side }, waiting, quote, schedule, now);
      for (const [index, order] of met.entries()) {
        const after = await meetCandles(trx, order, candles, exact(instrument.step_size), schedule, now);
        if (after.filled_amount !== waiting[index]?.filled_amount)
          traded.push({ accountId, mode: 'paper', id: order.id });
      }
    }
    return traded;
  });
}

/** Locked: a cancel waits until they are matched, and one that came first, or their own end, has taken them out. */
async function restingOrders(
  trx: Db,
  accountId: string,
  tokenId: string,
  now: Date,
): Promise<PaperOrderRow[]> {
  const rows = await trx
    .selectFrom('paper_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where('status', '=', 'open')
    .where((eb) => eb.or([eb('good_till', 'is', null), eb('good_till', '>', now.toISOString())]))
    .forUpdate()
    .execute();
  return rows
    .map((row) => ({ row, ...demandOf(row), placedAt: new Date(row.placed_at), id: row.id }))
    .sort(byPriority)
    .map(({ row }) => row);
}

async function freshOpenQuote(trx: Db, tokenId: string, now: Date): Promise<QuoteRow | null> {
  const quote = await trx
    .selectFrom('quote')
    .selectAll()
    .where('token_id', '=', tokenId)
    .where('market_status', '=', 'open')
    .executeTakeFirst();
  const isUsable =
    quote !== undefined && isFresh(Date.parse(quote.as_of), now.getTime(), PRICING_QUOTE_MAX_AGE_MS);
  return isUsable ? quote : null;
}

/** The orders of one side after a quote: each trades with what those before it have left of the offer. */
async function meetQuote(
  trx: Db,
  key: SideKey,
  orders: readonly PaperOrderRow[],
  quote: QuoteRow | null,
  schedule: FeeSchedule,
  now: Date,
): Promise<PaperOrderRow[]> {
  if (quote === null || orders.length === 0) return [...orders];
  const [price, size] = key.side === 'buy' ? [quote.ask, quote.ask_size] : [quote.bid, quote.bid_size];
  const asOf = new Date(quote.as_of);
  const sight = { offers: bestLevel(price, size), isWhole: false, at: asOf };
  const before = await readLevels(trx, key);
  let levels = look(key.side, before, sight);
  const after: PaperOrderRow[] = [];
  for (const order of orders) {
    const [offer] = untaken(levels, sight.offers);
    const meeting = isLater(asOf, order) && offer !== undefined ? meetOffer(demandOf(order), offer) : null;
    if (meeting === null) {
      after.push(order);
      continue;
    }
    levels = take(levels, sight, [meeting]);
    const source = { liquidity: meeting.liquidity, asOf };
    after.push(await recordExecutions(trx, order, [meeting], source, schedule, { status: 'open', now }));
  }
  await keepLevels(trx, key, before, levels);
  return after;
}

/** An order met what there was when it arrived: only what is seen after that can be new. */
const isLater = (asOf: Date, { placed_at }: PaperOrderRow): boolean => asOf > new Date(placed_at);

/** Meets every minute that opened after the order came, once. */
async function meetCandles(
  trx: Db,
  order: PaperOrderRow,
  candles: readonly Candle[],
  stepSize: Exact,
  schedule: FeeSchedule,
  now: Date,
): Promise<PaperOrderRow> {
  const unseen = unseenCandles(candles, order.candle_at);
  const last = unseen.at(-1);
  if (last === undefined) return order;
  let after = order;
  for (const candle of unseen) {
    if (after.status !== 'open') break;
    const asOf = new Date(candle.closeTimeMs);
    const range = { low: exact(candle.low), high: exact(candle.high), volume: exact(candle.volume) };
    const used = await readTakenOfCandle(trx, sideOf(order), asOf);
    const meeting = meetCandle(demandOf(after), range, used, stepSize);
    if (meeting === null) continue;
    const source = { liquidity: meeting.liquidity, asOf };
    after = await recordExecutions(trx, after, [meeting], source, schedule, { status: 'open', now });
  }
  await rememberCandles(trx, order, new Date(last.closeTimeMs + 1));
  return after;
}
