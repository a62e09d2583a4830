/** Binance records as the port's shapes. Pure. */

import { listedAt } from '../catalogue.ts';
import type { Bar } from '../parse/candle-checks.ts';
import { isZero, product, toNumber, toNumberOrNull, trimmed, trimmedOrNull } from '../parse/decimal.ts';
import { feesViewOf } from '../parse/view-parts.ts';
import type { Candle, FeeSchedule, InstrumentInfo, Quote } from '../reads.ts';
import { isoTime } from '../time.ts';
import { isDollar } from '../trading.ts';
import type { Klines, Summary, Symbols, Trades } from '../views.ts';
import type { MarketStatus } from '../vocabulary.ts';
import type { WireKline, WireQuote, WireSymbol, WireTicker, WireTopOfBook, WireTrade } from './wire.ts';

/** The regular spot fee: 0.1 % of the notional for maker and taker. */
const FEE: FeeSchedule = {
  formula: 'notional',
  takerRate: '0.001',
  makerRate: '0.001',
  exponent: 1,
  roundUpTo: null,
};

const positive = (decimal: string): string | null => (isZero(decimal) ? null : trimmed(decimal));

/** Best prices; a price of 0 means that there is no offer. Crossed prices are a glitch and count as unknown. */
function topOfBook(
  ticker: WireTopOfBook,
): Pick<Quote, 'bid' | 'bidSize' | 'ask' | 'askSize' | 'topOfBookUnknown'> {
  const bid = positive(ticker.bidPrice);
  const ask = positive(ticker.askPrice);
  if (bid !== null && ask !== null && Number(bid) >= Number(ask)) {
    return { bid: null, bidSize: null, ask: null, askSize: null, topOfBookUnknown: true };
  }
  return {
    bid,
    bidSize: bid === null ? null : trimmed(ticker.bidQty),
    ask,
    askSize: ask === null ? null : trimmed(ticker.askQty),
  };
}

export function summaryOf(ticker: WireTicker): Omit<Summary, 'source' | 'asOf'> {
  const { bid, bidSize, ask, askSize } = topOfBook(ticker);
  return {
    kind: 'summary',
    symbol: ticker.symbol,
    price: toNumber(ticker.lastPrice),
    change: toNumber(ticker.priceChange),
    changePct: toNumber(ticker.priceChangePercent),
    high: toNumber(ticker.highPrice),
    low: toNumber(ticker.lowPrice),
    volume: toNumber(ticker.volume),
    quoteVolume: toNumber(ticker.quoteVolume),
    bid: bid === null ? null : toNumber(bid),
    ask: ask === null ? null : toNumber(ask),
    bidSize: toNumberOrNull(bidSize),
    askSize: toNumberOrNull(askSize),
    fees: feesViewOf(FEE),
  };
}

export function quoteOf(ticker: WireQuote, marketStatus: MarketStatus, asOf: string): Quote {
  return {
    tokenId: ticker.symbol,
    ...topOfBook(ticker),
    last: ticker.lastPrice === null ? null : positive(ticker.lastPrice),
    volume24h: trimmedOrNull(ticker.quoteVolume),
    openInterest: null,
    change24h: ticker.priceChangePercent === null ? null : product(ticker.priceChangePercent, '0.01'),
    asOf,
    marketStatus,
    settlementValue: null,
  };
}

export const tradeOf = (trade: WireTrade): Trades['trades'][number] => ({
  id: String(trade.a),
  price: toNumber(trade.p),
  qty: toNumber(trade.q),
  side: trade.m ? 'sell' : 'buy',
  t: isoTime(trade.T),
});

export function klineOf(kline: WireKline): Klines['klines'][number] {
  const [openTime, open, high, low, close, volume, closeTime, quoteVolume, trades] = kline;
  return {
    t: isoTime(openTime),
    o: toNumber(open),
    h: toNumber(high),
    l: toNumber(low),
    c: toNumber(close),
    v: toNumber(volume),
    quoteVolume: toNumber(quoteVolume),
    trades,
    closesAt: isoTime(closeTime),
  };
}

export function candleOf(kline: WireKline): Candle {
  const [openTimeMs, open, high, low, close, volume, closeTimeMs] = kline;
  return {
    openTimeMs,
    closeTimeMs,
    open: toNumber(open),
    high: toNumber(high),
    low: toNumber(low),
    close: toNumber(close),
    volume: toNumber(volume),
  };
}

/** The candle of a kline in a view. */
export const candleOfView = ({ t, o, h, l, c, v, closesAt }: Klines['klines'][number]): Candle => ({
  openTimeMs: Date.parse(t),
  closeTimeMs: Date.parse(closesAt),
  open: o,
  high: h,
  low: l,
  close: c,
  volume: v,
});

export const barOf = (kline: WireKline): Bar => {
  const { openTimeMs, closeTimeMs, open, high, low, close } = candleOf(kline);
  return { openTimeMs, closeTimeMs, prices: { open, high, low, close } };
};

export const symbolOf = (symbol: WireSymbol): Symbols['symbols'][number] => ({
  symbol: symbol.symbol,
  base: symbol.baseAsset,
  quote: symbol.quoteAsset,
  status: symbol.status,
  tickSize: toNumber(symbol.tickSize),
  stepSize: toNumber(symbol.stepSize),
  minSize: toNumber(symbol.minQty),
  minNotional: toNumberOrNull(symbol.minNotional),
});

/** `TRADING` is open; a halt of any kind (HALT, BREAK, END_OF_DAY, CANCEL_ONLY, or a future one) is a pause. */
export const statusOf = ({ status }: Pick<WireSymbol, 'status'>): MarketStatus =>
  status === 'TRADING' ? 'open' : 'paused';

export function instrumentOf(symbol: WireSymbol): InstrumentInfo {
  const tickSize = trimmed(symbol.tickSize);
  return {
    tokenId: symbol.symbol,
    ...listedAt('crypto'),
    market: symbol.symbol,
    series: null,
    outcome: symbol.baseAsset,
    title: `${symbol.baseAsset}/${symbol.quoteAsset}`,
    tickSize,
    priceRanges: [],
    stepSize: trimmed(symbol.stepSize),
    minSize: trimmed(symbol.minQty),
    minNotional: symbol.minNotional === null ? null : trimmed(symbol.minNotional),
    feeSchedule: FEE,
    quoteCurrency: symbol.quoteAsset,
    tradable: isDollar(symbol.quoteAsset),
    opensAt: null,
    closesAt: null,
    status: statusOf(symbol),
    settlementValue: null,
  };
}
