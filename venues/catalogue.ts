/**
 * The venues, each stated once. Lists, types, addresses, limits, the feeds' locks, settings, help texts and the console's names
 * derive from here. `simulator/market-data.ts` opens the connectors.
 */
import { type InstrumentKind, VENUE_IDS, type Venue } from '../db/vocabulary.ts';
import {
  type HistoryAvailability,
  type HistorySeriesKey,
  KALSHI_CANDLES_PER_REQUEST,
  KLINE_INTERVALS,
  KLINES_PER_REQUEST,
  POLYMARKET_POINTS_PER_REQUEST,
  POLYMARKET_WINDOW_MS,
} from './history-source.ts';
import type { UpstreamOptions } from './http/upstream.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/** The rate limits of a venue for a client without an account. */
export type Limits = Pick<UpstreamOptions, 'ratePerSec' | 'concurrency' | 'weight'>;

/** One host of a venue's market data. */
export type Api = {
  /** Its name in errors. */
  readonly name: string;
  /** Its URL, unless the setting replaces it. */
  readonly url: string;
  /** Its path below the origin of a simulator. */
  readonly simulatorPath: string;
  /** Its host name in the operators' documents. */
  readonly host: string;
  /** The setting that replaces the URL. */
  readonly setting: string;
  readonly limits: Limits;
};

/** The form of a venue's instrument ids. No id may have the form of two venues. */
export type TokenForm = {
  readonly pattern: RegExp;
  /** For people: its subject, its shape and an example. */
  readonly what: string;
  readonly shape: string;
  readonly example: string;
};

export type VenueRecord = {
  readonly title: string;
  /** The kind of all its instruments. */
  readonly kind: InstrumentKind;
  readonly token: TokenForm;
  /** The advisory lock of the one process that polls the venue. Never reused, not even after the venue is removed. */
  readonly feedLock: number;
  readonly apis: Readonly<Record<string, Api>>;
  readonly clearing: Clearing;
  /** The source name in a history: stored with the rows from there, so it never changes. */
  readonly source: string;
  /** The series available for every instrument, finest first. */
  readonly past: readonly HistoryAvailability[];
};

/** How a venue holds its members' positions. */
export type Clearing = {
  /** Yes and no of a market are one position, long or short: a pair of both is paid out at once. */
  readonly netsOutcomes: boolean;
  /** The value of a settled position is paid only when its owner redeems it. */
  readonly paysOnRedemption: boolean;
  /** How long its list of positions may lag behind its trades, ms. */
  readonly positionsLagMs: number;
  /** The share of a common address' rate that one read of holdings and money uses, ms; 0 if each member has its own rate. */
  readonly booksEveryMs: number;
};

const midpoints = (resolutionMs: number, lookbackMs: number | null): HistoryAvailability => ({
  kind: 'midpoint',
  resolutionMs,
  lookbackMs,
  rowsPerRequest: Math.min(POLYMARKET_POINTS_PER_REQUEST, POLYMARKET_WINDOW_MS / resolutionMs),
});

/** Kalshi's limits are measured; those of the others are documented, and used with a wide margin. */
export const VENUES = {
  'venue-a': {
    title: 'Venue A',
    kind: 'outcome',
    token: {
      pattern: /^[A-Z0-9][A-Z0-9.-]{0,99}:(yes|no)$/,
      what: 'a venue A ticker with its side',
      shape: 'TICKER:yes',
      example: 'KXBTC-26DEC31:yes',
    },
    source: 'kalshi',
    past: [MINUTE_MS, HOUR_MS, DAY_MS].map((resolutionMs) => ({
      kind: 'bid_ask',
      resolutionMs,
      lookbackMs: null,
      rowsPerRequest: KALSHI_CANDLES_PER_REQUEST,
    })),
    feedLock: 1,
    clearing: { netsOutcomes: true, paysOnRedemption: false, positionsLagMs: 30_000, booksEveryMs: 0 },
    apis: {
      kalshi: {
        name: 'venue A',
        url: 'https://external-api.kalshi.com/trade-api/v2',
        simulatorPath: '/kalshi/trade-api/v2',
        host: 'Kalshi',
        setting: 'KALSHI_URL',
        limits: { ratePerSec: 3, concurrency: 2 },
      },
      kalshiSearch: {
        name: 'venue A search',
        url: 'https://api.elections.kalshi.com/v1',
        simulatorPath: '/kalshi/v1',
        host: 'the search of Kalshi',
        setting: 'KALSHI_SEARCH_URL',
        limits: { ratePerSec: 3, concurrency: 2 },
      },
    },
  },
  'venue-b': {
    title: 'Venue B',
    kind: 'outcome',
    token: {
      pattern: /^[1-9][0-9]{4,77}$/,
      what: 'a venue B token id',
      shape: 'digits',
      example: 'digits only',
    },
    source: 'polymarket',
    // The venue drops fine points with time. These are its own minimum spans.
    past: [
      midpoints(MINUTE_MS, 7 * DAY_MS),
      midpoints(5 * MINUTE_MS, 60 * DAY_MS),
      midpoints(30 * MINUTE_MS, 90 * DAY_MS),
      midpoints(3 * HOUR_MS, null),
      midpoints(12 * HOUR_MS, null),
    ],
    feedLock: 2,
    clearing: { netsOutcomes: false, paysOnRedemption: true, positionsLagMs: 300_000, booksEveryMs: 0 },
    apis: {
      gamma: {
        name: 'venue B',
        url: 'https://gamma-api.polymarket.com',
        simulatorPath: '/gamma',
        host: 'the listings of Polymarket',
        setting: 'GAMMA_URL',
        limits: { ratePerSec: 20, concurrency: 8 },
      },
      clob: {
        name: 'venue B order books',
        url: 'https://clob.polymarket.com',
        simulatorPath: '/clob',
        host: 'the order books of Polymarket',
        setting: 'CLOB_URL',
        limits: { ratePerSec: 50, concurrency: 8 },
      },
      polymarketData: {
        name: 'venue B history',
        url: 'https://data-api.polymarket.com',
        simulatorPath: '/data',
        host: 'the price histories of Polymarket',
        setting: 'POLYMARKET_DATA_URL',
        limits: { ratePerSec: 10, concurrency: 4 },
      },
    },
  },
  crypto: {
    title: 'Crypto',
    kind: 'spot',
    token: {
      pattern: /^(?=.*[A-Z])[A-Z0-9]{5,20}$/,
      what: 'a crypto symbol',
      shape: 'BTCUSDT',
      example: 'BTCUSDT',
    },
    source: 'binance',
    past: Object.values(KLINE_INTERVALS).map((resolutionMs) => ({
      kind: 'candle',
      resolutionMs,
      lookbackMs: null,
      rowsPerRequest: KLINES_PER_REQUEST,
    })),
    feedLock: 3,
    clearing: { netsOutcomes: false, paysOnRedemption: false, positionsLagMs: 30_000, booksEveryMs: 1_600 },
    apis: {
      binance: {
        name: 'crypto',
        url: 'https://data-api.binance.vision',
        simulatorPath: '/binance',
        host: 'Binance',
        setting: 'BINANCE_URL',
        limits: {
          ratePerSec: 20,
          concurrency: 8,
          weight: { header: 'x-mbx-used-weight-1m', softCap: 1_000 },
        },
      },
    },
  },
} as const satisfies Record<Venue, VenueRecord>;

