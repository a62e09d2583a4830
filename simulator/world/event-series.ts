/** Series of events: each a numbered row of events, past and future, that can be named, found and listed. */
import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS } from '../../venues/time.ts';
import type { SimEvent, SimMarket } from './event.ts';
import { keyOf } from './keyed-random.ts';
import type { Odds } from './odds.ts';
import { PriceOverrides } from './price-overrides.ts';

export type EventSeries = {
  /** 1 to 99; part of token ids, so it never changes. */
  code: number;
  /** The number of the event that an event's or market's id begins with, or null. */
  indexOf(id: string): number | null;
  /** Builds the event; pure, and accepts any number that `indexOf` returns. */
  build(index: number): SimEvent;
  /** Numbers of the events to list at a time. */
  listedAt(timeMs: number): number[];
};

/** Markets of an event, without the link back to it. */
export type MarketDraft = Omit<SimMarket, 'event' | 'key' | 'outcomes' | 'placeholder'> &
  Partial<Pick<SimMarket, 'outcomes' | 'placeholder'>>;

export function eventWith(event: Omit<SimEvent, 'markets'>, drafts: readonly MarketDraft[]): SimEvent {
  const built: SimEvent = { ...event, markets: [] };
  for (const draft of drafts) {
    built.markets.push({
      outcomes: ['Yes', 'No'],
      placeholder: false,
      ...draft,
      key: keyOf(draft.id),
      event: built,
    });
  }
  return built;
}

/** A series of one event. */
export const singleEventSeries = (code: number, event: SimEvent): EventSeries => ({
  code,
  indexOf: (id) => (id === event.id || id.startsWith(`${event.id}-`) ? 0 : null),
  build: () => event,
  listedAt: () => [0],
});

export const NEVER: Odds = () => 0;

export const MONTHS: readonly string[] = [
  'JAN',
  'FEB',
  'MAR',
  'APR',
  'MAY',
  'JUN',
  'JUL',
  'AUG',
  'SEP',
  'OCT',
  'NOV',
  'DEC',
];
export const MONTH_NAMES: readonly string[] = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

export const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** Months (0 to 11) in which the Fed decides, and on which Wednesday: in January, April, July and October on the last. */
const MEETINGS = new Map<number, number>([
  [0, 4],
  [2, 3],
  [3, 4],
  [5, 3],
  [6, 4],
  [8, 3],
  [9, 4],
  [11, 2],
]);

/** When trading ends before the decision of a meeting, or null where the month has none. Months count from year 0. */
export function meetingOf(monthIndex: number): number | null {
  const year = Math.floor(monthIndex / 12);
  const month = ((monthIndex % 12) + 12) % 12;
  const nth = MEETINGS.get(month);
  if (nth === undefined) return null;
  const firstMs = Date.UTC(year, month, 1);
  const toWednesday = (3 - new Date(firstMs).getUTCDay() + 7) % 7;
  const dayMs = firstMs + (toWednesday + 7 * (nth - 1)) * DAY_MS;
  return dayMs + 18 * 3_600_000 + 55 * 60_000;
}

export const monthIndexOf = (timeMs: number): number => {
  const date = new Date(timeMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** Month indexes of the next meetings. */
export function nextMeetings(timeMs: number, count: number): number[] {
  const months: number[] = [];
  for (let month = monthIndexOf(timeMs); months.length < count; month += 1) {
    const atMs = meetingOf(month);
    if (atMs !== null && atMs > timeMs) months.push(month);
  }
  return months;
}

/** Events are not built for more than this: an event takes longer than a record. */
const LISTED_SINCE_MAX_MS = 92 * DAY_MS;
const LISTED_STEP_MS = 15 * MINUTE_MS;

/** All series of a venue behind one set of questions; built events are cached. */
export class Catalogue {
  readonly #series: readonly EventSeries[];
  readonly #priceOverrides: PriceOverrides;
  readonly #events = new LRUCache<string, SimEvent>({ max: 300 });

  constructor(series: readonly EventSeries[], priceOverrides = new PriceOverrides()) {
    this.#series = series;
    this.#priceOverrides = priceOverrides;
  }

  /** Every event to list at a time. */
  listedAt(timeMs: number): SimEvent[] {
    return this.#series.flatMap((series) =>
      series.listedAt(timeMs).map((index) => this.#event(series, index)),
    );
  }

  /** Lists events that were listed at some time since. It looks every quarter of an hour. */
  listedSince(sinceMs: number, timeMs: number): SimEvent[] {
    const found = new Map<string, SimEvent>();
    const fromMs = Math.max(sinceMs, timeMs - LISTED_SINCE_MAX_MS);
    for (let atMs = fromMs; atMs < timeMs + LISTED_STEP_MS; atMs += LISTED_STEP_MS)
      for (const event of this.listedAt(Math.min(atMs, timeMs))) found.set(event.id, event);
    return [...found.values()];
  }

  event(id: string): SimEvent | null {
    const event = this.#eventFor(id);
    return event?.id === id ? event : null;
  }

  market(id: string): SimMarket | null {
    return this.#eventFor(id)?.markets.find((market) => market.id === id) ?? null;
  }

  /** The market at a position: series code, event number, row. */
  marketAt(code: number, index: number, row: number): SimMarket | null {
    const series = this.#series.find((item) => item.code === code);
    return series === undefined ? null : (this.#event(series, index).markets[row] ?? null);
  }

  /** The position of a market: series code, event number, row. */
  positionOf(market: SimMarket): { code: number; index: number; row: number } {
    for (const series of this.#series) {
      const index = series.indexOf(market.event.id);
      if (index === null) continue;
      return { code: series.code, index, row: market.event.markets.indexOf(market) };
    }
    throw new Error(`no series has ${market.id}`);
  }

  #eventFor(id: string): SimEvent | null {
    for (const series of this.#series) {
      const index = series.indexOf(id);
      if (index !== null) return this.#event(series, index);
    }
    return null;
  }

  #event(series: EventSeries, index: number): SimEvent {
    const key = `${series.code}/${index}`;
    const known = this.#events.get(key);
    if (known !== undefined) return known;
    const event = withOverrides(series.build(index), this.#priceOverrides);
    this.#events.set(key, event);
    return event;
  }
}

/** The event, whose markets follow the prices set by commands. */
function withOverrides(built: SimEvent, priceOverrides: PriceOverrides): SimEvent {
  const event: SimEvent = { ...built, markets: [] };
  event.markets = built.markets.map((market) => ({
    ...market,
    event,
    odds: priceOverrides.over(market.id, market.odds),
  }));
  return event;
}
