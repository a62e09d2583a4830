/** Opens the market data: real venues, or the simulated world that speaks their wire formats. */
import { Binance } from './binance/index.ts';
import { API_NAMES, APIS, type Api, type ApiName, type Limits } from './catalogue.ts';
import { type FeedClock, ObservedClock } from './clock.ts';
import { Complaints, type VenueLog } from './complaints.ts';
import { VenueError } from './errors.ts';
import { atPriority, Upstream } from './http.ts';
import { Kalshi } from './kalshi/index.ts';
import { Polymarket } from './polymarket/index.ts';
import { type MarketData, type Quote, type Venue, venueOf } from './port.ts';
import { type Simulator, startSimulator } from './simulator/index.ts';
import type { Trading } from './trading.ts';

export * from './port.ts';
export type { Fault, Simulator } from './simulator/index.ts';
export { startSimulator, TICK_MS } from './simulator/index.ts';

/** Where each API is. */
export type BaseUrls = Readonly<Record<ApiName, string>>;

const urlsBy = (urlOf: (api: Api) => string): BaseUrls =>
  Object.fromEntries(API_NAMES.map((api) => [api, urlOf(APIS[api])])) as Record<ApiName, string>;

export const LIVE_URLS = urlsBy(({ url }) => url);

/** The addresses of a simulator. */
export const simulatorUrls = (origin: string): BaseUrls =>
  urlsBy(({ simulatorPath }) => `${origin}${simulatorPath}`);

export interface MarketDataOptions {
  /** `simulator` starts one within this process, unless `simulatorUrl` names one that runs. */
  mode: 'simulator' | 'live';
  /** Addresses other than the usual ones. */
  baseUrls?: Partial<BaseUrls>;
  /** The origin of a running simulator (`http://127.0.0.1:41000`), which processes then share. */
  simulatorUrl?: string;
  /** Of the embedded simulator: another seed is another world. Processes with one seed have one world. */
  seed?: string | number;
  /** Of the embedded simulator: world seconds per real second; default 1. */
  speed?: number;
  /** Of the embedded simulator: where world time and real time meet, in epoch ms. */
  anchorMs?: number;
  /** Hears of records that cannot be read. */
  log?: VenueLog;
}

export interface OpenedMarketData extends MarketData, AsyncDisposable {
  /** The embedded simulator, whose clock and faults tests use; null otherwise. */
  readonly simulator: Simulator | null;
  close(): Promise<void>;
}

/** The simulator is ours: it is asked as fast as it answers, by the same code. */
const SIMULATOR_LIMITS: Limits = { ratePerSec: 2_000, concurrency: 6 };

export async function openMarketData(options: MarketDataOptions): Promise<OpenedMarketData> {
  const { mode, simulatorUrl } = options;
  const embedded = mode === 'simulator' && simulatorUrl === undefined ? await startSimulator(options) : null;
  const origin = embedded?.url ?? simulatorUrl;
  const usual = mode === 'live' || origin === undefined ? LIVE_URLS : simulatorUrls(origin);
  const urls = { ...usual, ...options.baseUrls };
  const clock: FeedClock = embedded?.clock ?? new ObservedClock();
  const upstream = (api: ApiName) => {
    const { name, limits } = APIS[api];
    return new Upstream({
      name,
      baseUrl: urls[api],
      clock,
      ...(mode === 'live' ? limits : SIMULATOR_LIMITS),
    });
  };
  const shared = { clock, source: mode, complaints: new Complaints(options.log ?? null) };
  const kalshi = new Kalshi({ api: upstream('kalshi'), search: upstream('kalshiSearch'), ...shared });
  const polymarket = new Polymarket({ gamma: upstream('gamma'), clob: upstream('clob'), ...shared });
  const binance = new Binance({ api: upstream('binance'), ...shared });
  const close = async () => embedded?.close();
  return {
    ...combined(kalshi, polymarket, binance, clock),
    simulator: embedded,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The port over the three connectors: calls by `tokenId` go to the venue that its form names. */
function combined(kalshi: Kalshi, polymarket: Polymarket, binance: Binance, clock: FeedClock): MarketData {
  const tradingAt: Record<Venue, Trading> = { 'venue-a': kalshi, 'venue-b': polymarket, crypto: binance };
  return {
    venueA: kalshi,
    venueB: polymarket,
    crypto: binance,
    now: () => clock.now(),
    instrument: async (tokenId, { priority = 'view' } = {}) => {
      const venue = venueOf(tokenId);
      if (venue === null) return null;
      try {
        return await atPriority(priority, () => tradingAt[venue].instrument(tokenId));
      } catch (error) {
        if (error instanceof VenueError && error.kind === 'not_found') return null;
        throw error;
      }
    },
    quotes: async (tokenIds) => {
      const byVenue = Map.groupBy(tokenIds, venueOf);
      const lists = await Promise.all(
        [...byVenue].map(([venue, tokens]) => (venue === null ? [] : tradingAt[venue].quotes(tokens))),
      );
      const quotes = new Map<string, Quote>(lists.flat().map((quote) => [quote.tokenId, quote]));
      return tokenIds.flatMap((tokenId) => quotes.get(tokenId) ?? []);
    },
    orderBook: async (tokenId) => {
      const venue = venueOf(tokenId);
      if (venue === null) throw VenueError.notFound(`no venue has an instrument ${tokenId.slice(0, 100)}`);
      return tradingAt[venue].orderBook(tokenId);
    },
    closedCandles: (symbol, interval, query) => binance.closedCandles(symbol, interval, query),
  };
}
