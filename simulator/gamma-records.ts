/**
 * Gamma's wire format of the simulated markets, with its habits: arrays in strings, numbers as either type, fields left out.
 */
import { DAY_MS, HOUR_MS } from '../venues/time.ts';
import {
  lastPrice,
  middleOf,
  phaseOf,
  resolvedYes,
  type SimEvent,
  type SimMarket,
  topOfBook,
  volumeBetween,
  volumeUntil,
} from './world/event.ts';
import type { Catalogue } from './world/event-series.ts';
import { keyedRandom } from './world/keyed-random.ts';
import { conditionOf, tokenOf } from './world/tokens.ts';

/**
 * Between the end of trading and the payout the market has no order book. Its record still says that it accepts orders.
 */
const isProposed = (market: SimMarket, nowMs: number): boolean => phaseOf(market.event, nowMs) === 'closed';
const isSettled = (market: SimMarket, nowMs: number): boolean => phaseOf(market.event, nowMs) === 'settled';

export const hasBook = (market: SimMarket, nowMs: number): boolean =>
  phaseOf(market.event, nowMs) === 'open' && !market.placeholder;

const iso = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z');
/** `2026-05-28 05:29:05+00`: how closing times are written. */
const spaced = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')}+00`;
/** A price as a JSON number without float noise. */
const price = (value: number): number => Number(value.toFixed(4));

/** The numeric id of an event or market. */
export function numberOf(catalogue: Catalogue, market: SimMarket, row = 0): string {
  const { code, index } = catalogue.positionOf(market);
  return String((code * 10_000_000 + (index % 10_000_000)) * 100 + row);
}

/** The numeric id of a series. */
export const seriesId = (catalogue: Catalogue, { markets: [first] }: SimEvent): string =>
  first === undefined ? '0' : String(10_000 + catalogue.positionOf(first).code);

function outcomePrices(market: SimMarket, nowMs: number): [string, string] {
  if (isSettled(market, nowMs)) return resolvedYes(market) ? ['1', '0'] : ['0', '1'];
  const middle = price(middleOf(market, nowMs));
  return [String(middle), String(price(1 - middle))];
}

function changeSince(market: SimMarket, spanMs: number, nowMs: number): number {
  const beforeMs = Math.max(market.event.opensMs, nowMs - spanMs);
  return price(middleOf(market, nowMs) - middleOf(market, beforeMs));
}

function prices(market: SimMarket, nowMs: number) {
  const { bid, ask } = topOfBook(market, nowMs);
  const ticks = Math.round(1 / market.tick);
  const last = lastPrice(market, nowMs);
  return {
    outcomePrices: JSON.stringify(outcomePrices(market, nowMs)),
    // Left out where there is none, as the venue does.
    ...(bid > 0 && { bestBid: price(bid * market.tick) }),
    bestAsk: price(Math.min(ticks, ask) * market.tick),
    ...(last > 0 && { lastTradePrice: price(last) }),
    oneHourPriceChange: changeSince(market, HOUR_MS, nowMs),
    oneDayPriceChange: changeSince(market, DAY_MS, nowMs),
    oneWeekPriceChange: changeSince(market, 7 * DAY_MS, nowMs),
    spread: price((ask - bid) * market.tick),
  };
}

function amounts(market: SimMarket, nowMs: number) {
  const volume = volumeUntil(market, nowMs);
  const day = volumeBetween(market, nowMs - DAY_MS, nowMs);
  const liquidity = market.volumePerDay / 8;
  // Some records come without one or the other.
  const chance = keyedRandom(market.key, 99);
  return {
    volume: String(volume),
    volumeNum: volume,
    ...((chance > 0.15 || market.volumePerDay > 100_000) && { volume24hr: day }),
    ...(chance < 0.8 && { liquidity: String(liquidity), liquidityNum: liquidity }),
  };
}

