/** Events and markets of the simulated world, before either venue's wire format. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../venues/time.ts';
import { keyedRandom } from './keyed-random.ts';
import type { Odds } from './odds.ts';

/** A yes/no question that can be traded. */
export type SimMarket = {
  /** Ticker on venue A, slug on venue B. */
  id: string;
  /** Key of its random numbers. */
  key: number;
  title: string;
  /** The row within its group. */
  label: string;
  /** Names of its two sides. */
  outcomes: readonly [string, string];
  odds: Odds;
  /** Tick size of prices, as a fraction of a dollar. */
  tick: number;
  /** Tick size of prices below 0.10 and above 0.90, if finer than `tick`. */
  edgeTick?: number;
  /** Contracts per day. */
  volumePerDay: number;
  /** An unnamed slot of an augmented group: not active, although the record says that it accepts orders. */
  placeholder: boolean;
  event: SimEvent;
};

export type SimEvent = {
  /** Event ticker on venue A, slug on venue B. */
  id: string;
  series: string;
  title: string;
  subtitle: string;
  category: string;
  /** At most one of its markets ends in yes. */
  exclusive: boolean;
  opensMs: number;
  closesMs: number;
  /** From the close to the payout. */
  settlesAfterMs: number;
  markets: SimMarket[];
};

export type Phase = 'unopened' | 'open' | 'closed' | 'settled';

export function phaseOf({ opensMs, closesMs, settlesAfterMs }: SimEvent, timeMs: number): Phase {
  if (timeMs < opensMs) return 'unopened';
  if (timeMs < closesMs) return 'open';
  return timeMs < closesMs + settlesAfterMs ? 'closed' : 'settled';
}

/** The result: known from the close on, stated once settled. Among exclusive markets the likeliest wins. */
export function resolvedYes({ odds, event }: SimMarket): boolean {
  const own = odds(event.closesMs);
  if (!event.exclusive) return own >= 0.5;
  return event.markets.every((other) => other.odds === odds || other.odds(event.closesMs) < own);
}

/** Prices below this, and as far from 1, have the edge's tick. */
export const EDGE = 0.1;

/** The number of steps of each part of the price ladder: the lower edge, the middle, the upper edge. */
const partsOf = ({ tick, edgeTick = tick }: Ladder) => ({
  edge: Math.round(EDGE / edgeTick),
  middle: Math.round((1 - 2 * EDGE) / tick),
});
type Ladder = Pick<SimMarket, 'tick' | 'edgeTick'>;

/** The number of steps from a price of 0 to a price of 1. */
export function levelsOf(ladder: Ladder): number {
  if (ladder.edgeTick === undefined) return Math.round(1 / ladder.tick);
  const { edge, middle } = partsOf(ladder);
  return 2 * edge + middle;
}

/** The price of a level, 0 being the lowest. */
export function priceOf(ladder: Ladder, level: number): number {
  const { tick, edgeTick } = ladder;
  if (edgeTick === undefined) return level * tick;
  const { edge, middle } = partsOf(ladder);
  if (level <= edge) return level * edgeTick;
  if (level <= edge + middle) return EDGE + (level - edge) * tick;
  return 1 - EDGE + (level - edge - middle) * edgeTick;
}

/** The position of a price between the levels. */
function positionOf(ladder: Ladder, price: number): number {
  const { tick, edgeTick } = ladder;
  if (edgeTick === undefined) return price / tick;
  const { edge, middle } = partsOf(ladder);
  if (price <= EDGE) return price / edgeTick;
  if (price <= 1 - EDGE) return edge + (price - EDGE) / tick;
  return edge + middle + (price - 1 + EDGE) / edgeTick;
}

/** The middle price of the market: its odds, at least one tick away from certainty. */
export function middleOf(market: SimMarket, timeMs: number): number {
  const { tick, edgeTick = tick, event } = market;
  const p = market.odds(Math.min(timeMs, event.closesMs));
  return Math.min(1 - edgeTick / 2, Math.max(edgeTick / 2, p));
}

/** Best prices as levels: bid from 0 (none) and ask up to the price of 1 (none), the middle between them. */
export function topOfBook(market: SimMarket, timeMs: number): { bid: number; ask: number } {
  const levels = levelsOf(market);
  const bid = Math.min(levels - 1, Math.max(0, Math.ceil(positionOf(market, middleOf(market, timeMs)) - 1)));
  return { bid, ask: Math.min(levels, bid + 1) };
}

/** The price of the last trade: at the best bid or ask, changing sides every few seconds. 0: none yet. */
export function lastPrice(market: SimMarket, timeMs: number): number {
  if (volumeUntil(market, timeMs) < 0.01) return 0;
  const { bid, ask } = topOfBook(market, Math.min(timeMs, market.event.closesMs - 1));
  const side = keyedRandom(market.key, Math.floor(timeMs / 7_000)) < 0.5 ? bid : ask;
  return priceOf(market, Math.min(levelsOf(market) - 1, Math.max(1, side)));
}

/** How trading swings within a day and a week, as shares of its mean; together below 1, so that volume only grows. */
const SWINGS = [
  [DAY_MS, 0.35],
  [7 * DAY_MS, 0.2],
  [37 * MINUTE_MS, 0.25],
  [5 * HOUR_MS, 0.15],
] as const;

/** How far trading is ahead of its mean at a time, in ms of mean trading. */
function swingBy(key: number, timeMs: number): number {
  return SWINGS.reduce((sum, [period, height], index) => {
    const phase = 2 * Math.PI * keyedRandom(key, index);
    return sum + ((height * period) / (2 * Math.PI)) * Math.sin((2 * Math.PI * timeMs) / period + phase);
  }, 0);
}

/** Contracts traded since the opening, in whole hundredths. */
export function volumeUntil(market: SimMarket, timeMs: number): number {
  const { opensMs, closesMs } = market.event;
  const endMs = Math.min(timeMs, closesMs);
  if (endMs <= opensMs) return 0;
  const swing = swingBy(market.key, endMs) - swingBy(market.key, opensMs);
  const days = (endMs - opensMs + swing) / DAY_MS;
  return Math.floor(market.volumePerDay * days * 100) / 100;
}

/** Contracts traded from one time to another. */
export const volumeBetween = (market: SimMarket, fromMs: number, toMs: number): number =>
  Math.round((volumeUntil(market, toMs) - volumeUntil(market, fromMs)) * 100) / 100;
