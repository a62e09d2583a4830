import type { SeriesRows } from '../history/series.ts';
import { type Bar, type Path, pathOf } from './path.ts';
import type { HighLow } from './request.ts';
import { type Prices, type Spread, sizeOf, type Touch } from './touch.ts';

export type BarOptions = {
  readonly spread: Spread;
  readonly tick: number;
  /** Of the volume of the bar that closed last, what an order may take; Infinity for any amount. */
  readonly share: number;
  /** In which order the extremes come inside a bar; null where only its open and close are looked at. */
  readonly walk: Exclude<HighLow, 'both'> | null;
  /** Whether anything can act inside bars now. */
  readonly isWatched: () => boolean;
};

const NO_PATH: Path = { atMs: [], prices: [] };

/**
 * Prices of candles. At the instant a bar closes its close is what is known; after that, inside the next bar, its open, and
 * what the path has come to where one is walked. In a gap nothing is known.
 */
export class BarPrices implements Prices {
  readonly #rows: SeriesRows<'candle'>;
  readonly #options: BarOptions;
  #closed = -1;
  #path = NO_PATH;
  #walked = -1;
  /** What was told last: until something moves it is asked for several times in one instant. */
  #touch: Touch | null = null;

  constructor(rows: SeriesRows<'candle'>, options: BarOptions) {
    this.#rows = rows;
    this.#options = options;
  }

  nextMs(): number {
    const closeMs = this.#closeMsOf(this.#closed + 1);
    const step = this.#path.atMs[this.#walked + 1];
    return step !== undefined && this.#options.isWatched() ? Math.min(step, closeMs) : closeMs;
  }

  advance(atMs: number): boolean {
    const before = this.#closed;
    this.#touch = null;
    while (this.#closeMsOf(this.#closed + 1) <= atMs) this.#closed++;
    if (this.#closed !== before) {
      this.#walked = -1;
      this.#path = this.#pathOf(this.#closed + 1);
    }
    const walkedBefore = this.#walked;
    while ((this.#path.atMs[this.#walked + 1] ?? Number.POSITIVE_INFINITY) <= atMs) this.#walked++;
    return this.#closed !== before || this.#walked !== walkedBefore;
  }

  /** The bar that closed at just this instant. */
  closedAt(atMs: number): Bar | null {
    return this.hasClosedAt(atMs) ? this.#barAt(this.#closed) : null;
  }

  hasClosedAt(atMs: number): boolean {
    return this.#closed >= 0 && this.#closeMsOf(this.#closed) === atMs;
  }

  volumeOfClosed(): number {
    return this.#closed < 0 ? 0 : this.#value('volume', this.#closed);
  }

  touchAt(atMs: number): Touch | null {
    if (this.#touch?.asOfMs === atMs) return this.#touch;
    this.#touch = this.#touchOf(atMs);
    return this.#touch;
  }

  #touchOf(atMs: number): Touch | null {
    const price = this.#priceAt(atMs);
    if (price === null) return null;
    const { spread, share } = this.#options;
    const size = sizeOf(this.volumeOfClosed(), share);
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
    const forming = this.#closed + 1;
    if (forming >= this.#rows.count || this.#value('openTimeMs', forming) > atMs) return null;
    return this.#path.prices[this.#walked] ?? this.#value('open', forming);
  }

  #pathOf(bar: number): Path {
    const { walk, tick } = this.#options;
    if (walk === null || bar >= this.#rows.count) return NO_PATH;
    return pathOf(this.#barAt(bar), walk, tick);
  }

  #barAt(at: number): Bar {
    return {
      openMs: this.#value('openTimeMs', at),
      closeMs: this.#closeMsOf(at),
      open: this.#value('open', at),
      high: this.#value('high', at),
      low: this.#value('low', at),
      close: this.#value('close', at),
    };
  }

  #closeMsOf(at: number): number {
    return at < this.#rows.count ? this.#value('closeTimeMs', at) + 1 : Number.POSITIVE_INFINITY;
  }

  #value(column: keyof SeriesRows<'candle'>['columns'], at: number): number {
    return this.#rows.columns[column][at] as number;
  }
}
