/** The venues of the runner's bench: prices move without a network, behind the market data port. */

import type { Candle, InstrumentInfo, MarketData, Quote } from '../../venues/port.ts';

export const SYMBOLS = Array.from({ length: 200 }, (_, index) => `C${String(index).padStart(3, '0')}USDT`);
const CANDLE_MS: Readonly<Record<string, number>> = { '1m': 60_000, '15m': 900_000 };
/** Levels of the strategies lie between 0 and this, and so do the prices. */
export const PRICE_MAX = 1_000;

/**
 * Returns the price of a symbol in a period: it changes in 42 of 100, to any level. Price before and after are on different
 * sides of a level with a probability of one third. So 14 % of the deployments see a transition.
 */
export function priceOf(symbol: number, period: number): number {
  let since = period;
  while (since > 0 && noise(symbol, since) >= 0.42) since--;
  return 1 + Math.floor(noise(symbol + 1_000, since) * (PRICE_MAX - 1));
}

/** Returns a number from 0 to below 1 that depends on `a` and `b` only (the finalizer of MurmurHash3). */
function noise(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ 0xc2b2ae35, 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const notOffered = () => {
  throw new Error('The venues of this bench do not offer that.');
};
const silent = new Proxy({}, { get: () => notOffered }) as never;

/** `periodMs` is the least time between two prices. */
export function benchMarket(periodMs: number): MarketData {
  const startMs = Date.now();
  return {
    at: () => silent,
    newestCandle: notOffered,
    now: () => Date.now(),
    instrument: async (tokenId) => infoOf(tokenId),
    quotes: async (tokenIds) => {
      const period = 1_000 + Math.floor((Date.now() - startMs) / periodMs);
      return tokenIds.map((tokenId) => quoteOf(tokenId, priceOf(SYMBOLS.indexOf(tokenId), period)));
    },
    orderBook: notOffered,
    history: notOffered,
    closedCandles: async (_symbol, interval, { limit, endTime = Date.now() }) =>
      candlesUntil(endTime, { limit, periodMs: CANDLE_MS[interval] ?? notOffered() }),
  };
}

function infoOf(tokenId: string): InstrumentInfo {
  return {
    tokenId,
    venue: 'crypto',
    kind: 'spot',
    market: tokenId,
    series: null,
    outcome: tokenId,
    title: tokenId,
    tickSize: '0.01',
    priceRanges: [],
    stepSize: '0.00001',
    minSize: '0.00001',
    minNotional: null,
    feeSchedule: { formula: 'notional', takerRate: '0', makerRate: '0', exponent: 1, roundUpTo: null },
    quoteCurrency: 'USDT',
    tradable: true,
    opensAt: null,
    closesAt: null,
    status: 'open',
    settlementValue: null,
  };
}

function quoteOf(tokenId: string, price: number): Quote {
  return {
    tokenId,
    bid: String(price),
    bidSize: '1',
    ask: String(price + 0.01),
    askSize: '1',
    last: String(price),
    volume24h: null,
    openInterest: null,
    change24h: null,
    asOf: new Date().toISOString(),
    marketStatus: 'open',
    settlementValue: null,
  };
}

function candlesUntil(endMs: number, { limit, periodMs }: { limit: number; periodMs: number }): Candle[] {
  const last = Math.floor(endMs / periodMs);
  return Array.from({ length: limit }, (_, index) => {
    const openTimeMs = (last - limit + index) * periodMs;
    const close = 500 + 100 * Math.sin(openTimeMs / periodMs / 20);
    return {
      openTimeMs,
      closeTimeMs: openTimeMs + periodMs - 1,
      open: close,
      high: close + 1,
      low: close - 1,
      close,
      volume: 1,
    };
  });
}
