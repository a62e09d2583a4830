/** Kalshi records as the port's shapes. Pure. */
import {
  complement,
  complementOrNull,
  difference,
  isZero,
  midpoint,
  toNumber,
  toNumberOrNull,
  trimmed,
  trimmedOrNull,
} from '../parse/decimal.ts';
import { joinTexts } from '../parse/texts.ts';
import { ladderStepOf, spreadOf } from '../parse/view-parts.ts';
import { type PriceRange, type Quote, tickAt } from '../reads.ts';
import { isoTime, SECOND_MS } from '../time.ts';
import type { Fees, ListingStatus, Market, Point } from '../views.ts';
import type { MarketStatus } from '../vocabulary.ts';
import type { WireCandle, WireEvent, WireMarket, WirePriced, WireQuote, WireTerms } from './wire.ts';

export type Side = 'yes' | 'no';

/** Contracts trade in hundredths. */
export const COUNT_STEP = '0.01';

const STATUS: Record<string, ListingStatus> = {
  initialized: 'unopened',
  active: 'open',
  inactive: 'paused',
  closed: 'closed',
  determined: 'closed',
  disputed: 'closed',
  amended: 'closed',
  finalized: 'settled',
};

/** A future status of Kalshi counts as `paused`: nothing trades on an unknown status. */
export const statusOf = ({ status }: Pick<WirePriced, 'status'>): ListingStatus => STATUS[status] ?? 'paused';

/** For instruments, "not open yet" is a pause. */
export function instrumentStatusOf(market: WirePriced): MarketStatus {
  const status = statusOf(market);
  return status === 'unopened' ? 'paused' : status;
}

type TopOfBook = {
  bid: string | null;
  bidSize: string | null;
  ask: string | null;
  askSize: string | null;
  topOfBookUnknown?: true;
};

/**
 * Best prices of the yes side. "No quote" is sent as a price (bid 0.0000, ask 1.0000 or 0.0000), so the size decides. Crossed
 * prices are a glitch of the venue and count as unknown.
 */
export function topOfBook(market: WirePriced): TopOfBook {
  const { yes_bid_dollars: bid, yes_ask_dollars: ask } = market;
  const { yes_bid_size_fp: bidSize, yes_ask_size_fp: askSize } = market;
  const hasBid = !isZero(bid) && !isZero(bidSize);
  const hasAsk = !isZero(ask) && !isZero(askSize);
  if (hasBid && hasAsk && Number(bid) >= Number(ask)) {
    return { bid: null, bidSize: null, ask: null, askSize: null, topOfBookUnknown: true };
  }
  return {
    bid: hasBid ? trimmed(bid) : null,
    bidSize: hasBid ? trimmed(bidSize) : null,
    ask: hasAsk ? trimmed(ask) : null,
    askSize: hasAsk ? trimmed(askSize) : null,
  };
}

/** A no contract mirrors a yes contract: its bid is 1 − the yes ask, with the size of that ask. */
export function topOfBookOfSide(market: WirePriced, side: Side): TopOfBook {
  const yes = topOfBook(market);
  if (side === 'yes' || yes.topOfBookUnknown) return yes;
  return {
    bid: complementOrNull(yes.ask),
    bidSize: yes.askSize,
    ask: complementOrNull(yes.bid),
    askSize: yes.bidSize,
  };
}

/** `0.0000` means that there was no trade yet. */
function lastPriceOf(
  { last_price_dollars: last }: Pick<WireQuote, 'last_price_dollars'>,
  side: Side = 'yes',
): string | null {
  if (last === null || isZero(last)) return null;
  return side === 'yes' ? trimmed(last) : complement(last);
}

/** The payout of one contract: only once the market is finalized and the venue states the value or a plain result. */
export function settlementOf(market: WirePriced, side: Side): string | null {
  if (statusOf(market) !== 'settled') return null;
  const byResult = market.result === 'yes' ? '1' : market.result === 'no' ? '0' : null;
  const yes = market.settlement_value_dollars ?? byResult;
  if (yes === null) return null;
  return side === 'yes' ? trimmed(yes) : complement(yes);
}

