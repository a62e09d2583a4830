/** Opens the market data: real venues, or the simulated world that speaks their wire formats. */
import { API_NAMES, APIS, type ApiName, isOfKind, VENUE_IDS } from '../venues/catalogue.ts';
import { type FeedClock, ObservedClock } from '../venues/clock.ts';
import type { OpenOptions } from '../venues/define-driver.ts';
import { VenueError } from '../venues/errors.ts';
import type { HistorySource } from '../venues/history-source.ts';
import { atPriority, type RateLimiter, Upstream } from '../venues/http/upstream.ts';
import { ParseErrorLog, type VenueLog } from '../venues/parse-error-log.ts';
import {
  type AtVenue,
  type Candles,
  type MarketData,
  type Quote,
  type Venue,
  venueOf,
} from '../venues/port.ts';
import type { Api, Limits } from '../venues/records/venue-record.ts';
import type { Trading } from '../venues/trading.ts';
import { DRIVERS } from '../venues/trading-access.ts';
import { type Simulator, startSimulator } from './index.ts';

/** The URL of each API. */
export type BaseUrls = Readonly<Record<ApiName, string>>;

const urlsBy = (urlOf: (api: Api) => string): BaseUrls =>
  Object.fromEntries(API_NAMES.map((api) => [api, urlOf(APIS[api])])) as Record<ApiName, string>;

export const LIVE_URLS = urlsBy(({ url }) => url);

/** The URLs of a simulator. */
export const simulatorUrls = (origin: string): BaseUrls =>
  urlsBy(({ simulatorPath }) => `${origin}${simulatorPath}`);

export type MarketDataOptions = {
  /** `simulator` starts one within this process, unless `simulatorUrl` names one that is already running. */
  mode: 'simulator' | 'live';
  /** URLs that replace the defaults. */
  baseUrls?: Partial<BaseUrls>;
  /** The origin of a running simulator (`http://127.0.0.1:41000`), which several processes can share. */
  simulatorUrl?: string;
  /** For the embedded simulator: another seed is another world. Processes with one seed have one world. */
  seed?: string | number;
  /** For the embedded simulator: world seconds per real second; default 1. */
  speed?: number;
  /** For the embedded simulator: the instant at which world time equals real time, in epoch ms. */
  anchorMs?: number;
  /** Rate limiter of a live host, shared with other processes; by default each process has its own. */
  sharedLimiterFor?: ((host: string, ratePerSec: number) => RateLimiter) | undefined;
  /** Receives records that cannot be parsed. */
  log?: VenueLog;
};

export type OpenedMarketData = MarketData &
  AsyncDisposable & {
    /** The embedded simulator, whose clock and faults tests use; null otherwise. */
    readonly simulator: Simulator | null;
    /** The URL of the simulated venues, embedded or not; null if the venues are real ones. */
    readonly simulatorUrl: string | null;
    close(): Promise<void>;
  };

/** The simulator is ours: we send requests as fast as it answers, through the same code. */
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
      ...(mode === 'live' && {
        sharedLimiter: options.sharedLimiterFor?.(new URL(urls[api]).host, limits.ratePerSec),
      }),
    });
  };
  const shared = { clock, source: mode, parseErrors: new ParseErrorLog(options.log ?? null) };
  const close = async () => embedded?.close();
  return {
    ...combined(openConnectors({ upstream, shared }), clock),
    simulator: embedded,
    simulatorUrl: mode === 'simulator' ? (origin ?? null) : null,
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Connectors = { readonly [V in Venue]: AtVenue<V> & Trading & HistorySource };

const openConnectors = (options: OpenOptions): Connectors =>
  Object.fromEntries(VENUE_IDS.map((venue) => [venue, DRIVERS[venue].open(options)])) as Connectors;

/** Combines the connectors into the port: a call by `tokenId` goes to the venue that the id's form names. */
function combined(connectors: Connectors, clock: FeedClock): MarketData {
  const candlesOf = (tokenId: string): Candles => {
    const venue = venueOf(tokenId);
    if (venue === null || !isOfKind(venue, 'spot')) throw unlisted(tokenId);
    return connectors[venue];
  };
  return {
    at: (venue) => connectors[venue],
    now: () => clock.now(),
    instrument: async (tokenId, { priority = 'view' } = {}) => {
      const venue = venueOf(tokenId);
      if (venue === null) return null;
      try {
        return await atPriority(priority, () => connectors[venue].instrument(tokenId));
      } catch (error) {
        if (error instanceof VenueError && error.kind === 'not_found') return null;
        throw error;
      }
    },
    quotes: async (tokenIds) => {
      const byVenue = Map.groupBy(tokenIds, venueOf);
      const lists = await Promise.all(
        [...byVenue].map(([venue, tokens]) => (venue === null ? [] : connectors[venue].quotes(tokens))),
      );
      const quotes = new Map<string, Quote>(lists.flat().map((quote) => [quote.tokenId, quote]));
      return tokenIds.flatMap((tokenId) => quotes.get(tokenId) ?? []);
    },
    orderBook: async (tokenId) => {
      const venue = venueOf(tokenId);
      if (venue === null) throw unlisted(tokenId);
      return connectors[venue].orderBook(tokenId);
    },
    closedCandles: async (symbol, interval, query) =>
      candlesOf(symbol).closedCandles(symbol, interval, query),
    newestCandle: async (symbol, interval) => candlesOf(symbol).newestCandle(symbol, interval),
    history: (series, span, signal) => {
      const venue = venueOf(series.tokenId);
      if (venue === null) throw unlisted(series.tokenId);
      return connectors[venue].historyPages(series, span, signal);
    },
  };
}

const unlisted = (tokenId: string): VenueError =>
  VenueError.notFound(`no venue has an instrument ${tokenId.slice(0, 100)}`);
