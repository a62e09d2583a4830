import { exact } from '../../../platform/decimal.ts';
import { instrumentFactsOf } from '../../../strategy/graph/instrument-facts.ts';
import type { Book, CandleSeries, GraphQuote, InstrumentFacts } from '../../../strategy/graph/types.ts';
import type { InstrumentRow } from '../../../trading/orders/row.ts';
import type { InstrumentFact } from '../../../trading/orders/terms/facts-by-time.ts';
import type { Bar } from '../bars/bar-path.ts';
import { BarPrices } from '../bars/bar-prices.ts';
import { BidAskPrices, RecordedPrices } from '../bars/quoted-prices.ts';
import type { InstrumentPrices, TopOfBook } from '../bars/top-of-book.ts';
import type { CandleFeed } from '../candle-feed.ts';
import type { TakenBar } from '../record/volume-taken.ts';
import type { FillGrade } from '../result.ts';

/** One instrument of a run: its facts by instant, and its prices, if there are any. */
export type Listing = {
  readonly tokenId: string;
  /** Ascending. */
  readonly facts: readonly InstrumentFact[];
  readonly prices: InstrumentPrices | null;
  /** The minutes that resting orders meet in addition to recorded quotes, as on paper. */
  readonly minutes: BarPrices | null;
  /** Length of bars so short that the first price after an arrival is the open of the next one; else 1. */
  readonly barMs: number;
};

/** Changes at an instant. */
export type MarketChanges = {
  readonly facts: readonly string[];
  readonly hasClosed: boolean;
  readonly priced: readonly string[];
  /** Recorded instruments with a minute that has closed. */
  readonly minutes: readonly string[];
};

type ListedMarket = Listing & {
  row: InstrumentRow;
  /** Its name alone: what most changes list. */
  readonly alone: readonly string[];
  nextFact: number;
  /** The last known bid, which values a holding while there is none. */
  lastBid: number | null;
};

const NOTHING: readonly string[] = [];

/**
 * The markets of a run along its tape. Everything enters at the instant it became known: facts, then closed candles, then
 * prices, each by instrument in the order of their names.
 */
export class SimulatedMarkets {
  readonly quotes = new Map<string, GraphQuote>();
  readonly books = new Map<string, Book>();
  readonly candles = new Map<string, CandleSeries>();
  readonly instruments = new Map<string, InstrumentFacts>();
  readonly #listed: readonly ListedMarket[];
  readonly #byToken: ReadonlyMap<string, ListedMarket>;
  readonly #feeds: readonly CandleFeed[];
  readonly #withBooks: ReadonlySet<string>;
  /** Instruments that may have an ask and no bid. In its bars a coin has both sides. */
  readonly #oneSided: readonly string[];
  #seq = 0;