export function quoteOf(market: WireQuote, side: Side, asOf: string): Quote {
  return {
    tokenId: `${market.ticker}:${side}`,
    ...topOfBookOfSide(market, side),
    last: lastPriceOf(market, side),
    volume24h: trimmedOrNull(market.volume_24h_fp),
    openInterest: trimmedOrNull(market.open_interest_fp),
    change24h: null,
    asOf,
    marketStatus: instrumentStatusOf(market),
    settlementValue: settlementOf(market, side),
  };
}

/** The price grid of a side; that of no is mirrored. */
export function priceRangesOf(market: WireTerms, side: Side): PriceRange[] {
  const ranges = market.price_ranges.map(({ start, end, step }) => ({
    start: trimmed(start),
    end: trimmed(end),
    step: trimmed(step),
  }));
  if (side === 'yes') return ranges;
  return ranges
    .map(({ start, end, step }) => ({ start: complement(end), end: complement(start), step }))
    .reverse();
}

/** The coarsest step: its multiples are legal prices in every range. */
export function coarsestStep(ranges: readonly PriceRange[]): string {
  return ranges.reduce((step, range) => (Number(range.step) > Number(step) ? range.step : step), '0');
}

/** Titles carry Markdown emphasis. */
export const titleOf = (market: Pick<WireTerms, 'title' | 'ticker'>, event: WireEvent | null): string =>
  market.title?.replaceAll('**', '').trim() || event?.title || market.ticker;

const isResult = (text: unknown): text is 'yes' | 'no' | 'scalar' =>
  text === 'yes' || text === 'no' || text === 'scalar';

/** Parts that only the view of one market has. */
export type Details = {
  rules: string | null;
  fees: Fees | null;
};

export const rulesOf = ({ rules_primary, rules_secondary }: WireMarket): string | null =>
  joinTexts(rules_primary, rules_secondary);

const NO_DETAILS: Details = { rules: null, fees: null };

export function marketOf(
  market: WireMarket,
  event: WireEvent | null,
  { rules, fees }: Details = NO_DETAILS,
): Market {
  const top = topOfBook(market);
  const last = lastPriceOf(market);
  const previous = market.previous_price_dollars;
  const hasReference = last !== null && previous !== null && !isZero(previous);
  const middle = top.bid !== null && top.ask !== null ? midpoint(top.bid, top.ask) : null;
  const price = last ?? middle;
  const ranges = priceRangesOf(market, 'yes');
  const tickSize = tickAt({ priceRanges: ranges, tickSize: coarsestStep(ranges) }, price ?? '0.5');
  return {
    venue: 'venue-a',
    id: market.ticker,
    ref: market.ticker,
    ticker: market.ticker,
    slug: null,
    conditionId: null,
    event: event === null ? null : { id: event.event_ticker, slug: null, title: event.title },
    title: titleOf(market, event),
    label: market.yes_sub_title || null,
    status: statusOf(market),
    result: isResult(market.result) ? market.result : null,
    outcomes: [
      {
        label: 'Yes',
        tokenId: `${market.ticker}:yes`,
        price: toNumberOrNull(price),
        bid: toNumberOrNull(top.bid),
        ask: toNumberOrNull(top.ask),
        bidSize: toNumberOrNull(top.bidSize),
        askSize: toNumberOrNull(top.askSize),
      },
      {
        label: 'No',
        tokenId: `${market.ticker}:no`,
        price: toNumberOrNull(complementOrNull(price)),
        bid: toNumberOrNull(complementOrNull(top.ask)),
        ask: toNumberOrNull(complementOrNull(top.bid)),
        bidSize: toNumberOrNull(top.askSize),
        askSize: toNumberOrNull(top.bidSize),
      },
    ],
    lastPrice: toNumberOrNull(last),
    change24h: hasReference ? toNumber(difference(last, previous)) : null,
    volume: toNumber(market.volume_fp),
    volume24h: toNumber(market.volume_24h_fp),
    // `liquidity_dollars` is always 0.0000, and deprecated.
    liquidity: null,
    openInterest: toNumberOrNull(market.open_interest_fp),
    tickSize: toNumber(tickSize),
    minSize: toNumber(COUNT_STEP),
    closesAt: market.close_time,
    updatedAt: market.updated_time,
    rules,
    resolutionSources: event?.settlement_sources ?? [],
    fees,
    negRisk: null,
    opensAt: market.open_time,
    startsAt: market.occurrence_datetime,
    canCloseEarly: market.can_close_early,
    expectedExpirationAt: market.expected_expiration_time,
    latestExpirationAt: market.latest_expiration_time,
    strike: strikeOf(market),
    spread: spreadOf(top),
    rewards: null,
    change1h: null,
    change1w: null,
    category: event?.category ?? null,
    tags: [],
    image: null,
    tickLadder: ranges.map(ladderStepOf),
  };
}

