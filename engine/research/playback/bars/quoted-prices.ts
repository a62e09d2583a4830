import type { RecordedQuote } from '../../../history/quote-columns.ts';
import type { SeriesRows } from '../../../history/series.ts';
import type { FillGrade } from '../result.ts';
import {
  availableSizeOf,
  type InstrumentPrices,
  SIZE_MAX,
  type Spread,
  type TopOfBook,
} from './top-of-book.ts';

/** Recorded quotes: each is valid until the next one. */
export class RecordedPrices implements InstrumentPrices {
  readonly #quotes: readonly RecordedQuote[];
  #place = -1;

  constructor(quotes: readonly RecordedQuote[]) {
    this.#quotes = quotes;
  }

  nextMs(): number {
    return this.#quotes[this.#place + 1]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  advance(atMs: number): boolean {
    const before = this.#place;
    while (this.nextMs() <= atMs) this.#place++;
    return this.#place !== before;
  }

  gradeAt(): FillGrade {
    return 'quote';
  }

  topOfBookAt(): TopOfBook | null {
    const quote = this.#quotes[this.#place];
    if (quote === undefined) return null;
    const { bid, ask, last, bidSize, askSize, atMs } = quote;
    const { volume24h, openInterest, change24h, marketStatus, isTopOfBookKnown } = quote;
    return {
      bid,
      ask,
      last,
      bidSize,
      askSize,
      asOfMs: atMs,
      quote: { volume24h, openInterest, change24h, marketStatus, isTopOfBookKnown },
    };
  }
}

export type QuotedOptions = {
  /** Share of the last closed row's volume that an order may take; Infinity for any amount. */
  readonly share: number;
};

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** Bid and ask from candles of the book: the close at its instant, the open inside the next row. */
export class BidAskPrices implements InstrumentPrices {
  readonly #rows: SeriesRows<'bid_ask'>;
  readonly #options: QuotedOptions;
  #closed = -1;

  constructor(rows: SeriesRows<'bid_ask'>, options: QuotedOptions) {
    this.#rows = rows;
    this.#options = options;
  }

  nextMs(): number {
    return this.#closeMsOf(this.#closed + 1);
  }

  advance(atMs: number): boolean {
    const before = this.#closed;
    while (this.nextMs() <= atMs) this.#closed++;
    return this.#closed !== before;
  }

  gradeAt(): FillGrade {
    return 'quote';
  }

  topOfBookAt(atMs: number): TopOfBook | null {
    const { columns } = this.#rows;
    const forming = this.#closed + 1;
    const isAtClose = this.#closed >= 0 && this.#closeMsOf(this.#closed) === atMs;
    const isInside = forming < this.#rows.count && (columns.openTimeMs[forming] as number) <= atMs;
    if (!isAtClose && !isInside) return null;
    const [bid, ask] = isAtClose
      ? [columns.bidClose[this.#closed], columns.askClose[this.#closed]]
      : [columns.bidOpen[forming], columns.askOpen[forming]];
    const size = availableSizeOf(this.volumeOfClosed(), this.#options.share);
    return { bid: orNull(bid), ask: orNull(ask), last: null, bidSize: size, askSize: size, asOfMs: atMs };
  }

  get closedIndex(): number {
    return this.#closed;
  }

  /** The volume of the row that closed last; 0 where none was recorded. */
  volumeOfClosed(): number {
    return orNull(this.#rows.columns.volume[this.#closed]) ?? 0;
  }

  #closeMsOf(at: number): number {
    return at < this.#rows.count
      ? (this.#rows.columns.closeTimeMs[at] as number) + 1
      : Number.POSITIVE_INFINITY;
  }
}

/** Midpoints: each is valid from the end of its row until the end of the next, with a spread around it. */
export class MidpointPrices implements InstrumentPrices {
  readonly #rows: SeriesRows<'midpoint'>;
  readonly #spread: Spread;
  #place = -1;

  constructor(rows: SeriesRows<'midpoint'>, spread: Spread) {
    this.#rows = rows;
    this.#spread = spread;
  }

  nextMs(): number {
    return this.#closeMsOf(this.#place + 1);
  }

  advance(atMs: number): boolean {
    const before = this.#place;
    while (this.nextMs() <= atMs) this.#place++;
    return this.#place !== before;
  }

  gradeAt(): FillGrade {
    return 'midpoint';
  }

  topOfBookAt(atMs: number): TopOfBook | null {
    const price = orNull(this.#rows.columns.price[this.#place]);
    if (price === null || atMs >= this.#closeMsOf(this.#place + 1)) return null;
    const seenMs = this.#closeMsOf(this.#place);
    const lengthMs = seenMs - (this.#rows.columns.openTimeMs[this.#place] as number);
    if (atMs - seenMs > lengthMs) return null;
    const [bid, ask] = [this.#spread.bidOf(price), this.#spread.askOf(price)];
    return { bid, ask, last: price, bidSize: SIZE_MAX, askSize: SIZE_MAX, asOfMs: atMs };
  }

  #closeMsOf(at: number): number {
    return at < this.#rows.count
      ? (this.#rows.columns.closeTimeMs[at] as number) + 1
      : Number.POSITIVE_INFINITY;
  }
}
