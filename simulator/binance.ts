/** Binance's spot market data, as far as the connector requests it. */

import type { AnyInterval } from '../venues/parse/intervals.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../venues/time.ts';
import { CANDLE_INTERVALS } from '../venues/views.ts';
import { integer, type MarketRequest, ok, type Reply, type Venue } from './reply.ts';
import { CandleMaker, type SimCandle } from './world/crypto-candles.ts';
import { CoinPath, SYMBOLS, type SymbolSpec } from './world/crypto-path.ts';
import { keyedRandom, keyOf } from './world/keyed-random.ts';
import { levelSizeAt } from './world/level-size.ts';
import type { PriceOverrides } from './world/price-overrides.ts';

const failure = (code: number, msg: string): Reply => ({ status: 400, body: { code, msg } });
const unknownSymbol = () => failure(-1121, 'Invalid symbol.');
const missing = (name: string) =>
  failure(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
const badValue = (name: string) => failure(-1130, `Data sent for parameter '${name}' is not valid.`);

const INTERVALS: readonly AnyInterval[] = ['1s', ...CANDLE_INTERVALS];
/** Trades per second at most; trade ids grow by this number each second, so that they are stable. */
const TRADES_PER_SEC = 3;

/** The coins of one seed, created on first use. */
export class CoinMarket {
  readonly #seed: string;
  readonly #makers = new Map<string, CandleMaker>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  get(symbol: string): CandleMaker | null {
    const made = this.#makers.get(symbol);
    if (made !== undefined) return made;
    const spec = SYMBOLS.find((item) => item.symbol === symbol);
    if (spec === undefined) return null;
    const maker = new CandleMaker(new CoinPath(spec, this.#seed));
    this.#makers.set(symbol, maker);
    return maker;
  }

  /** Bitcoin in dollars, which other markets are about. */
  bitcoin(): CoinPath {
    const maker = this.get('BTCUSDT');
    if (maker === null) throw new Error('the simulated world has no BTCUSDT');
    return maker.path;
  }
}

/** The weight of a request: a list of symbols weighs more than one symbol, all symbols weigh most. */
function weightOf(resource: string, query: URLSearchParams): number {
  if (resource === 'exchangeInfo') return 20;
  if (resource === 'aggTrades') return 4;
  if (resource === 'depth') return 5;
  if (resource !== 'ticker/24hr' || query.has('symbol')) return 2;
  const names = query.get('symbols');
  if (names === null) return 80;
  return (readNames(names)?.length ?? 0) > 20 ? 40 : 2;
}

/** State of symbols other than the world's prices. */
export type BinanceWorld = {
  readonly coins: CoinMarket;
  /** Prices set by a command. */
  readonly priceOverrides: PriceOverrides;
  /** The status of every symbol: `TRADING`, `CANCEL_ONLY` or `BREAK`. */
  readonly status: () => string;
};

/** Each answer says how much weight was used in this minute. */
export function binanceVenue(world: BinanceWorld): Venue {
  const answer = unweighed(world);
  let minute = 0;
  let used = 0;
  return (ask) => {
    const now = Math.floor(ask.nowMs / MINUTE_MS);
    if (now !== minute) [minute, used] = [now, 0];
    used += weightOf(ask.path.replace(/^api\/v3\//, ''), ask.query);
    const reply = answer(ask);
    return { ...reply, headers: { ...reply.headers, 'x-mbx-used-weight-1m': String(used) } };
  };
}

function unweighed({ coins, priceOverrides, status }: BinanceWorld): Venue {
  return (ask) => {
    const resource = ask.path.replace(/^api\/v3\//, '');
    if (resource === 'exchangeInfo') return exchangeInfo(ask, status());
    if (resource === 'ticker/24hr') return tickers(coins, priceOverrides, ask);
    if (!['aggTrades', 'klines', 'depth'].includes(resource)) return { status: 404, body: {} };
    const symbol = ask.query.get('symbol') ?? '';
    if (symbol === '') return missing('symbol');
    if (!/^[A-Z0-9-_.]{1,20}$/.test(symbol)) {
      return failure(
        -1100,
        "Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.",
      );
    }
    const coin = coins.get(symbol);
    if (coin === null) return unknownSymbol();
    if (resource === 'klines') return klines(coin, ask);
    return resource === 'depth' ? depth(coin.path, priceOverrides, ask) : aggTrades(coin.path, ask);
  };
}

/** The symbols that a request names, or all; null if one does not exist. */
function named(query: URLSearchParams): readonly SymbolSpec[] | null {
  const list = query.get('symbols');
  const names = list === null ? query.getAll('symbol') : readNames(list);
  if (names === null) return null;
  if (names.length === 0) return SYMBOLS;
  const found = names.flatMap((name) => SYMBOLS.find(({ symbol }) => symbol === name) ?? []);
  return found.length === names.length ? found : null;
}

function readNames(text: string): string[] | null {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.map(String) : null;
  } catch {
    return null;
  }
}

function exchangeInfo({ query, nowMs }: MarketRequest, status: string): Reply {
  const list = named(query);
  if (list === null) return unknownSymbol();
  return ok({
    timezone: 'UTC',
    serverTime: nowMs,
    rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 }],
    exchangeFilters: [],
    symbols: list.map((spec) => symbolRecord(spec, status)),
  });
}

/** The steps and minima of a symbol. */
export const filtersOf = ({ quote, priceDecimals, stepDecimals }: SymbolSpec) => ({
  tick: (10 ** -priceDecimals).toFixed(8),
  step: (10 ** -stepDecimals).toFixed(8),
  minNotional: quote === 'BTC' ? '0.00010000' : '5.00000000',
});

function symbolRecord(spec: SymbolSpec, status: string) {
  const { symbol, base, quote } = spec;
  const { tick, step, minNotional } = filtersOf(spec);
  return {
    symbol,
    status,
    baseAsset: base,
    baseAssetPrecision: 8,
    quoteAsset: quote,
    quoteAssetPrecision: 8,
    orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
    isSpotTradingAllowed: true,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tick, maxPrice: '1000000.00000000', tickSize: tick },
      { filterType: 'LOT_SIZE', minQty: step, maxQty: '9000000.00000000', stepSize: step },
      { filterType: 'NOTIONAL', minNotional },
    ],
    permissions: [],
    permissionSets: [],
  };
}

