/** The environments to check without real money, and their public endpoints. */
import { z } from 'zod';
import type { Venue } from '../../../db/vocabulary.ts';
import type { BaseUrls } from '../../../simulator/market-data.ts';
import { hostsOf } from '../../../venues/binance/trading/hosts.ts';
import { HOSTS, simulatedHosts } from '../../../venues/kalshi/trading/calls.ts';
import { BASE_PATH } from '../../../venues/kalshi/trading/sign.ts';
import { demoHosts, LIVE_HOSTS } from '../../../venues/polymarket/trading/private-api.ts';

export type PublicEndpoint = { readonly what: string; readonly url: string; readonly answer: z.ZodType };

export type CheckTarget = {
  readonly venue: Venue;
  /** Null: the venue has no environment without real money, so only public endpoints are checked. */
  readonly environment: 'demo' | 'testnet' | null;
  readonly host: string;
  readonly time: {
    readonly url: string;
    /** Reads epoch ms from the venue's answer; null if it has none. */
    readonly read: (body: unknown, headers: Headers) => number | null;
    /** The mean rounding of the venue's clock: one that states whole seconds is on average half a second ahead. */
    readonly cutMs: number;
  };
  readonly questions: readonly PublicEndpoint[];
  /** For measuring orders: the source of prices, and the instruments listed there; null if nothing is measured. */
  readonly listing: { readonly urls: Partial<BaseUrls>; readonly tokens: Listing } | null;
};

/** Ids of instruments: as constants, or read from an answer. */
export type Listing =
  | readonly string[]
  | { readonly url: string; readonly read: (body: unknown) => string[] };

const OpenMarkets = z.object({ markets: z.array(z.object({ ticker: z.string() })) });

const ofDate = (_body: unknown, headers: Headers): number | null => {
  const ms = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? null : ms;
};
const ofSeconds = (body: unknown): number | null => {
  const parsed = z.coerce.number().int().positive().safeParse(body);
  return parsed.success ? parsed.data * 1_000 : null;
};
const ofServerTime = (body: unknown): number | null =>
  z.object({ serverTime: z.int() }).safeParse(body).data?.serverTime ?? null;

const WHOLE_SECONDS = 500;

/** Returns the venues, or with `simulatorUrl` the simulated ones. No environment here is one where orders cost money. */
export const checkTargets = (simulatorUrl: string | null): CheckTarget[] => [
  venueA(simulatorUrl === null ? HOSTS.demo.rest : simulatedHosts(simulatorUrl, 'demo').rest),
  venueB(simulatorUrl),
  crypto(simulatorUrl),
];

function venueA(rest: string): CheckTarget {
  const base = `${rest}${BASE_PATH}`;
  return {
    venue: 'venue-a',
    environment: 'demo',
    host: rest,
    time: { url: `${base}/exchange/status`, read: ofDate, cutMs: WHOLE_SECONDS },
    questions: [
      {
        what: 'whether it trades',
        url: `${base}/exchange/status`,
        answer: z.object({ exchange_active: z.boolean(), trading_active: z.boolean() }),
      },
      {
        what: 'how old its reads are',
        url: `${base}/exchange/user_data_timestamp`,
        answer: z.object({ as_of_time: z.string() }),
      },
    ],
    listing: {
      urls: { kalshi: base },
      tokens: {
        url: `${base}/markets?status=open&limit=100`,
        read: (body) => OpenMarkets.parse(body).markets.map(({ ticker }) => `${ticker}:yes`),
      },
    },
  };
}

/** The venue has no demo: only public endpoints of the real one are checked. */
function venueB(simulatorUrl: string | null): CheckTarget {
  const { clob, site } = simulatorUrl === null ? LIVE_HOSTS : demoHosts(simulatorUrl);
  return {
    venue: 'venue-b',
    environment: simulatorUrl === null ? null : 'demo',
    host: clob,
    time: { url: `${clob}/time`, read: ofSeconds, cutMs: WHOLE_SECONDS },
    questions: [
      {
        what: 'its version of orders',
        url: `${clob}/version`,
        answer: z.object({ version: z.literal(2) }),
      },
      {
        what: 'whether it accepts this region',
        url: `${site}/api/geoblock`,
        answer: z.object({ blocked: z.literal(false, { error: 'the region is blocked' }) }),
      },
    ],
    listing: null,
  };
}

function crypto(simulatorUrl: string | null): CheckTarget {
  const environment = simulatorUrl === null ? 'testnet' : 'demo';
  const { api } = hostsOf(environment, simulatorUrl);
  return {
    venue: 'crypto',
    environment,
    host: api.replace(/\/$/, ''),
    time: { url: `${api}api/v3/time`, read: ofServerTime, cutMs: 0 },
    questions: [
      {
        what: 'what it trades',
        url: `${api}api/v3/exchangeInfo?symbol=BTCUSDT`,
        answer: z.object({ symbols: z.array(z.object({ status: z.literal('TRADING') })).min(1) }),
      },
    ],
    listing: { urls: { binance: api.replace(/\/$/, '') }, tokens: ['BTCUSDT'] },
  };
}