function strikeOf({ strike_type: type, floor_strike: floor, cap_strike: cap }: WireMarket): Market['strike'] {
  if (type === null && floor === null && cap === null) return null;
  return { type, floor: toNumberOrNull(floor), cap: toNumberOrNull(cap) };
}

/**
 * The price of a candle: its close, else the price before it, else the middle of the quotes at its end. Null if it has none of
 * these (bid 0 and ask 1 are no quotes).
 */
function candlePrice({ price, yes_bid: bid, yes_ask: ask }: WireCandle): string | null {
  const traded = price.close ?? price.previous;
  if (traded !== null) return traded;
  if (bid.close === null || ask.close === null || isZero(ask.close)) return null;
  if (isZero(bid.close) && Number(ask.close) === 1) return null;
  return midpoint(bid.close, ask.close);
}

function pointOf(candle: WireCandle): Point | null {
  const price = candlePrice(candle);
  if (price === null) return null;
  const { open, high, low, close } = candle.price;
  const point: Point = { t: isoTime(candle.end_period_ts * SECOND_MS), p: toNumber(price) };
  if (open !== null && high !== null && low !== null && close !== null) {
    Object.assign(point, { o: toNumber(open), h: toNumber(high), l: toNumber(low) });
  }
  return { ...point, v: toNumber(candle.volume) };
}

/** Points of a window from candles in order. The price before the window, if sent, becomes the point at its start. */
export function pointsOf(candles: readonly WireCandle[], startMs: number): Point[] {
  const points = new Map<string, Point>();
  for (const candle of candles) {
    const point = pointOf(candle);
    if (point === null) continue;
    const isBefore = candle.end_period_ts * SECOND_MS < startMs;
    const placed = isBefore ? { t: isoTime(startMs), p: point.p } : point;
    points.set(placed.t, placed);
  }
  return [...points.values()];
}

/** Points of `bucketMs`, each at the time of its last one: prices from the last, extremes and volume of all. */
export function downsampled(points: readonly Point[], bucketMs: number): Point[] {
  const buckets = new Map<number, Point>();
  for (const point of points) {
    const bucket = Math.ceil(Date.parse(point.t) / bucketMs);
    const before = buckets.get(bucket);
    buckets.set(bucket, before === undefined ? point : merged(before, point));
  }
  return [...buckets.values()];
}

function merged(a: Point, b: Point): Point {
  const point: Point = { t: b.t, p: b.p };
  const open = a.o ?? b.o;
  if (open !== undefined) {
    point.o = open;
    point.h = Math.max(a.h ?? 0, b.h ?? 0);
    point.l = Math.min(a.l ?? 1, b.l ?? 1);
  }
  // Counts have two decimals: added in hundredths, so that no float error is visible.
  if (a.v !== undefined || b.v !== undefined) {
    point.v = (Math.round((a.v ?? 0) * 100) + Math.round((b.v ?? 0) * 100)) / 100;
  }
  return point;
}
