/** Closed candles: how a series is named, and its columns. */
import type { Candle } from '../../../venues/port.ts';
import { CANDLE_INTERVALS } from '../../../venues/views.ts';

export const INTERVALS = CANDLE_INTERVALS;

/** More history than this is never asked of a venue. */
export const WINDOW_MAX = 1_000;

const CAPACITY_MIN = 16;

const NO_SUCH_CANDLE = 'There is no closed candle at';

/** Whether the message of a failure tells of a candle that had not closed, or never was. */
export const isLookAhead = (message: string): boolean => message.includes(NO_SUCH_CANDLE);

/** The key of a series in `World.candles` and of its clock in `Memory.candles`. */
export function candleKey(symbol: string, interval: string): string {
  return `${symbol}@${interval}`;
}

/** The instant a candle closed: the step it makes. */
export function closedAt(candle: Candle): number {
  return candle.closeTimeMs + 1;
}

export type CandleField = 'open' | 'high' | 'low' | 'close' | 'volume';
/** The numbers of candles, one column each, oldest first. */
export type CandleColumns = Readonly<Record<keyof Candle, Float64Array>>;

/** What views of one series share. What lies behind a view's count belongs to the views that came after it. */
class Storage {
  count = 0;
  columns: CandleColumns;
  readonly isRepeated: boolean;

  constructor(columns: CandleColumns, isRepeated = false) {
    this.columns = columns;
    this.isRepeated = isRepeated;
  }

  static ofCapacity(capacity: number): Storage {
    return new Storage(columnsOf(() => new Float64Array(capacity)));
  }

  push(candle: Candle): void {
    if (this.count === this.columns.close.length) this.#grow();
    for (const name of NAMES) this.columns[name][this.count] = candle[name];
    this.count += 1;
  }

  /** Views keep the columns they were made of: what they show of them does not change any more. */
  #grow(): void {
    const old = this.columns;
    this.columns = columnsOf((name) => {
      const column = new Float64Array(2 * this.count);
      column.set(old[name]);
      return column;
    });
  }
}

const NAMES = ['openTimeMs', 'closeTimeMs', 'open', 'high', 'low', 'close', 'volume'] as const;

const columnsOf = (make: (name: keyof Candle) => Float64Array): CandleColumns => ({
  openTimeMs: make('openTimeMs'),
  closeTimeMs: make('closeTimeMs'),
  open: make('open'),
  high: make('high'),
  low: make('low'),
  close: make('close'),
  volume: make('volume'),
});

/**
 * The candles of a series that have closed by some instant, oldest first: an immutable view of columns, in which candles
 * that closed later have no address. Appending to the newest view copies nothing.
 */
export class ClosedCandles {
  readonly count: number;
  readonly #storage: Storage;
  readonly #columns: CandleColumns;

  private constructor(storage: Storage, count = storage.count) {
    this.#storage = storage;
    this.#columns = storage.columns;
    this.count = count;
  }

  static of(candles: readonly Candle[]): ClosedCandles {
    const storage = Storage.ofCapacity(Math.max(CAPACITY_MIN, candles.length));
    for (const candle of candles) storage.push(candle);
    return new ClosedCandles(storage);
  }

  /**
   * All candles of columns that are as long as each other. Nothing is copied: they must not change any more.
   * `isRepeated`: they are walked through again and again.
   */
  static over(columns: CandleColumns, isRepeated = false): ClosedCandles {
    const storage = new Storage(columns, isRepeated);
    storage.count = columns.close.length;
    return new ClosedCandles(storage);
  }

  /** The same for views of which one continues the other: candles at the same place are equal. */
  get series(): object {
    return this.#storage;
  }

  /** What is computed of the series is kept whole: somebody comes back to its beginning. */
  get isRepeated(): boolean {
    return this.#storage.isRepeated;
  }

  /** The newest candle, if there is one. */
  get newest(): Candle | undefined {
    return this.count === 0 ? undefined : this.at(this.count - 1);
  }

  /** The candles from `start` to before `end`. */
  slice(start: number, end = this.count): ClosedCandles {
    return start === 0 && end <= this.count
      ? new ClosedCandles(this.#storage, end)
      : ClosedCandles.of([...this].slice(start, end));
  }

  /** The series with newer candles behind. */
  append(candles: readonly Candle[]): ClosedCandles {
    if (this.#storage.count !== this.count) return ClosedCandles.of([...this, ...candles]);
    for (const candle of candles) this.#storage.push(candle);
    return new ClosedCandles(this.#storage);
  }

  /** @throws RangeError where no candle of this view is */
  at(place: number): Candle {
    this.#check(place);
    const { openTimeMs, closeTimeMs, open, high, low, close, volume } = this.#columns;
    return {
      openTimeMs: openTimeMs[place] as number,
      closeTimeMs: closeTimeMs[place] as number,
      open: open[place] as number,
      high: high[place] as number,
      low: low[place] as number,
      close: close[place] as number,
      volume: volume[place] as number,
    };
  }

  /** @throws RangeError where no candle of this view is */
  valueAt(place: number, field: CandleField): number {
    this.#check(place);
    return this.#columns[field][place] as number;
  }

  /** The instant the candle closed. @throws RangeError where no candle of this view is */
  closedAt(place: number): number {
    this.#check(place);
    return (this.#columns.closeTimeMs[place] as number) + 1;
  }

  /** One number of the candles from `start` to before `end`. @throws RangeError where they are not all of this view */
  window(field: CandleField | 'openTimeMs', start: number, end: number): Float64Array {
    if (end > start) {
      this.#check(start);
      this.#check(end - 1);
    }
    return this.#columns[field].subarray(start, end);
  }

  /** Place of the last candle that had closed at an instant; -1 if none had. Usually the last one. */
  placeAt(instant: number): number {
    let low = 0;
    let high = this.count;
    if (high === 0 || this.closedAt(high - 1) <= instant) return high - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.closedAt(middle) <= instant) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  *[Symbol.iterator](): Generator<Candle> {
    for (let place = 0; place < this.count; place++) yield this.at(place);
  }

  #check(place: number): void {
    if (place >= 0 && place < this.count) return;
    throw new RangeError(`${NO_SUCH_CANDLE} ${place}; there are ${this.count}.`);
  }
}

export const NO_CANDLES = ClosedCandles.of([]);
