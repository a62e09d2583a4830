import type { PaperMarketData } from '../../engine/trading/orders/paper/offers.ts';
import { type Candle, VenueError } from '../../venues/port.ts';

type Level = [price: string, size: string];

/** The market that a paper venue reads, as the test sets it. */
export class PaperMarket implements PaperMarketData {
  readonly books = new Map<string, { bids: Level[]; asks: Level[]; asOf: string }>();
  readonly candles: Candle[] = [];
  /** The venue cannot be reached. */
  down = false;
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** A new book, best first on both sides; with the same `asOf` it is the same book. */
  show(tokenId: string, book: { bids?: Level[]; asks?: Level[]; asOf?: string }): void {
    const { bids = [], asks = [], asOf = this.#now().toISOString() } = book;
    this.books.set(tokenId, { bids, asks, asOf });
  }

  now(): number {
    return this.#now().getTime();
  }

  async orderBook(tokenId: string) {
    const book = this.#seen(tokenId);
    const levels = (side: Level[]) => side.map(([price, size]) => ({ price, size }));
    return { tokenId, bids: levels(book.bids), asks: levels(book.asks), asOf: book.asOf };
  }

  async quotes(tokenIds: readonly string[]) {
    return tokenIds.map((tokenId) => {
      const { bids, asks, asOf } = this.#seen(tokenId);
      return {
        tokenId,
        bid: bids[0]?.[0] ?? null,
        bidSize: bids[0]?.[1] ?? null,
        ask: asks[0]?.[0] ?? null,
        askSize: asks[0]?.[1] ?? null,
        last: null,
        volume24h: null,
        openInterest: null,
        change24h: null,
        asOf,
        marketStatus: 'open' as const,
        settlementValue: null,
      };
    });
  }

  async closedCandles() {
    if (this.down) throw VenueError.unavailable('down');
    return this.candles.filter(({ closeTimeMs }) => closeTimeMs <= this.now());
  }

  #seen(tokenId: string) {
    const book = this.books.get(tokenId);
    if (this.down || book === undefined) throw VenueError.unavailable('down');
    return book;
  }
}
