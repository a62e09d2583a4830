import type { Db } from '../../../db/tables.ts';
import { type Candle, VenueError } from '../../../venues/port.ts';
import type { Clock } from '../../context.ts';
import { exact } from '../../decimal.ts';
import type { OrderKey } from '../broker.ts';
import { feeScheduleOf } from '../fees.ts';
import { isFresh } from '../quote-age.ts';
import type { InstrumentRow, QuoteRow } from '../row.ts';
import { PRICING_QUOTE_MAX_AGE_MS } from '../settings.ts';
import { CANDLE_MS, candlesToAsk, unseenCandles } from './candles.ts';
import { byPriority, meetCandle, meetResting } from './match.ts';
import type { PaperMarketData } from './offers.ts';
import {
  demandOf,
  lockPaperMarket,
  type PaperOrderRow,
  readTaken,
  recordExecutions,
  rememberCandles,
} from './store.ts';

export type RestingDeps = { db: Db; marketData: PaperMarketData; clock: Clock };

/**
 * Matches what rests in these instruments against their stored quotes, and in crypto against the minutes that have
 * closed since. Answers the orders that traded.
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
        eb.and([eb('o.venue', '=', 'crypto'), eb('o.candle_at', '<=', closedMinute)]),
      ]),
    )
    .groupBy(['o.account_id', 'o.token_id', 'o.venue'])
    .execute();
  const traded: OrderKey[] = [];
  for (const { account_id, token_id, venue, candle_at } of markets) {
    const candles = venue === 'crypto' ? await candlesSince(deps.marketData, token_id, candle_at) : [];
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
    const orders = await restingOrders(trx, accountId, tokenId);
    const instrument = await trx
      .selectFrom('instrument')
      .selectAll()
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow();
    const quote = await freshOpenQuote(trx, tokenId, now);
    const traded: OrderKey[] = [];
    for (const order of orders) {
      const met = quote === null ? order : await meetQuote(trx, order, quote, instrument, now);
      const after = await meetCandles(trx, met, candles, instrument, now);
      if (after.filled_amount !== order.filled_amount) traded.push({ accountId, id: order.id });
    }
    return traded;
  });
}

/** Locked: a cancel waits until they are matched, and one that came first has taken its order out. */
async function restingOrders(trx: Db, accountId: string, tokenId: string): Promise<PaperOrderRow[]> {
  const rows = await trx
    .selectFrom('paper_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where('status', '=', 'open')
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

async function meetQuote(
  trx: Db,
  order: PaperOrderRow,
  quote: QuoteRow,
  instrument: InstrumentRow,
  now: Date,
): Promise<PaperOrderRow> {
  const [price, size] = order.side === 'buy' ? [quote.ask, quote.ask_size] : [quote.bid, quote.bid_size];
  if (price === null || size === null) return order;
  const asOf = new Date(quote.as_of);
  const taken = await readTaken(trx, keyOf(order, asOf));
  const execution = meetResting(demandOf(order), { price: exact(price), size: exact(size) }, taken);
  if (execution === null) return order;
  const schedule = feeScheduleOf(instrument.fee_schedule);
  return recordExecutions(trx, order, [execution], { liquidity: 'maker', asOf }, schedule, {
    status: 'open',
    now,
  });
}

/** Meets every minute that opened after the order came, once. */
async function meetCandles(
  trx: Db,
  order: PaperOrderRow,
  candles: readonly Candle[],
  instrument: InstrumentRow,
  now: Date,
): Promise<PaperOrderRow> {
  const unseen = unseenCandles(candles, order.candle_at);
  const last = unseen.at(-1);
  if (last === undefined) return order;
  const schedule = feeScheduleOf(instrument.fee_schedule);
  let after = order;
  for (const candle of unseen) {
    if (after.status !== 'open') break;
    const asOf = new Date(candle.closeTimeMs);
    const range = { low: exact(candle.low), high: exact(candle.high), volume: exact(candle.volume) };
    const taken = await readTaken(trx, keyOf(order, asOf));
    const execution = meetCandle(demandOf(after), range, taken, exact(instrument.step_size));
    if (execution === null) continue;
    after = await recordExecutions(trx, after, [execution], { liquidity: 'maker', asOf }, schedule, {
      status: 'open',
      now,
    });
  }
  await rememberCandles(trx, order, new Date(last.closeTimeMs + 1));
  return after;
}

const keyOf = (order: PaperOrderRow, asOf: Date) => ({
  accountId: order.account_id,
  tokenId: order.token_id,
  side: order.side,
  asOf,
});
