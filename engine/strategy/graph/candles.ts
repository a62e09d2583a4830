/** Closed candles: names of series, and their columns. */
import type { Candle } from '../../../venues/port.ts';
import { CANDLE_INTERVALS } from '../../../venues/views.ts';

export const INTERVALS = CANDLE_INTERVALS;

/** The longest history ever requested from a venue. */
export const WINDOW_MAX = 1_000;

const CAPACITY_MIN = 16;

const NO_SUCH_CANDLE = 'There is no closed candle at';

/** Whether a failure's message reports a candle that has not closed, or that does not exist. */
export const isLookAhead = (message: string): boolean => message.includes(NO_SUCH_CANDLE);

/** Key of a series in `World.candles`, and of its clock in `Memory.candles`. */
export function candleKey(symbol: string, interval: string): string {
  return `${symbol}@${interval}`;
}

/** The instant at which a candle closed, which is that of its step. */
export function closedAt(candle: Candle): number {
  return candle.closeTimeMs + 1;
}

export type CandleField = 'open' | 'high' | 'low' | 'close' | 'volume';
/** Candles as columns, oldest first. */
export type CandleColumns = Readonly<Record<keyof Candle, Float64Array>>;

/** Storage shared by all views of a series. Entries past a view's count belong to later views. */
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

  /** Views keep the columns they were made of: their content never changes. */
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
 * Candles of a series closed by some instant, oldest first: an immutable view of columns. Later candles cannot be read through
 * it. Appending to the newest view copies nothing.
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
   * Makes a view of columns of equal length without copying: they must not change afterwards. `isRepeated`: they are traversed
   * several times.
   */
  static over(columns: CandleColumns, isRepeated = false): ClosedCandles {
    const storage = new Storage(columns, isRepeated);
    storage.count = columns.close.length;
    return new ClosedCandles(storage);
  }

  /** Identifies the series: equal for views of which one continues the other. Their candles at the same index are equal. */
  get series(): object {
    return this.#storage;
  }

  /** Whether values computed of the series are all retained, because its start is visited again. */
  get isRepeated(): boolean {
    return this.#storage.isRepeated;
  }

  /** The newest candle, if there is one. */
  get newest(): Candle | undefined {
    return this.count === 0 ? undefined : this.at(this.count - 1);
  }

  /** Returns the candles from `start` to before `end`. */
  slice(start: number, end = this.count): ClosedCandles {
    return start === 0 && end <= this.count
      ? new ClosedCandles(this.#storage, end)
      : ClosedCandles.of([...this].slice(start, end));
  }

  /** Returns the series with newer candles appended. */
  append(candles: readonly Candle[]): ClosedCandles {
    if (this.#storage.count !== this.count) return ClosedCandles.of([...this, ...candles]);
    for (const candle of candles) this.#storage.push(candle);
    return new ClosedCandles(this.#storage);
  }

  /** @throws RangeError if this view has no such candle */
  at(index: number): Candle {
    this.#check(index);
    const { openTimeMs, closeTimeMs, open, high, low, close, volume } = this.#columns;
    return {
      openTimeMs: openTimeMs[index] as number,
      closeTimeMs: closeTimeMs[index] as number,
      open: open[index] as number,
      high: high[index] as number,
      low: low[index] as number,
      close: close[index] as number,
      volume: volume[index] as number,
    };
  }

  /** @throws RangeError if this view has no such candle */
  valueAt(index: number, field: CandleField): number {
    this.#check(index);
    return this.#columns[field][index] as number;
  }

  /** Returns the instant at which the candle closed. @throws RangeError if this view has no such candle */
  closedAt(index: number): number {
    this.#check(index);
    return (this.#columns.closeTimeMs[index] as number) + 1;
  }

  /** Returns one column of the candles from `start` to before `end`. @throws RangeError if this view lacks one of them */
  window(field: CandleField | 'openTimeMs', start: number, end: number): Float64Array {
    if (end > start) {
      this.#check(start);
      this.#check(end - 1);
    }
    return this.#columns[field].subarray(start, end);
  }

  /** Returns the index of the last candle closed by an instant; -1 if there is none. Usually it is the last one. */
  indexAt(instant: number): number {
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
    for (let index = 0; index < this.count; index++) yield this.at(index);
  }

  #check(index: number): void {
    if (index >= 0 && index < this.count) return;
    throw new RangeError(`${NO_SUCH_CANDLE} ${index}; there are ${this.count}.`);
  }
}

export const NO_CANDLES = ClosedCandles.of([]);
