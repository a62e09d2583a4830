import type { Selectable } from 'kysely';
import type { PaperStatus } from '../../../../db/entities/paper.ts';
import type { Database } from '../../../../db/tables.ts';
import { type Liquidity, mayRest, SIDES, type Side } from '../../../../db/vocabulary.ts';
import type { Candle, FeeSchedule } from '../../../../venues/port.ts';
import { isFresh } from '../../../platform/clock/freshness.ts';
import { type Exact, exact, sumOf, ZERO } from '../../../platform/decimal.ts';
import type { QuoteRow } from '../row.ts';
import { PRICING_QUOTE_MAX_AGE_MS } from '../settings.ts';
import { feesOf, rawFee } from '../terms/fees.ts';
import { unmatchedCandles } from './candles-to-match.ts';
import {
  byPriority,
  type Execution,
  matchCandle,
  matchOffer,
  type PaperDemand,
  takeOffers,
} from './match-rules.ts';
import { bestLevel, type Offers } from './opposite-side.ts';
import {
  pruneLevels,
  type TakenLevels,
  takeFromLevels,
  untakenOffers,
  updateLevels,
} from './taken-levels.ts';

export type PaperOrderRow = Selectable<Database['paper_order']>;
export type PaperFillRow = Selectable<Database['paper_fill']>;

/** Returns the unfilled demand of an order. */
export const demandOf = (order: PaperOrderRow): PaperDemand => ({
  side: order.side,
  limitPrice: exact(order.limit_price),
  left: exact(order.amount).minus(exact(order.filled_amount)),
});

/** Context of a match: time, fee schedule, step and trade ids. */
export type MatchContext = {
  readonly now: Date;
  readonly schedule: FeeSchedule;
  readonly stepSize: Exact;
  readonly newId: () => string;
};

/** Liquidity of an execution, and the time of the offer it traded with. */
type OfferSource = { readonly liquidity: Liquidity; readonly asOf: Date };

/** Applies executions to an open order, and builds its new trades. Fees are rounded on the order's total. */
function execute(
  order: PaperOrderRow,
  traded: readonly PaperFillRow[],
  executions: readonly Execution[],
  { liquidity, asOf }: OfferSource,
  { now, schedule, newId }: MatchContext,
): { order: PaperOrderRow; fills: PaperFillRow[] } {
  const before = sumOf(
    traded
      .filter(({ order_id }) => order_id === order.id)
      .map((fill) => rawFee(schedule, fill.liquidity, exact(fill.price), exact(fill.amount))),
  );
  const fees = feesOf(schedule, liquidity, before, executions);
  const fills = executions.map(
    ({ price, amount }, index): PaperFillRow => ({
      account_id: order.account_id,
      id: newId(),
      order_id: order.id,
      token_id: order.token_id,
      side: order.side,
      amount: amount.toFixed(),
      price: price.toFixed(),
      fee: (fees[index] ?? ZERO).toFixed(),
      liquidity,
      offer_price: price.toFixed(),
      offer_as_of: asOf.toISOString(),
      at: now.toISOString(),
    }),
  );
  const filled = sumOf([order.filled_amount, ...executions.map(({ amount }) => amount)]);
  const status: PaperStatus = filled.eq(exact(order.amount)) ? 'filled' : order.status;
  return {
    order: { ...order, filled_amount: filled.toFixed(), status, updated_at: now.toISOString() },
    fills,
  };
}

/** Result of an arrival: the order, its trades, and what is left of the offers for the account. */
export type Arrival = {
  readonly order: PaperOrderRow;
  readonly fills: readonly PaperFillRow[];
  readonly levels: TakenLevels;
};

/**
 * Executes an arriving order against the offers; the rest stays open, or ends if it may not rest. `levels` are the account's
 * stored levels of that side of the market. Pure.
 */
export function matchArrival(
  order: PaperOrderRow,
  levels: TakenLevels,
  { levels: offers, isWhole, asOf }: Offers,
  feedNowMs: number,
  matching: MatchContext,
): Arrival {
  // The feed may run on another clock: its data has the same age on ours.
  const at = new Date(matching.now.getTime() - Math.max(0, feedNowMs - asOf.getTime()));
  const sight = { offers, isWhole, at };
  const seen = updateLevels(order.side, levels, sight);
  const demand = demandOf(order);
  const possible = takeOffers(demand, untakenOffers(seen, offers), matching.stepSize);
  const isKilled =
    order.time_in_force === 'fok' && !sumOf(possible.map(({ amount }) => amount)).eq(demand.left);
  const executions = isKilled ? [] : possible;
  const met = execute(order, [], executions, { liquidity: 'taker', asOf }, matching);
  const isOver = met.order.status === 'open' && !mayRest(order.time_in_force);
  return {
    ...met,
    order: isOver ? { ...met.order, status: 'canceled', ...(isKilled ? KILLED : NO_MORE_OFFERS) } : met.order,
    levels: pruneLevels(levels, takeFromLevels(seen, sight, executions)),
  };
}

const NO_MORE_OFFERS = { reason_code: 'no_more_offers', reason: 'No further offers within its limit.' };
const KILLED = {
  reason_code: 'not_whole_at_once',
  reason: 'The offers within its limit do not fill it whole.',
};

/** State of one account's orders in a market at the paper venue. */
export type RestingMarket = {
  readonly orders: readonly PaperOrderRow[];
  /** Trades of these orders, and all trades of the account that used volume of these candles. */
  readonly fills: readonly PaperFillRow[];
  readonly levels: Readonly<Record<Side, TakenLevels>>;
  readonly quote: QuoteRow | null;
  readonly candles: readonly Candle[];
};

