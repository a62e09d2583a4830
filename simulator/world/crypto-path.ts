/**
 * Prices of coins in the simulated world: recorded returns of BTC and ETH, looped without a jump, on slow waves that shape
 * months and years. Everything is a pure function of (seed, time).
 */
import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../venues/time.ts';
import { BAR_SEC, type BarLogPrices, barPricePath } from './bar-price-path.ts';
import { keyedRandom, keyOf, seedOf } from './keyed-random.ts';
import { BAR_MS, type CoinRecording, coinRecording, type Recording } from './recordings.ts';

/** How a symbol is made. Times are epoch ms, prices in the quote currency. */
export type SymbolSpec = {
  symbol: string;
  base: string;
  quote: string;
  /** The price at {@link REFERENCE_MS}. */
  price: number;
  /** Decimals of the price tick and of the quantity step. */
  priceDecimals: number;
  stepDecimals: number;
  /** The share of each recording's returns, and by how many bars it is delayed. */
  parts: readonly { recording: CoinRecording; share: number; lagBars: number }[];
  /** Base volume per unit of recorded volume. */
  volumeScale: number;
};

/** The day of the reference prices (BTC and ETH as recorded from Binance). */
const REFERENCE_MS = Date.UTC(2026, 9, 3);
/** No candles before this: the symbols were not listed. */
export const LISTED_MS = Date.UTC(2022, 0, 1);

const btc = (share: number, lagBars = 0) => ({ recording: 'btcusdt', share, lagBars }) as const;
const eth = (share: number, lagBars = 0) => ({ recording: 'ethusdt', share, lagBars }) as const;

const spec = (
  base: string,
  quote: string,
  price: number,
  [priceDecimals, stepDecimals]: readonly [number, number],
  parts: SymbolSpec['parts'],
  volumeScale: number,
): SymbolSpec => ({
  symbol: `${base}${quote}`,
  base,
  quote,
  price,
  priceDecimals,
  stepDecimals,
  parts,
  volumeScale,
});

/** BTC and ETH are the recordings; the others follow them, with a share of a recording that is delayed by a long time. */
export const SYMBOLS: readonly SymbolSpec[] = [
  spec('BTC', 'USDT', 84_705.64, [2, 5], [btc(1)], 0.1),
  spec('ETH', 'USDT', 2_687.75, [2, 4], [eth(1)], 0.25),
  spec('SOL', 'USDT', 168.4, [2, 3], [eth(0.8), btc(0.5, 3_001)], 3),
  spec('BNB', 'USDT', 912.3, [2, 3], [btc(0.7), eth(0.3, 5_003)], 0.4),
  spec('XRP', 'USDT', 2.314, [4, 1], [eth(0.6), eth(0.5, 7_001)], 150),
  spec('DOGE', 'USDT', 0.19342, [5, 0], [eth(0.9), btc(0.8, 8_009)], 2_000),
  spec('ADA', 'USDT', 0.6271, [4, 1], [eth(0.7), eth(0.5, 9_001)], 500),
  spec('BTC', 'USDC', 84_706.1, [2, 5], [btc(1)], 0.02),
  spec('ETH', 'BTC', 0.03173, [5, 4], [eth(1), btc(-1)], 0.02),
  spec('BTC', 'EUR', 72_310.5, [2, 5], [btc(1)], 0.005),
];

/** Periods in days and heights in log price of the slow waves. */
const WAVES = [
  [67, 0.03],
  [173, 0.06],
  [409, 0.12],
  [1_163, 0.25],
] as const;

/** Cached paths through bars: slightly more than four hours of seconds, 0.6 MB. */
const PATHS_MAX = 256;

/** A bar in log prices. */
export type Bar = BarLogPrices & {
  volume: number;
};

export class CoinPath {
  readonly spec: SymbolSpec;
  readonly #key: number;
  readonly #waveKey: number;
  readonly #parts: readonly { recording: Recording; share: number; offset: number }[];
  readonly #logPrice: number;
  readonly #waves = new Map<number, number>();
  readonly #paths = new LRUCache<number, Float64Array>({ max: PATHS_MAX });