  constructor(listings: readonly Listing[], feeds: readonly CandleFeed[], withBooks: readonly string[]) {
    this.#listed = listings
      .toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1))
      .flatMap((listing): ListedMarket[] => {
        const [first] = listing.facts;
        if (first === undefined) return [];
        const alone = [listing.tokenId];
        return [{ ...listing, row: first.instrument, alone, nextFact: 1, lastBid: null }];
      });
    this.#byToken = new Map(this.#listed.map((listed) => [listed.tokenId, listed]));
    this.#feeds = feeds.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    this.#withBooks = new Set(withBooks);
    this.#oneSided = this.#listed.flatMap(({ tokenId, row, prices }) =>
      row.kind === 'spot' && prices instanceof BarPrices ? [] : [tokenId],
    );
    for (const { tokenId, row } of this.#listed) this.instruments.set(tokenId, instrumentFactsOf(row));
  }

  nextMs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const feed of this.#feeds) next = Math.min(next, feed.nextMs());
    for (const { prices, minutes, facts, nextFact } of this.#listed) {
      const fact = facts[nextFact];
      if (fact !== undefined) next = Math.min(next, fact.fromMs);
      if (prices !== null) next = Math.min(next, prices.nextMs());
      if (minutes !== null) next = Math.min(next, minutes.nextMs());
    }
    return next;
  }

  advance(atMs: number): MarketChanges {
    let facts = NOTHING;
    for (const listed of this.#listed) if (this.#takeFacts(listed, atMs)) facts = [...facts, listed.tokenId];
    let hasClosed = false;
    for (const feed of this.#feeds) {
      const hasNew = feed.advance(atMs);
      if (!hasNew && this.candles.has(feed.key)) continue;
      hasClosed ||= hasNew;
      this.candles.set(feed.key, feed.seriesWith(null, atMs));
    }
    let priced = NOTHING;
    let closed = NOTHING;
    for (const { prices, minutes, tokenId, alone } of this.#listed) {
      if (prices?.advance(atMs)) priced = priced === NOTHING ? alone : [...priced, tokenId];
      if (minutes?.advance(atMs)) closed = [...closed, tokenId];
    }
    return { facts, hasClosed, priced, minutes: closed };
  }

  /** Confirms quotes that are still valid at an instant, for what the strategy reads. */
  confirm(atMs: number): void {
    for (const listed of this.#listed) {
      const topOfBook = listed.prices?.topOfBookAt(atMs) ?? null;
      if (topOfBook === null) continue;
      if (topOfBook.bid !== null) listed.lastBid = topOfBook.bid;
      this.quotes.set(listed.tokenId, quoteOf(listed.row, topOfBook, ++this.#seq));
      if (this.#withBooks.has(listed.tokenId)) this.books.set(listed.tokenId, bookOf(topOfBook));
    }
  }

  /** Notes the bids at an instant at which the strategy reads nothing. They value a holding while there is none. */
  noteBids(atMs: number): void {
    for (const tokenId of this.#oneSided) this.bidOf(tokenId, atMs);
  }

  /** Returns the instrument as its venue states it now. */
  rowOf(tokenId: string): InstrumentRow | undefined {
    return this.#byToken.get(tokenId)?.row;
  }

  rows(): InstrumentRow[] {
    return this.#listed.map(({ row }) => row);
  }

  topOfBookAt(tokenId: string, atMs: number): TopOfBook | null {
    return this.#byToken.get(tokenId)?.prices?.topOfBookAt(atMs) ?? null;
  }

  /** Returns the price for which one unit could be sold; the last known bid if there is none now. */
  bidOf(tokenId: string, atMs: number): number | null {
    const listed = this.#byToken.get(tokenId);
    if (listed === undefined) return null;
    const bid = listed.prices?.topOfBookAt(atMs)?.bid ?? null;
    if (bid !== null) listed.lastBid = bid;
    return listed.lastBid;
  }

  /** Returns the bar of an instrument that closed at this exact instant, and its volume. */
  closedBar(tokenId: string, atMs: number): { bar: Bar; volume: number } | null {
    const prices = this.#byToken.get(tokenId)?.prices;
    return prices instanceof BarPrices ? closedOf(prices, atMs) : null;
  }

  /** Returns the bar that closed now and that resting orders meet: the instrument's own, or a minute beside its quotes. */
  barToMeet(tokenId: string, atMs: number): { bar: Bar; volume: number } | null {
    const minutes = this.#byToken.get(tokenId)?.minutes ?? null;
    return minutes === null ? this.closedBar(tokenId, atMs) : closedOf(minutes, atMs);
  }

  /** Returns the part of the bar closed now that follows an instant inside it; null for recorded quotes. */
  closedSince(tokenId: string, sinceMs: number, atMs: number): { bar: Bar; volume: number } | null {
    const prices = this.#byToken.get(tokenId)?.prices;
    return prices instanceof BarPrices && prices.hasClosedAt(atMs) ? prices.closedSince(sinceMs) : null;
  }

  hasClosedBar(tokenId: string, atMs: number): boolean {
    const prices = this.#byToken.get(tokenId)?.prices;
    return prices instanceof BarPrices && prices.hasClosedAt(atMs);
  }

  /** Whether a price that has changed brought the volume of another bar. */
  hasNewVolume(tokenId: string, atMs: number): boolean {
    const prices = this.#byToken.get(tokenId)?.prices;
    return prices instanceof BarPrices ? prices.hasClosedAt(atMs) : prices instanceof BidAskPrices;
  }

  /** Returns the bar that closed last, of whose volume fills take a part; null for quotes and midpoints. */
  takenBarOf(tokenId: string): TakenBar | null {
    const prices = this.#byToken.get(tokenId)?.prices;
    return prices instanceof BarPrices || prices instanceof BidAskPrices
      ? { index: prices.closedIndex, volume: prices.volumeOfClosed() }
      : null;
  }

  /** Returns the first instant from `atMs` on with a price made after it. */
  pricedFrom(tokenId: string, atMs: number): number {
    const barMs = this.#byToken.get(tokenId)?.barMs ?? 1;
    return Math.ceil(atMs / barMs) * barMs;
  }

  /** Returns how reliably the price of an instrument at an instant is known. */
  gradeAt(tokenId: string, atMs: number): FillGrade {
    return this.#byToken.get(tokenId)?.prices?.gradeAt(atMs) ?? 'gap';
  }

  isRecorded(tokenId: string): boolean {
    return this.#byToken.get(tokenId)?.prices instanceof RecordedPrices;
  }

  #takeFacts(listed: ListedMarket, atMs: number): boolean {
    const before = listed.nextFact;
    for (let fact = listed.facts[before]; fact !== undefined && fact.fromMs <= atMs; ) {
      listed.row = fact.instrument;
      listed.nextFact++;
      fact = listed.facts[listed.nextFact];
    }
    if (listed.nextFact === before) return false;
    this.instruments.set(listed.tokenId, instrumentFactsOf(listed.row));
    return true;
  }
}

const closedOf = (prices: BarPrices, atMs: number): { bar: Bar; volume: number } | null => {
  const bar = prices.closedAt(atMs);
  return bar === null ? null : { bar, volume: prices.volumeOfClosed() };
};

const quoteOf = (
  { status, settlement_value }: InstrumentRow,
  topOfBook: TopOfBook,
  seq: number,
): GraphQuote => {
  const { bid, ask, last, bidSize, askSize, asOfMs, quote } = topOfBook;
  return {
    bid,
    ask,
    last,
    bidSize,
    askSize,
    volume24h: quote?.volume24h ?? null,
    openInterest: quote?.openInterest ?? null,
    change24h: quote?.change24h ?? null,
    marketStatus: status === 'open' ? (quote?.marketStatus ?? 'open') : status,
    settlementValue: settlement_value === null ? null : exact(settlement_value).toNumber(),
    asOf: asOfMs,
    seq,
  };
};

/** Builds a book of the best level only: deeper levels were not recorded. */
const bookOf = ({ bid, ask, bidSize, askSize, asOfMs }: TopOfBook): Book => ({
  bids: bid === null || bidSize === null ? [] : [{ price: bid, size: bidSize }],
  asks: ask === null || askSize === null ? [] : [{ price: ask, size: askSize }],
  asOf: asOfMs,
});
