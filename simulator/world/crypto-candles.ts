/** Candles of the simulated coins, of every length, up to an instant and not beyond it. */
import { type AnyInterval, candleOpenOf, nextCandleOpen } from '../../venues/parse/intervals.ts';
import { DAY_MS } from '../../venues/time.ts';
import { BAR_SEC } from './bar-price-path.ts';
import { type CoinPath, LISTED_MS } from './crypto-path.ts';
import { BAR_MS } from './recordings.ts';

/** Prices on the tick grid, volume in the base coin; `closeMs` is the last millisecond. */
export type SimCandle = {
  openMs: number;
  closeMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

/** A stretch of path in log prices. */
type Stretch = {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

const BARS_PER_DAY = DAY_MS / BAR_MS;
export class CandleMaker {
  readonly path: CoinPath;
  /** Whole days, once they are over: open, high, low, close, volume. */
  readonly #days = new Map<number, Stretch>();

  constructor(path: CoinPath) {
    this.path = path;
  }

  /** The candles that opened from `startMs` to `endMs`, as of `nowMs`. At most `limit`: the first ones with `startMs`, else the last. */
  candles(
    interval: AnyInterval,
    range: { startMs?: number | undefined; endMs: number; limit: number },
    nowMs: number,
  ): SimCandle[] {
    const opens =
      range.startMs === undefined ? this.#opensBack(interval, range) : this.#opensFrom(interval, range);
    return opens.map((openMs) => this.#candle(interval, openMs, nowMs));
  }

  #opensFrom(
    interval: AnyInterval,
    { startMs = 0, endMs, limit }: { startMs?: number | undefined; endMs: number; limit: number },
  ): number[] {
    const firstMs = Math.max(startMs, LISTED_MS);
    let openMs = candleOpenOf(interval, firstMs);
    if (openMs < firstMs) openMs = nextCandleOpen(interval, openMs);
    const opens: number[] = [];
    for (; openMs <= endMs && opens.length < limit; openMs = nextCandleOpen(interval, openMs))
      opens.push(openMs);
    return opens;
  }

  #opensBack(interval: AnyInterval, { endMs, limit }: { endMs: number; limit: number }): number[] {
    const opens: number[] = [];
    let openMs = candleOpenOf(interval, endMs);
    for (; openMs >= LISTED_MS && opens.length < limit; openMs = candleOpenOf(interval, openMs - 1))
      opens.push(openMs);
    return opens.reverse();
  }

  #candle(interval: AnyInterval, openMs: number, nowMs: number): SimCandle {
    const endMs = nextCandleOpen(interval, openMs);
    const stretch = this.stretch(openMs, Math.min(endMs, nowMs));
    const { path } = this;
    return {
      openMs,
      closeMs: endMs - 1,
      open: path.rounded(stretch.open),
      high: path.rounded(stretch.high),
      low: path.rounded(stretch.low),
      close: path.rounded(stretch.close),
      volume: stretch.volume,
    };
  }

  /** The path from one time to another (to the second), from whole days and bars where possible. */
  stretch(startMs: number, endMs: number): Stretch {
    const open = this.path.logPriceAt(startMs);
    const total: Stretch = { open, high: open, low: open, close: open, volume: 0 };
    for (let at = startMs; at < endMs; ) {
      const isDay = at % DAY_MS === 0 && endMs - at >= DAY_MS;
      const isBar = at % BAR_MS === 0 && endMs - at >= BAR_MS;
      if (isDay) {
        extend(total, this.#day(at / DAY_MS));
        at += DAY_MS;
      } else if (isBar) {
        extend(total, this.path.bar(at / BAR_MS));
        at += BAR_MS;
      } else {
        const nextBarMs = (Math.floor(at / BAR_MS) + 1) * BAR_MS;
        const stopMs = Math.min(endMs, nextBarMs);
        extend(total, this.#partOfBar(at, stopMs));
        at = stopMs;
      }
    }
    return total;
  }

  #partOfBar(startMs: number, endMs: number): Stretch {
    const { path } = this;
    const index = Math.floor(startMs / BAR_MS);
    const bar = path.bar(index);
    const from = Math.floor((startMs % BAR_MS) / 1_000);
    const to = endMs % BAR_MS === 0 ? BAR_SEC : Math.floor((endMs % BAR_MS) / 1_000);
    const open = path.within(index, from);
    const part: Stretch = { open, high: open, low: open, close: open, volume: 0 };
    for (let second = from + 1; second <= to; second += 1) {
      part.close = path.within(index, second);
      part.high = Math.max(part.high, part.close);
      part.low = Math.min(part.low, part.close);
    }
    part.volume = bar.volume * (path.tradedShare(index, to) - path.tradedShare(index, from));
    return part;
  }

  #day(day: number): Stretch {
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const total = this.path.bars(day * BARS_PER_DAY, BARS_PER_DAY);
    this.#days.set(day, total);
    return total;
  }
}

function extend(total: Stretch, part: Stretch): void {
  total.high = Math.max(total.high, part.high);
  total.low = Math.min(total.low, part.low);
  total.close = part.close;
  total.volume += part.volume;
}