  constructor(spec: SymbolSpec, seed: string) {
    this.spec = spec;
    this.#key = keyOf(`${seed}/${spec.symbol}`);
    // One market: all coins follow the same waves, and one seed starts all recordings at the same point.
    this.#waveKey = keyOf(`${seed}/waves`);
    const start = Math.floor(keyedRandom(keyOf(`${seed}/start`), 0) * 1_000_000);
    this.#parts = spec.parts.map(({ recording, share, lagBars }) => ({
      recording: coinRecording(recording),
      share,
      offset: start + lagBars,
    }));
    const referenceBar = Math.floor(REFERENCE_MS / BAR_MS);
    this.#logPrice = Math.log(spec.price) - this.#recorded(referenceBar) - this.#wave(referenceBar);
  }

  /** The price at a time (to the second), on the symbol's tick grid. */
  priceAt(timeMs: number): number {
    return this.rounded(this.logPriceAt(timeMs));
  }

  /** A log price on the tick grid, as a plain number. */
  rounded(logPrice: number): number {
    return Number(Math.exp(logPrice).toFixed(this.spec.priceDecimals));
  }

  /** The log price at a time, to the second. */
  logPriceAt(timeMs: number): number {
    const index = Math.floor(timeMs / BAR_MS);
    return this.within(index, Math.floor((timeMs - index * BAR_MS) / 1_000));
  }

  /** The log price of a bar at a second of it (0 to 300, its end). */
  within(index: number, second: number): number {
    if (second === 0) return this.#level(index);
    return this.#wayThrough(index)[second] ?? this.#level(index + 1);
  }

  #wayThrough(index: number): Float64Array {
    const known = this.#paths.get(index);
    if (known !== undefined) return known;
    const path = barPricePath(this.bar(index), seedOf(this.#key, index));
    this.#paths.set(index, path);
    return path;
  }

  /** A bar of 5 minutes; it opens where the one before closed. */
  bar(index: number): Bar {
    return this.bars(index, 1);
  }

  /** A number of bars merged into one. */
  bars(first: number, count: number): Bar {
    const open = this.#level(first);
    const total: Bar = { open, high: open, low: open, close: open, volume: 0 };
    for (let index = first; index < first + count; index += 1) {
      const start = total.close;
      const end = this.#level(index + 1);
      let wickUp = 0;
      let wickDown = 0;
      for (const { recording, share, offset } of this.#parts) {
        const at = wrapped(index + offset, recording.length);
        wickUp += Math.abs(share) * (recording.wickUp[at] ?? 0);
        wickDown += Math.abs(share) * (recording.wickDown[at] ?? 0);
        total.volume += Math.abs(share) * (recording.volume[at] ?? 0) * this.spec.volumeScale;
      }
      total.high = Math.max(total.high, Math.max(start, end) + wickUp);
      total.low = Math.min(total.low, Math.min(start, end) - wickDown);
      total.close = end;
    }
    return total;
  }

  /** The share of a bar's volume that was traded by a second of it: steadily rising, not evenly. */
  tradedShare(index: number, second: number): number {
    const part = second / BAR_SEC;
    const swing = 1.6 * keyedRandom(this.#key, index * 3 + 2) - 0.8;
    return part + (swing * Math.sin(2 * Math.PI * part)) / (2 * Math.PI);
  }

  #level(index: number): number {
    return this.#logPrice + this.#recorded(index) + this.#wave(index);
  }

  #recorded(index: number): number {
    let sum = 0;
    for (const { recording, share, offset } of this.#parts) {
      sum += share * (recording.level[wrapped(index + offset, recording.length)] ?? 0);
    }
    return sum;
  }

  /** The slow waves at the start of a bar: linear from day to day. Their height follows the symbol's share of the market. */
  #wave(index: number): number {
    const days = (index * BAR_MS) / DAY_MS;
    const day = Math.floor(days);
    const from = this.#waveOfDay(day);
    return from + (this.#waveOfDay(day + 1) - from) * (days - day);
  }

  #waveOfDay(day: number): number {
    const known = this.#waves.get(day);
    if (known !== undefined) return known;
    const market = this.spec.parts.reduce((sum, { share }) => sum + share, 0);
    const height = WAVES.reduce((sum, [period, size], wave) => {
      const phase = 2 * Math.PI * keyedRandom(this.#waveKey, wave);
      return sum + size * Math.sin((2 * Math.PI * day) / period + phase);
    }, 0);
    if (this.#waves.size > 5_000) this.#waves.clear();
    this.#waves.set(day, market * height);
    return market * height;
  }
}

const wrapped = (index: number, length: number): number => ((index % length) + length) % length;