/** Changes by a match: all changed orders, new trades, and the levels. */
export type MatchedMarket = {
  readonly orders: readonly PaperOrderRow[];
  readonly fills: readonly PaperFillRow[];
  readonly levels: Readonly<Record<Side, TakenLevels>>;
};

/**
 * Matches resting orders with the market's quote, and with the candles closed since. A stale quote, or one of a market that is
 * not open, is ignored. Pure.
 */
export function matchResting(market: RestingMarket, matching: MatchContext): MatchedMarket {
  const quote = usable(market.quote, matching.now);
  const orders: PaperOrderRow[] = [];
  const fills: PaperFillRow[] = [];
  const levels = { ...market.levels };
  for (const side of SIDES) {
    const waiting = waitingOn(market.orders, side, matching.now);
    const traded = () => [...market.fills, ...fills];
    const met = quote === null ? null : matchQuote(waiting, levels[side], quote, traded(), matching);
    fills.push(...(met?.fills ?? []));
    if (met !== null) levels[side] = pruneLevels(levels[side], met.levels);
    for (const [index, order] of (met?.orders ?? waiting).entries()) {
      const after = matchCandles(order, market, traded(), matching);
      fills.push(...after.fills);
      if (after.order !== waiting[index]) orders.push(after.order);
    }
  }
  return { orders, fills, levels };
}

const usable = (quote: QuoteRow | null, now: Date): QuoteRow | null =>
  quote !== null &&
  quote.market_status === 'open' &&
  isFresh(Date.parse(quote.as_of), now.getTime(), PRICING_QUOTE_MAX_AGE_MS)
    ? quote
    : null;

/** Returns the orders of one side that can still trade, by price and then time. */
const waitingOn = (orders: readonly PaperOrderRow[], side: Side, now: Date): PaperOrderRow[] =>
  orders
    .filter(
      (order) =>
        order.side === side &&
        order.status === 'open' &&
        (order.good_till === null || new Date(order.good_till) > now),
    )
    .map((row) => ({ row, ...demandOf(row), placedAt: new Date(row.placed_at), id: row.id }))
    .sort(byPriority)
    .map(({ row }) => row);

/** Matches the orders of one side with a quote: each trades with what earlier ones have left of the offer. */
function matchQuote(
  orders: readonly PaperOrderRow[],
  before: TakenLevels,
  quote: QuoteRow,
  traded: readonly PaperFillRow[],
  matching: MatchContext,
): MatchedSide {
  const [first] = orders;
  if (first === undefined) return { orders, fills: [], levels: before };
  const [price, size] = first.side === 'buy' ? [quote.ask, quote.ask_size] : [quote.bid, quote.bid_size];
  const asOf = new Date(quote.as_of);
  const sight = { offers: bestLevel(price, size), isWhole: false, at: asOf };
  let levels = updateLevels(first.side, before, sight);
  const after: PaperOrderRow[] = [];
  const fills: PaperFillRow[] = [];
  for (const order of orders) {
    const [offer] = untakenOffers(levels, sight.offers);
    const meeting =
      isLater(asOf, order) && offer !== undefined
        ? matchOffer(demandOf(order), offer, matching.stepSize)
        : null;
    if (meeting === null) {
      after.push(order);
      continue;
    }
    levels = takeFromLevels(levels, sight, [meeting]);
    const met = execute(order, traded, [meeting], { liquidity: meeting.liquidity, asOf }, matching);
    after.push(met.order);
    fills.push(...met.fills);
  }
  return { orders: after, fills, levels };
}

type MatchedSide = {
  readonly orders: readonly PaperOrderRow[];
  readonly fills: readonly PaperFillRow[];
  readonly levels: TakenLevels;
};

/** Whether an offer is newer than the order's arrival: earlier offers were matched at the arrival. */
const isLater = (asOf: Date, { placed_at }: PaperOrderRow): boolean => asOf > new Date(placed_at);

/** Matches an order once with every candle that opened after its arrival. */
function matchCandles(
  order: PaperOrderRow,
  { candles }: RestingMarket,
  traded: readonly PaperFillRow[],
  matching: MatchContext,
): { order: PaperOrderRow; fills: readonly PaperFillRow[] } {
  const unseen = unmatchedCandles(candles, order.candle_at);
  const last = unseen.at(-1);
  if (last === undefined) return { order, fills: [] };
  let after = order;
  const fills: PaperFillRow[] = [];
  for (const { closeTimeMs, low, high, volume } of unseen) {
    if (after.status !== 'open') break;
    const asOf = new Date(closeTimeMs);
    const range = { low: exact(low), high: exact(high), volume: exact(volume) };
    const all = [...traded, ...fills];
    const meeting = matchCandle(
      demandOf(after),
      range,
      takenOf(all, order.side, closeTimeMs),
      matching.stepSize,
    );
    if (meeting === null) continue;
    const met = execute(after, all, [meeting], { liquidity: meeting.liquidity, asOf }, matching);
    after = met.order;
    fills.push(...met.fills);
  }
  return { order: { ...after, candle_at: new Date(last.closeTimeMs + 1).toISOString() }, fills };
}

/** Sums the volume of the candle closed at this moment that the account's orders of one side have taken. */
const takenOf = (fills: readonly PaperFillRow[], side: Side, closedAtMs: number): Exact =>
  sumOf(
    fills
      .filter((fill) => fill.side === side && Date.parse(fill.offer_as_of) === closedAtMs)
      .map(({ amount }) => amount),
  );
