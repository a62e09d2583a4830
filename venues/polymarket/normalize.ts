/** Polymarket records as the port's shapes. Pure. */
import { complementOrNull, midpoint, product, toNumber, toNumberOrNull, total } from '../parse/decimal.ts';
import { sourceOf } from '../parse/texts.ts';
import { feesOf, ladderStepOf, spreadOf } from '../parse/view-parts.ts';
import { bestFirst, isCrossed } from '../trading.ts';
import type { ListingStatus, Market, MarketEvent, Outcome } from '../views.ts';
import type { MarketStatus } from '../vocabulary.ts';
import { feeScheduleOf, ladderOf } from './terms.ts';
import type { WireEvent, WireMarket, WireOffers, WireStatus } from './wire.ts';

/** The side of a market: outcomes are identified by their index, not by their labels (many are team names). */
export type OutcomeIndex = 0 | 1;

/** Old records do not have two outcomes; they cannot be shown or traded as a binary market. */
export const isBinary = (market: Pick<WireStatus, 'outcomes'>): boolean => market.outcomes.length === 2;

/**
 * `active` is checked first: placeholders of augmented groups are inactive and yet accept orders. A market with a proposed
 * resolution no longer has an order book, whatever `acceptingOrders` says.
 */
export function statusOf(market: WireStatus): ListingStatus {
  if (market.closed === true) return market.umaResolutionStatus === 'resolved' ? 'settled' : 'closed';
  if (market.active === false) return 'unopened';
  if (market.umaResolutionStatus) return 'closed';
  return market.acceptingOrders === false ? 'paused' : 'open';
}

/** For instruments, "not open yet" is a pause. */
export function instrumentStatusOf(market: WireStatus): MarketStatus {
  const status = statusOf(market);
  return status === 'unopened' ? 'paused' : status;
}

/** An unnamed slot of an augmented group, reserved for a later outcome. */
export const isPlaceholder = (market: WireStatus): boolean =>
  market.active === false && market.closed !== true;

const PAYOUTS: readonly string[] = ['0', '0.5', '1'];

/**
 * The payout of one share: only once the market is resolved and its prices are a payout (1 and 0, or half each). Some records
 * retain prices of the last trade, which are no payout.
 */
export function settlementOf(market: WireStatus, index: OutcomeIndex): string | null {
  if (statusOf(market) !== 'settled') return null;
  const payouts = market.outcomePrices.map((price) => String(Number(price)));
  const [first, second] = payouts;
  if (first === undefined || second === undefined || payouts.length !== 2) return null;
  if (!PAYOUTS.includes(first) || Number(first) + Number(second) !== 1) return null;
  return index === 0 ? first : second;
}

export function resultOf(market: WireStatus): Market['result'] {
  const payout = settlementOf(market, 0);
  if (payout === null) return null;
  if (payout === '0.5') return 'scalar';
  return payout === '1' ? 'yes' : 'no';
}

/** Best prices of the first outcome from the record. Gamma's may be minutes old. */
function recordTopOfBook(market: WireMarket): { bid: string | null; ask: string | null } {
  const { bestBid: bid, bestAsk: ask } = market;
  if (statusOf(market) !== 'open') return { bid: null, ask: null };
  const hasBid = bid !== null && Number(bid) > 0;
  const hasAsk = ask !== null && Number(ask) > 0 && Number(ask) < 1;
  if (hasBid && hasAsk && Number(bid) >= Number(ask)) return { bid: null, ask: null };
  return { bid: hasBid ? bid : null, ask: hasAsk ? ask : null };
}

function outcomesOf(market: WireMarket): Outcome[] {
  const { bid, ask } = recordTopOfBook(market);
  const tops = [
    { bid, ask },
    { bid: complementOrNull(ask), ask: complementOrNull(bid) },
  ];
  return tops.map((top, index) => ({
    label: market.outcomes[index] ?? '',
    tokenId: market.clobTokenIds[index] ?? null,
    price: toNumberOrNull(market.outcomePrices[index] ?? null),
    bid: toNumberOrNull(top.bid),
    ask: toNumberOrNull(top.ask),
    // The record contains no sizes: they come with the books.
    bidSize: null,
    askSize: null,
  }));
}

function eventNameOf({ events }: WireMarket): EventName | null {
  const { id, slug, title } = events?.[0] ?? {};
  return id && slug && title ? { id, slug, title } : null;
}

type EventName = {
  id: string;
  slug: string;
  title: string;
};

/** Fields that a market takes from its event. */
type Around = EventName & {
  tags?: string[];
  category?: string | null;
};

