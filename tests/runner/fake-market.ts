import type {
  Candle,
  InstrumentInfo,
  MarketData,
  MarketStatus,
  OrderBook,
  Quote,
  SeriesQuery,
} from '../../venues/port.ts';
import { VenueError } from '../../venues/port.ts';

export const BTC = 'BTCUSDT';
export const YES = 'KXTEST-26:yes';

type Terms = Partial<
  Pick<
    Quote,
    'bid' | 'ask' | 'last' | 'volume24h' | 'openInterest' | 'change24h' | 'marketStatus' | 'settlementValue'
  >
>;

const INFO: InstrumentInfo = {
  tokenId: BTC,
  venue: 'crypto',
  kind: 'spot',
  market: BTC,
  series: null,
  outcome: 'BTC',
  title: 'Bitcoin',
  tickSize: '0.01',
  priceRanges: [],
  stepSize: '0.00001',
  minSize: '0.00001',
  minNotional: '5',
  feeSchedule: { formula: 'notional', takerRate: '0.001', makerRate: '0.001', exponent: 1, roundUpTo: null },
  quoteCurrency: 'USDT',
  tradable: true,
  opensAt: null,
  closesAt: null,
  status: 'open',
  settlementValue: null,
};

const notOffered = () => {
  throw VenueError.unavailable('this venue of a test does not offer that');
};

/** Fake venues at the port of the connectors: a test sets their answers, and their requests are counted. */
export class FakeMarket implements MarketData {
  /** Venues beside the port offer the markets of a series, and nothing else. */
  readonly at = () =>
    new Proxy(
      {},
      {
        get: (_, name) =>
          name === 'seriesMarkets' ? (query: SeriesQuery) => this.#ofSeries(query) : notOffered,
      },
    ) as never;
  readonly newestCandle = notOffered;
  readonly history = notOffered;
  /** Token lists of the calls for quotes, in order. */
  readonly quoteCalls: string[][] = [];
  readonly candleCalls: string[] = [];
  /** Feed time; real time unless a test sets it. */
  clock: () => number = () => Date.now();
  isDown = false;
  readonly #infos = new Map<string, InstrumentInfo>();
  readonly #terms = new Map<string, Terms>();
  readonly #candles = new Map<string, Candle[]>();

  constructor() {
    this.list(BTC);
    this.list(YES, {
      venue: 'venue-a',
      kind: 'outcome',
      market: 'KXTEST-26',
      outcome: 'yes',
      tickSize: '0.01',
      stepSize: '1',
      minSize: '1',
      minNotional: null,
    });
  }

  list(tokenId: string, info: Partial<InstrumentInfo> = {}): void {
    this.#infos.set(tokenId, { ...INFO, ...info, tokenId });
    this.#terms.set(tokenId, {});
  }

  delist(tokenId: string): void {
    this.#infos.delete(tokenId);
    this.#terms.delete(tokenId);
  }

  quote(tokenId: string, terms: Terms): void {
    this.#terms.set(tokenId, { ...this.#terms.get(tokenId), ...terms });
  }

  addCandles(symbol: string, interval: string, candles: readonly Candle[]): void {
    const key = `${symbol}@${interval}`;
    this.#candles.set(key, [...(this.#candles.get(key) ?? []), ...candles]);
  }

  now(): number {
    return this.clock();
  }

  async #ofSeries({ series }: SeriesQuery): Promise<InstrumentInfo[]> {
    if (this.isDown) throw VenueError.unavailable('the venue is down');
    return [...this.#infos.values()]
      .filter((info) => info.series === series)
      .map((info) => ({ ...info, status: this.#terms.get(info.tokenId)?.marketStatus ?? info.status }));
  }

  async instrument(tokenId: string): Promise<InstrumentInfo | null> {
    return this.#infos.get(tokenId) ?? null;
  }

  async quotes(tokenIds: readonly string[]): Promise<Quote[]> {
    this.quoteCalls.push([...tokenIds]);
    if (this.isDown) throw VenueError.unavailable('the venue is down');
    return tokenIds.flatMap((tokenId) => {
      const terms = this.#terms.get(tokenId);
      return terms ? [quoteOf(tokenId, terms, this.now())] : [];
    });
  }

  async orderBook(tokenId: string): Promise<OrderBook> {
    return { tokenId, bids: [], asks: [], asOf: new Date(this.now()).toISOString() };
  }

  async closedCandles(
    symbol: string,
    interval: string,
    { limit, endTime = this.now() }: { limit: number; endTime?: number },
  ): Promise<Candle[]> {
    const key = `${symbol}@${interval}`;
    this.candleCalls.push(key);
    const closed = (this.#candles.get(key) ?? []).filter(
      ({ closeTimeMs }) => closeTimeMs < Math.min(endTime, this.now()),
    );
    return closed.slice(-limit);
  }
}

function quoteOf(tokenId: string, terms: Terms, now: number): Quote {
  const status: MarketStatus = terms.marketStatus ?? 'open';
  return {
    tokenId,
    bid: '100',
    bidSize: '1000',
    ask: '101',
    askSize: '1000',
    last: '100.5',
    volume24h: null,
    openInterest: null,
    change24h: null,
    settlementValue: null,
    ...terms,
    asOf: new Date(now).toISOString(),
    marketStatus: status,
  };
}
