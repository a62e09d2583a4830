/** The bars of five minutes that the simulator ships, for scripts and for the engine. Nothing here is code of the engine. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export type Bar = {
  readonly openTimeMs: number;
  readonly closeTimeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
};
export type Coin = 'BTCUSDT' | 'ETHUSDT';

const FROM_MS = Date.UTC(2022, 7, 22);
export const BAR_MS = 300_000;
export const BARS_OF_DAY = 288;
/** Half of the spread around each close, USD. */
const HALF_SPREAD: Readonly<Record<Coin, number>> = { BTCUSDT: 0.5, ETHUSDT: 0.05 };
/** Each bar is looked at twice, the second time without news: a beat has to end. */
const LOOKS_MS = [1_000, 3_000];

/** Returns 12,096 bars, the first one from 2022-08-22 00:00 UTC. */
function barsOf(coin: Coin): Bar[] {
  const file = new URL(`../../simulator/world/data/${coin.toLowerCase()}-5m.csv.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n').slice(1);
  return lines.map((line, index) => {
    const [open = 0, high = 0, low = 0, close = 0, volume = 0] = line.split(',').map(Number);
    const openTimeMs = FROM_MS + index * BAR_MS;
    return { openTimeMs, closeTimeMs: openTimeMs + BAR_MS - 1, open, high, low, close, volume };
  });
}

export const RECORDED: Readonly<Record<Coin, readonly Bar[]>> = {
  BTCUSDT: barsOf('BTCUSDT'),
  ETHUSDT: barsOf('ETHUSDT'),
};

/** The last closed bar and the time shortly after it. */
export type Look = { readonly now: number; readonly bar: number };

/** Returns the looks at these days, counted from the first recorded one. */
export function looksAt(fromDay: number, days: number): Look[] {
  return Array.from({ length: days * BARS_OF_DAY }, (_, index) => fromDay * BARS_OF_DAY + index).flatMap(
    (bar) => LOOKS_MS.map((afterMs) => ({ now: FROM_MS + (bar + 1) * BAR_MS + afterMs, bar })),
  );
}

/** Bid and ask around the close of a bar, to the cent. */
export function quoteAt(coin: Coin, bar: number): { bid: number; ask: number; last: number } {
  const last = RECORDED[coin][bar]?.close ?? Number.NaN;
  const cents = (price: number) => Math.round(price * 100) / 100;
  return { bid: cents(last - HALF_SPREAD[coin]), ask: cents(last + HALF_SPREAD[coin]), last };
}

const grouped = new Map<string, readonly Bar[]>();

/** All candles of this number of bars, oldest first. */
function candlesOf(coin: Coin, size: number): readonly Bar[] {
  const key = `${coin} ${size}`;
  const known = grouped.get(key);
  if (known !== undefined) return known;
  const bars = RECORDED[coin];
  const candles = Array.from({ length: Math.floor(bars.length / size) }, (_, index) => {
    const group = bars.slice(index * size, (index + 1) * size);
    const [opening, closing] = [group[0] as Bar, group.at(-1) as Bar];
    return {
      openTimeMs: opening.openTimeMs,
      closeTimeMs: closing.closeTimeMs,
      open: opening.open,
      high: Math.max(...group.map(({ high }) => high)),
      low: Math.min(...group.map(({ low }) => low)),
      close: closing.close,
      volume: group.reduce((sum, { volume }) => sum + volume, 0),
    };
  });
  grouped.set(key, candles);
  return candles;
}

/** Returns the newest candles of this number of bars that have closed at a bar, oldest first. */
export function candlesAt(coin: Coin, size: number, bar: number, count: number): readonly Bar[] {
  const end = Math.floor((bar + 1) / size);
  return candlesOf(coin, size).slice(Math.max(0, end - count), end);
}

/** An intent: when, which node, and its terms. */
export type Row = readonly [
  now: number,
  node: string,
  side: 'buy' | 'sell',
  token: string,
  amount: number,
  limit: number | null,
];
