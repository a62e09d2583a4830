import type { Db } from '../../../../db/tables.ts';
import { SIDES, VENUE_IDS } from '../../../../db/vocabulary.ts';
import type { OrderKey } from '../../../../venues/broker.ts';
import { type Candle, VENUES, VenueError } from '../../../../venues/port.ts';
import type { Clock } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { knownSchedule } from '../../../platform/instruments/fee-schedule.ts';
import { KIND_RULES } from '../../../platform/instruments/kinds.ts';
import { instrumentOf, type QuoteRow } from '../row.ts';
import { CANDLE_MS, candlesToRequest } from './candles-to-match.ts';
import { matchResting, type PaperOrderRow } from './match-orders.ts';
import type { PaperMarketData } from './offers.ts';
import { lockPaperMarket, readLevels, readTrades, storeLevels, writeMatched } from './store.ts';

const VENUES_WITH_CANDLES = VENUE_IDS.filter((venue) => KIND_RULES[VENUES[venue].kind].hasCandles);

export type RestingDeps = { db: Db; marketData: PaperMarketData; clock: Clock; newId: () => string };

/**
 * Matches resting orders in these instruments with their stored quotes and, if the venue has candles, with those closed since.
 * Returns the orders that traded.
 */
export async function matchRestingOrders(
  deps: RestingDeps,
  tokenIds: readonly string[],
): Promise<OrderKey[]> {
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
        // Include levels taken from, even if they are gone: otherwise their return would not count as new.
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
    traded.push(...(await matchStored(deps, account_id, token_id, candles)));
  }
  return traded;
}

/** Returns the candles that opened since; none while the venue is unavailable: they are matched the next time. */
async function candlesSince(
  marketData: PaperMarketData,
  symbol: string,
  since: string | null,
): Promise<Candle[]> {
  if (since === null) return [];
  const limit = candlesToRequest(since, marketData.now());
  if (limit === 0) return [];
  try {
    return await marketData.closedCandles(symbol, '1m', { limit });
  } catch (error) {
    if (error instanceof VenueError) return [];
    throw error;
  }
}

async function matchStored(
  { db, clock, newId }: RestingDeps,
  accountId: string,
  tokenId: string,
  candles: readonly Candle[],
): Promise<OrderKey[]> {
  return db.transaction().execute(async (trx) => {
    await lockPaperMarket(trx, accountId, tokenId);
    const now = await clock(trx);
    const orders = await restingOrders(trx, accountId, tokenId);
    const instrument = instrumentOf(
      await trx
        .selectFrom('instrument')
        .selectAll()
        .where('token_id', '=', tokenId)
        .executeTakeFirstOrThrow(),
    );
    const key = { accountId, tokenId };
    const before = {
      buy: await readLevels(trx, { ...key, side: 'buy' }),
      sell: await readLevels(trx, { ...key, side: 'sell' }),
    };
    const [oldest] = candles;
    const orderIds = orders.map(({ id }) => id);
    const since = oldest === undefined ? null : new Date(oldest.closeTimeMs);
    const matched = matchResting(
      {
        orders,
        fills: await readTrades(trx, key, orderIds, since),
        levels: before,
        quote: await readQuote(trx, tokenId),
        candles,
      },
      { now, schedule: knownSchedule(instrument), stepSize: exact(instrument.step_size), newId },
    );
    for (const side of SIDES) {
      await storeLevels(trx, { ...key, side }, before[side], matched.levels[side]);
    }
    await writeMatched(trx, matched.orders, matched.fills);
    const traded = new Set(matched.fills.map(({ order_id }) => order_id));
    return [...traded].map((id) => ({ accountId, mode: 'paper' as const, id }));
  });
}

/** Reads and locks resting orders: a cancel waits until they are matched, and an earlier cancel has excluded them. */
const restingOrders = (trx: Db, accountId: string, tokenId: string): Promise<PaperOrderRow[]> =>
  trx
    .selectFrom('paper_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where('status', '=', 'open')
    .forUpdate()
    .execute();

async function readQuote(trx: Db, tokenId: string): Promise<QuoteRow | null> {
  const quote = await trx.selectFrom('quote').selectAll().where('token_id', '=', tokenId).executeTakeFirst();
  return quote ?? null;
}
