/**
 * The one port to the venues. It serves the three market-data endpoints, and by `tokenId` the feed, the brokers and the engine.
 * Connectors and simulator implement it; no code above it sees a venue's wire format.
 *
 * Every method may throw a {@link VenueError}; none waits longer than one deadline of 3 s, whatever the venue does.
 */
import type { Venue } from './catalogue.ts';
import type { HistoryPage, HistoryRange, HistorySeriesKey } from './history-source.ts';
import type { Priority } from './http/upstream.ts';
import type { Candles, InstrumentInfo, OrderBook, Quote } from './reads.ts';
import type { DRIVERS } from './trading-access.ts';

export type { Venue, VenueOfKind } from './catalogue.ts';
export { isOfKind, kindOf, pastOf, pastTermsOf, VENUES, venueOf } from './catalogue.ts';
export type { VenueErrorKind } from './errors.ts';
export { VenueError } from './errors.ts';
export type * from './history-source.ts';
export type { Priority } from './http/upstream.ts';
export * from './reads.ts';
export * from './views.ts';
export type { InstrumentKind, MarketStatus } from './vocabulary.ts';

/** The methods of one venue. */
export type AtVenue<V extends Venue> = Parameters<(typeof DRIVERS)[V]['check']>[0];

export type MarketData = Candles & {
  /** One venue, for methods that only it has. Methods that all venues have are below, by `tokenId`. */
  at<V extends Venue>(venue: V): AtVenue<V>;

  /** The feed's clock in epoch ms: real time when live, the simulated world's time otherwise. */
  now(): number;

  /** The instrument of a `tokenId`, or null if no venue knows it (a malformed one included). */
  instrument(tokenId: string, options?: { priority?: Priority }): Promise<InstrumentInfo | null>;

  /**
   * Quotes of all given instruments in the fewest upstream calls, in the order of the request. Instruments unknown to their
   * venue are left out. A failing venue is an error for the whole call, so request one venue at a time.
   */
  quotes(tokenIds: readonly string[]): Promise<Quote[]>;

  orderBook(tokenId: string): Promise<OrderBook>;

  /** {@link HistorySource.historyPages} of the venue that lists the instrument. */
  history(series: HistorySeriesKey, span: HistoryRange, signal: AbortSignal): AsyncIterable<HistoryPage>;
};