/** The last price: the price set by a command, or the world's own. */
const lastOf = (path: CoinPath, priceOverrides: PriceOverrides, nowMs: number): number =>
  priceOverrides.at(path.spec.symbol, nowMs) ?? path.priceAt(nowMs);

/** Best prices: one tick apart, around the last price. */
function topOfBook(path: CoinPath, priceOverrides: PriceOverrides, nowMs: number) {
  const { symbol, priceDecimals } = path.spec;
  const last = Math.round(lastOf(path, priceOverrides, nowMs) * 10 ** priceDecimals);
  const bid = last - (keyedRandom(keyOf(symbol), Math.floor(nowMs / SECOND_MS)) < 0.5 ? 1 : 0);
  return { bid, ask: bid + 1 };
}

const priceText = (path: CoinPath, ticks: number): string =>
  (ticks / 10 ** path.spec.priceDecimals).toFixed(8);
const priceOf = (value: number): string => value.toFixed(8);

/** The typical size of a level: some thousand dollars. */
const typicalSize = (path: CoinPath): number => 20_000 / path.spec.price;
const levelSize = (path: CoinPath, side: 'bid' | 'ask', level: number, nowMs: number): string =>
  levelSizeAt(`${path.spec.symbol}/${side}`, level, nowMs, typicalSize(path), path.spec.stepDecimals).toFixed(
    8,
  );

function tickers(coins: CoinMarket, priceOverrides: PriceOverrides, { query, nowMs }: MarketRequest): Reply {
  const list = named(query);
  if (list === null) return unknownSymbol();
  const mini = query.get('type') === 'MINI';
  const records = list.flatMap(({ symbol }) => {
    const coin = coins.get(symbol);
    return coin === null ? [] : [tickerRecord(coin, priceOverrides, nowMs, mini)];
  });
  return ok(query.has('symbol') ? records[0] : records);
}

function tickerRecord(
  coin: CandleMaker,
  priceOverrides: PriceOverrides,
  nowMs: number,
  mini: boolean,
): Record<string, unknown> {
  const { path } = coin;
  const day = coin.stretch(nowMs - DAY_MS, nowMs);
  const open = path.rounded(day.open);
  const last = lastOf(path, priceOverrides, nowMs);
  const mean = (open + last + path.rounded(day.high) + path.rounded(day.low)) / 4;
  const brief = {
    symbol: path.spec.symbol,
    openPrice: priceOf(open),
    highPrice: priceOf(path.rounded(day.high)),
    lowPrice: priceOf(path.rounded(day.low)),
    lastPrice: priceOf(last),
    volume: priceOf(day.volume),
    quoteVolume: priceOf(day.volume * mean),
    openTime: nowMs - DAY_MS,
    closeTime: nowMs,
    firstId: tradeId(nowMs - DAY_MS),
    lastId: tradeId(nowMs),
    count: tradeId(DAY_MS),
  };
  if (mini) return brief;
  const top = topOfBook(path, priceOverrides, nowMs);
  return {
    ...brief,
    priceChange: priceOf(last - open),
    priceChangePercent: ((100 * (last - open)) / open).toFixed(3),
    weightedAvgPrice: priceOf(mean),
    prevClosePrice: priceOf(open),
    lastQty: levelSize(path, 'bid', 3, nowMs),
    bidPrice: priceText(path, top.bid),
    bidQty: levelSize(path, 'bid', 0, nowMs),
    askPrice: priceText(path, top.ask),
    askQty: levelSize(path, 'ask', 0, nowMs),
  };
}