type Venues = typeof VENUES;

/** The venues that list instruments of this kind. */
export type VenueOfKind<Kind extends InstrumentKind> = {
  [V in Venue]: Venues[V]['kind'] extends Kind ? V : never;
}[Venue];

export type ApiName = { [V in Venue]: keyof Venues[V]['apis'] }[Venue];

/** The settings that replace URLs. */
export type UrlSetting = {
  [V in Venue]: {
    [A in keyof Venues[V]['apis']]: Venues[V]['apis'][A] extends { setting: infer S } ? S : never;
  }[keyof Venues[V]['apis']];
}[Venue];

/** Every host of every venue. */
export const APIS = Object.assign({}, ...VENUE_IDS.map((venue) => VENUES[venue].apis)) as Record<
  ApiName,
  Api & { readonly setting: UrlSetting }
>;

export const API_NAMES = Object.keys(APIS) as ApiName[];

export const isOfKind = <Kind extends InstrumentKind>(venue: Venue, kind: Kind): venue is VenueOfKind<Kind> =>
  VENUES[venue].kind === kind;

export const venuesOfKind = <Kind extends InstrumentKind>(kind: Kind): VenueOfKind<Kind>[] =>
  VENUE_IDS.filter((venue) => isOfKind(venue, kind));

/** The venue of a `tokenId` by its form alone, or null if no form matches. Pure. */
export const venueOf = (tokenId: string): Venue | null =>
  VENUE_IDS.find((venue) => VENUES[venue].token.pattern.test(tokenId)) ?? null;

/** The kind of a `tokenId` by its form alone, or null. The record of a known instrument states its kind itself. Pure. */
export function kindOf(tokenId: string): InstrumentKind | null {
  const venue = venueOf(tokenId);
  return venue && VENUES[venue].kind;
}

/** The other side of the market at a venue that nets both at once, so that no account holds both; else null. Pure. */
export function otherSideOf(venue: Venue, tokenId: string): string | null {
  if (!VENUES[venue].clearing.netsOutcomes) return null;
  const [market, outcome] = tokenId.split(':');
  return `${market}:${outcome === 'yes' ? 'no' : 'yes'}`;
}

/** Venues that net yes and no of a market: live buys of the second side are refused there. */
export const NETTING_VENUES: readonly Venue[] = VENUE_IDS.filter(
  (venue) => VENUES[venue].clearing.netsOutcomes,
);

/** The series that a venue has of every instrument, finest first. */
export const pastOf = (venue: Venue): readonly HistoryAvailability[] => VENUES[venue].past;

/** A venue's terms of a series, or null if it has no such series. */
export const pastTermsOf = (
  venue: Venue,
  { kind, resolutionMs }: Pick<HistorySeriesKey, 'kind' | 'resolutionMs'>,
): HistoryAvailability | null =>
  pastOf(venue).find((terms) => terms.kind === kind && terms.resolutionMs === resolutionMs) ?? null;

/** The venue and kind fields of an instrument. */
export const listedAt = (venue: Venue): { venue: Venue; kind: InstrumentKind } => ({
  venue,
  kind: VENUES[venue].kind,
});