/** The view of a market. Its rules are long, and included only if it was requested by name. */
export function marketOf(
  market: WireMarket,
  event: Around | null = eventNameOf(market),
  rules: string | null = null,
): Market {
  const tick = market.orderPriceMinTickSize;
  return {
    venue: 'venue-b',
    id: market.id,
    ref: market.clobTokenIds[0] ?? market.conditionId,
    ticker: null,
    slug: market.slug,
    conditionId: market.conditionId,
    event: event === null ? null : { id: event.id, slug: event.slug, title: event.title },
    title: market.question,
    label: market.groupItemTitle || null,
    status: statusOf(market),
    result: resultOf(market),
    outcomes: outcomesOf(market),
    lastPrice: toNumberOrNull(market.lastTradePrice),
    change24h: toNumberOrNull(market.oneDayPriceChange),
    volume: toNumberOrNull(market.volume ?? market.volumeNum),
    volume24h: toNumberOrNull(market.volume24hr),
    liquidity: toNumberOrNull(market.liquidity ?? market.liquidityNum),
    openInterest: null,
    tickSize: toNumberOrNull(market.orderPriceMinTickSize),
    minSize: toNumberOrNull(market.orderMinSize),
    closesAt: market.endDate,
    updatedAt: market.updatedAt,
    rules,
    resolutionSources: sourceOf(market.resolutionSource),
    fees: feesOf(feeScheduleOf(market)),
    negRisk: market.negRisk,
    opensAt: market.startDate,
    startsAt: market.gameStartTime ?? market.eventStartTime,
    canCloseEarly: null,
    expectedExpirationAt: null,
    latestExpirationAt: null,
    strike: null,
    spread: spreadOf(recordTopOfBook(market)),
    rewards: rewardsOf(market),
    change1h: toNumberOrNull(market.oneHourPriceChange),
    change1w: toNumberOrNull(market.oneWeekPriceChange),
    category: market.category ?? event?.category ?? null,
    tags: event?.tags ?? [],
    image: market.image,
    tickLadder: tick === null || Number(tick) === 0 ? [] : [ladderStepOf(ladderOf(tick))],
  };
}

/** The venue states the spread in cents. */
function rewardsOf({ rewardsMinSize, rewardsMaxSpread, clobRewards }: WireMarket): Market['rewards'] {
  if (rewardsMinSize === null && rewardsMaxSpread === null && clobRewards.length === 0) return null;
  const daily = clobRewards.reduce<string | null>(
    (sum, rate) => (sum === null ? rate : total(sum, rate)),
    null,
  );
  return {
    minSize: toNumberOrNull(rewardsMinSize),
    maxSpread: rewardsMaxSpread === null ? null : toNumber(product(rewardsMaxSpread, '0.01')),
    dailyRate: toNumberOrNull(daily),
  };
}

/** An event with its binary markets in the venue's own order; placeholders are left out. */
export function eventOf(event: WireEvent, markets: readonly WireMarket[], isWhole: boolean): MarketEvent {
  const visible = markets.filter((market) => isBinary(market) && !isPlaceholder(market));
  const ordered = visible.sort(
    (a, b) => Number(a.groupItemThreshold ?? 0) - Number(b.groupItemThreshold ?? 0),
  );
  return {
    id: event.id,
    slug: event.slug,
    title: event.title,
    grouped: (event.markets ?? []).length > 1,
    mutuallyExclusive: event.negRisk === true,
    volume: toNumberOrNull(event.volume),
    volume24h: toNumberOrNull(event.volume24hr),
    liquidity: toNumberOrNull(event.liquidity),
    endsAt: event.endDate,
    openInterest: toNumberOrNull(event.openInterest),
    rules: isWhole ? event.description : null,
    resolutionSources: sourceOf(event.resolutionSource),
    negRisk: event.negRisk ?? null,
    opensAt: event.startDate,
    startsAt: event.startTime,
    category: event.category,
    tags: event.tags,
    image: event.image,
    markets: ordered.map((market) => marketOf(market, event)),
  };
}

/** One row per market, the most active first. */
export function marketRowsOf(events: readonly MarketEvent[]): Market[] {
  return events.flatMap(({ markets }) => markets).sort((a, b) => (b.volume24h ?? 0) - (a.volume24h ?? 0));
}

/** The market with the bid and ask of its order books, which are newer than the record's. */
export function withBooks(market: Market, books: readonly WireOffers[]): Market {
  const outcomes = market.outcomes.map((outcome) => {
    const book = books.find(({ asset_id }) => asset_id === outcome.tokenId);
    const { bid, ask } = book === undefined ? { bid: null, ask: null } : topOfBook(book);
    return {
      ...outcome,
      bid: toNumberOrNull(bid?.price ?? null),
      ask: toNumberOrNull(ask?.price ?? null),
      bidSize: toNumberOrNull(bid?.size ?? null),
      askSize: toNumberOrNull(ask?.size ?? null),
    };
  });
  const own = books.find(({ asset_id }) => asset_id === market.outcomes[0]?.tokenId);
  const top = own === undefined ? { bid: null, ask: null } : topOfBook(own);
  const spread = spreadOf({ bid: top.bid?.price ?? null, ask: top.ask?.price ?? null });
  return { ...market, outcomes, spread };
}

/** The best bid and ask of a book. One crossed book among many counts as unknown and does not affect the others. */
export function topOfBook(book: WireOffers) {
  const sides = bestFirst(book.bids, book.asks);
  if (isCrossed(sides)) return { bid: null, ask: null, isKnown: false };
  return { bid: sides.bids[0] ?? null, ask: sides.asks[0] ?? null, isKnown: true };
}

/** The middle of best bid and ask, if both exist. */
export function midOf(book: WireOffers): number | null {
  const { bid, ask } = topOfBook(book);
  return bid === null || ask === null ? null : toNumber(midpoint(bid.price, ask.price));
}

/** The side of the market that a token represents. */
export const outcomeIndexOf = (market: WireStatus, token: string): OutcomeIndex =>
  market.clobTokenIds[1] === token ? 1 : 0;
