import type { SeriesRows } from '../../../history/series.ts';
import type { HighLow } from '../request.ts';
import type { FillGrade } from '../result.ts';
import { type Bar, type BarPath, barPathOf, NO_PATH } from './bar-path.ts';
import { recentVolatilityOf } from './recent-volatility.ts';
import { availableSizeOf, type InstrumentPrices, type Spread, type TopOfBook } from './top-of-book.ts';

export type BarOptions = {
  readonly spread: Spread;
  readonly tick: number;
  /** Share of the last closed bar's volume that an order may take; Infinity for any amount. */
  readonly share: number;
  /** How prices inside bars are generated; null if they are never read. */
  readonly walk: Walk | null;
  /** Whether anything can act inside bars now. */
  readonly isWatched: () => boolean;
};

const SECOND_MS = 1_000;

export type Walk = {
  /** Whether its prices step the strategy; else they only fill orders that have arrived. */
  readonly isReported: boolean;
  readonly order: Exclude<HighLow, 'both'>;
  readonly seed: string;
  /** Start of the run: earlier bars do not influence the paths inside later ones. */
  readonly fromMs: number;
  /** Bars from which paths are generated if the bars of the run were changed to test dependence on them. */
  readonly pathSource: SeriesRows<'candle'> | null;
};

/**
 * Prices of candles. At the close of a bar its close is known. After that, inside the next bar, its open, and the current price
 * of its path if one is generated. In a gap nothing is known.
 */
export class BarPrices implements InstrumentPrices {
  readonly #rows: SeriesRows<'candle'>;
  readonly #options: BarOptions;
  #closed = -1;
  /** The path of the forming bar; null until a price inside it is read. */
  #path: BarPath | null = null;
  #walked = -1;
  readonly #firstOfRun: number;
  /** Cached last result: one instant is read several times until the next advance. */
  #topOfBook: TopOfBook | null = null;

  constructor(rows: SeriesRows<'candle'>, options: BarOptions) {
    this.#rows = rows;
    this.#options = options;
    const { walk } = options;
    const first = walk === null ? 0 : rows.columns.openTimeMs.findIndex((openMs) => openMs >= walk.fromMs);
    this.#firstOfRun = first < 0 ? rows.count : first;
  }

  nextMs(): number {
    const closeMs = this.#closeMsOf(this.#closed + 1);
    if (this.#options.walk?.isReported !== true || !this.#options.isWatched()) return closeMs;
    const step = this.#formingPath().atMs[this.#walked + 1];
    return step === undefined ? closeMs : Math.min(step, closeMs);
  }

  advance(atMs: number): boolean {
    const before = this.#closed;
    this.#topOfBook = null;
    while (this.#closeMsOf(this.#closed + 1) <= atMs) this.#closed++;
    if (this.#closed !== before) {
      this.#walked = -1;
      this.#path = null;
    }
    const walkedBefore = this.#walked;
    if (this.#isForming(atMs)) {
      const steps = this.#formingPath().atMs;
      while ((steps[this.#walked + 1] ?? Number.POSITIVE_INFINITY) <= atMs) this.#walked++;
    }
    return this.#closed !== before || this.#walked !== walkedBefore;
  }

  /**
   * Returns the rest of the last closed bar, from an instant inside it on: its generated path and its share of the volume. Null
   * if the bar was not open at that instant.
   */
  closedSince(sinceMs: number): { readonly bar: Bar; readonly volume: number } | null {
    const bar = barOf(this.#rows, this.#closed);
    if (sinceMs <= bar.openMs || sinceMs >= bar.closeMs) return null;
    const { atMs, prices } = this.#pathOf(this.#closed);
    const later = prices.filter((_, step) => (atMs[step] as number) > sinceMs);
    const volume = (this.volumeOfClosed() * (bar.closeMs - sinceMs)) / (bar.closeMs - bar.openMs);
    const high = Math.max(bar.close, ...later);
    const low = Math.min(bar.close, ...later);
    return { bar: { ...bar, openMs: sinceMs, high, low }, volume };
  }

  gradeAt(atMs: number): FillGrade {
    if (this.hasClosedAt(atMs)) return 'bar';
    if (this.#walked >= 0) return 'path';
    const isAfterGap =
      this.#closed >= 0 && this.#value('openTimeMs', this.#closed + 1) !== this.#closeMsOf(this.#closed);
    return isAfterGap ? 'gap' : 'bar';
  }

  /** Returns the bar that closed at this exact instant. */
  closedAt(atMs: number): Bar | null {
    return this.hasClosedAt(atMs) ? barOf(this.#rows, this.#closed) : null;
  }

  hasClosedAt(atMs: number): boolean {
    return this.#closed >= 0 && this.#closeMsOf(this.#closed) === atMs;
  }

  get closedIndex(): number {
    return this.#closed;
  }

  volumeOfClosed(): number {
    return this.#closed < 0 ? 0 : this.#value('volume', this.#closed);
  }

  topOfBookAt(atMs: number): TopOfBook | null {
    if (this.#topOfBook?.asOfMs === atMs) return this.#topOfBook;
    this.#topOfBook = this.#topOfBookOf(atMs);
    return this.#topOfBook;
  }

  #topOfBookOf(atMs: number): TopOfBook | null {
    const price = this.#priceAt(atMs);
    if (price === null) return null;
    const { spread, share } = this.#options;
    const size = availableSizeOf(this.volumeOfClosed(), share);
    return {
      bid: spread.bidOf(price),
      ask: spread.askOf(price),
      last: price,
      bidSize: size,
      askSize: size,
      asOfMs: atMs,
    };
  }

  #priceAt(atMs: number): number | null {
    if (this.hasClosedAt(atMs)) return this.#value('close', this.#closed);
    if (this.#closed + 1 >= this.#rows.count || this.#value('openTimeMs', this.#closed + 1) > atMs)
      return null;
    return this.#path?.prices[this.#walked] ?? this.#value('open', this.#closed + 1);
  }

  /** Whether an instant lies inside a bar for which a path is generated. */
  #isForming(atMs: number): boolean {
    if (this.#options.walk?.isReported !== true || this.hasClosedAt(atMs)) return false;
    const forming = this.#closed + 1;
    return forming < this.#rows.count && this.#value('openTimeMs', forming) < atMs;
  }

  #formingPath(): BarPath {
    this.#path ??= this.#pathOf(this.#closed + 1);
    return this.#path;
  }

  #pathOf(bar: number): BarPath {
    const { walk, tick } = this.#options;
    if (walk === null || bar >= this.#rows.count) return NO_PATH;
    const rows = walk.pathSource ?? this.#rows;
    const source = barOf(rows, bar);
    // A strategy is never stepped more often than once a second.
    if (source.closeMs - source.openMs <= SECOND_MS) return NO_PATH;
    const past = recentVolatilityOf(rows, { first: this.#firstOfRun, bar, tick });
    return barPathOf(source, { order: walk.order, tick, past, seed: walk.seed });
  }

  #closeMsOf(at: number): number {
    return at < this.#rows.count ? this.#value('closeTimeMs', at) + 1 : Number.POSITIVE_INFINITY;
  }

  #value(column: keyof SeriesRows<'candle'>['columns'], at: number): number {
    return this.#rows.columns[column][at] as number;
  }
}

function barOf({ columns }: SeriesRows<'candle'>, at: number): Bar {
  const read = (column: keyof typeof columns): number => columns[column][at] as number;
  return {
    openMs: read('openTimeMs'),
    closeMs: read('closeTimeMs') + 1,
    open: read('open'),
    high: read('high'),
    low: read('low'),
    close: read('close'),
  };
}