/** Levels of one side, best first: price and size. */
type Levels = readonly (readonly [price: string, size: string])[];

/** The first levels of a symbol's book. */
export function bookOf(
  path: CoinPath,
  priceOverrides: PriceOverrides,
  nowMs: number,
  levels: number,
): { bids: Levels; asks: Levels } {
  const { bid, ask } = topOfBook(path, priceOverrides, nowMs);
  // Levels lie about a hundredth of a percent apart.
  const gap = Math.max(1, Math.round(bid * 1e-4));
  const side = (name: 'bid' | 'ask', best: number, step: number): Levels =>
    Array.from({ length: levels }, (_, level) => [
      priceText(path, best + step * level),
      levelSize(path, name, level, nowMs),
    ]);
  return { bids: side('bid', bid, -gap), asks: side('ask', ask, gap) };
}

function depth(path: CoinPath, priceOverrides: PriceOverrides, { query, nowMs }: MarketRequest): Reply {
  const limit = integer(query, 'limit', [1, 5_000], 100);
  if (limit === null) return badValue('limit');
  return ok({ lastUpdateId: tradeId(nowMs), ...bookOf(path, priceOverrides, nowMs, Math.min(limit, 100)) });
}

const tradeId = (timeMs: number): number => Math.floor(timeMs / SECOND_MS) * TRADES_PER_SEC;

/** The last trades, oldest first: each second has a few, at its price. */
function aggTrades(path: CoinPath, { query, nowMs }: MarketRequest): Reply {
  const limit = integer(query, 'limit', [1, 1_000], 500);
  if (limit === null) return badValue('limit');
  const key = keyOf(`${path.spec.symbol}/trades`);
  const trades: Record<string, unknown>[] = [];
  for (let second = Math.floor(nowMs / SECOND_MS) - 1; trades.length < limit; second -= 1) {
    for (let index = TRADES_PER_SEC - 1; index >= 0 && trades.length < limit; index -= 1) {
      const chance = keyedRandom(key, second * TRADES_PER_SEC + index);
      if (index > 0 && chance < 0.5) continue;
      const timeMs = second * SECOND_MS;
      const id = tradeId(timeMs) + index;
      const quantity = levelSizeAt(
        `${path.spec.symbol}/${index}`,
        second % 24,
        timeMs,
        typicalSize(path) / 50,
        path.spec.stepDecimals,
      );
      trades.push({
        a: id,
        p: priceOf(path.priceAt(timeMs)),
        q: quantity.toFixed(8),
        f: id,
        l: id,
        T: timeMs + index * 300 + Math.floor(chance * 99),
        m: chance < 0.75,
        M: true,
      });
    }
  }
  return ok(trades.reverse());
}

function klines(coin: CandleMaker, { query, nowMs }: MarketRequest): Reply {
  const interval = INTERVALS.find((item) => item === query.get('interval'));
  if (!query.has('interval')) return missing('interval');
  if (interval === undefined) return failure(-1120, 'Invalid interval.');
  const limit = integer(query, 'limit', [1, 1_000], 500);
  const start = integer(query, 'startTime', [0, 9e15], -1);
  const end = integer(query, 'endTime', [0, 9e15], -1);
  if (limit === null || start === null || end === null) return badValue('limit');
  const range = {
    limit,
    startMs: start < 0 ? undefined : start,
    endMs: end < 0 ? nowMs : Math.min(end, nowMs),
  };
  return ok(coin.candles(interval, range, nowMs).map(klineRecord));
}

function klineRecord(candle: SimCandle): unknown[] {
  const mean = (candle.open + candle.high + candle.low + candle.close) / 4;
  const quoteVolume = candle.volume * mean;
  return [
    candle.openMs,
    priceOf(candle.open),
    priceOf(candle.high),
    priceOf(candle.low),
    priceOf(candle.close),
    priceOf(candle.volume),
    candle.closeMs,
    priceOf(quoteVolume),
    Math.max(1, Math.floor((candle.closeMs + 1 - candle.openMs) / MINUTE_MS)),
    priceOf(candle.volume / 2),
    priceOf(quoteVolume / 2),
    '0',
  ];
}