export function marketRecord(
  catalogue: Catalogue,
  market: SimMarket,
  nowMs: number,
): Record<string, unknown> {
  const { event } = market;
  const row = event.markets.indexOf(market);
  const settled = isSettled(market, nowMs);
  const grouped = event.markets.length > 1;
  return {
    id: numberOf(catalogue, market, row + 1),
    question: market.title,
    conditionId: conditionOf(market),
    slug: market.id,
    resolutionSource: '',
    endDate: iso(event.closesMs),
    startDate: iso(event.opensMs),
    createdAt: `${new Date(event.opensMs - HOUR_MS).toISOString().slice(0, 19)}.126632Z`,
    updatedAt: `${new Date(nowMs).toISOString().slice(0, 23)}635Z`,
    description: `Simulated. Resolves to ${market.outcomes[0]} if the simulated world answers “${market.label}” to “${event.title}”.`,
    outcomes: JSON.stringify(market.outcomes),
    clobTokenIds: JSON.stringify([tokenOf(catalogue, market, 0), tokenOf(catalogue, market, 1)]),
    ...(!market.placeholder && { ...prices(market, nowMs), ...amounts(market, nowMs) }),
    active: !market.placeholder && nowMs >= event.opensMs,
    closed: settled,
    archived: false,
    restricted: true,
    enableOrderBook: true,
    acceptingOrders: !settled,
    ...(isProposed(market, nowMs) && { umaResolutionStatus: 'proposed' }),
    ...(settled && {
      umaResolutionStatus: 'resolved',
      closedTime: spaced(event.closesMs + event.settlesAfterMs),
    }),
    umaResolutionStatuses: '[]',
    groupItemTitle: grouped ? market.label : '',
    groupItemThreshold: String(row),
    orderPriceMinTickSize: market.tick,
    orderMinSize: 5,
    rewardsMinSize: 100,
    rewardsMaxSpread: 3.5,
    negRisk: grouped && event.exclusive,
    feesEnabled: true,
    feeSchedule: { exponent: 1, rate: 0.04, takerOnly: true, rebateRate: 0.25 },
    version: 'v1',
  };
}

/** A market record that also names its event. */
export const withEvent = (
  catalogue: Catalogue,
  market: SimMarket,
  nowMs: number,
): Record<string, unknown> => ({
  ...marketRecord(catalogue, market, nowMs),
  events: [{ ...eventFields(catalogue, market.event, nowMs) }],
});

export const eventRecord = (
  catalogue: Catalogue,
  event: SimEvent,
  nowMs: number,
): Record<string, unknown> => ({
  ...eventFields(catalogue, event, nowMs),
  markets: event.markets.map((market) => marketRecord(catalogue, market, nowMs)),
});

export const dayVolume = (markets: readonly SimMarket[], nowMs: number): number =>
  markets.reduce((sum, market) => sum + volumeBetween(market, nowMs - DAY_MS, nowMs), 0);

function eventFields(catalogue: Catalogue, event: SimEvent, nowMs: number): Record<string, unknown> {
  const [first] = event.markets;
  return {
    id: first === undefined ? '0' : numberOf(catalogue, first),
    ticker: event.id,
    slug: event.id,
    seriesSlug: event.series,
    title: event.title,
    description: `Simulated: ${event.title}`,
    openInterest: event.markets.reduce((sum, market) => sum + volumeUntil(market, nowMs) * 0.4, 0),
    tags: [{ id: '1', label: event.category, slug: event.category.toLowerCase().replaceAll(/\W+/g, '-') }],
    startDate: iso(event.opensMs),
    endDate: iso(event.closesMs),
    active: true,
    closed: phaseOf(event, nowMs) === 'settled',
    archived: false,
    restricted: true,
    liquidity: event.markets.reduce((sum, { volumePerDay }) => sum + volumePerDay / 8, 0),
    volume: event.markets.reduce((sum, market) => sum + volumeUntil(market, nowMs), 0),
    volume24hr: dayVolume(event.markets, nowMs),
    enableOrderBook: true,
    negRisk: event.markets.length > 1 && event.exclusive,
    negRiskAugmented: event.markets.some(({ placeholder }) => placeholder),
    commentCount: 0,
  };
}
