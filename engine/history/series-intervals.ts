/** Finds the series for an instrument and an interval in words. Pure. */
import {
  type HistoryAvailability,
  pastOf,
  pastTermsOf,
  VENUES,
  type Venue,
  venueOf,
} from '../../venues/port.ts';
import type { Range } from './ranges.ts';
import type { SeriesKey } from './series.ts';

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const WORD = /^(\d{1,2})([smhd])$/;

/** Parses `1m` to ms; null for other words. */
export function resolutionOf(word: string): number | null {
  const [, count, unit] = WORD.exec(word) ?? [];
  return unit === undefined ? null : Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** Formats 60,000 as `1m`: in the largest unit that divides it. */
export function intervalName(resolutionMs: number): string {
  const [unit, unitMs] =
    Object.entries(UNITS_MS).findLast(([, ms]) => resolutionMs % ms === 0) ?? (['s', UNITS_MS.s] as const);
  return `${resolutionMs / unitMs}${unit}`;
}

/** Returns the intervals that a venue offers, in words. */
export const intervalsOf = (venue: Venue): string[] =>
  pastOf(venue).map(({ resolutionMs }) => intervalName(resolutionMs));

/** Returns the series of an instrument, or null if its venue has none of that interval. */
export function seriesOf(tokenId: string, interval: string): SeriesKey | null {
  const venue = venueOf(tokenId);
  const resolutionMs = resolutionOf(interval);
  const terms = venue === null ? undefined : pastOf(venue).find((one) => one.resolutionMs === resolutionMs);
  return venue === null || terms === undefined
    ? null
    : { venue, tokenId, kind: terms.kind, resolutionMs: terms.resolutionMs };
}

/** Requests needed, and how long they take at half of the venue's rate limit. */
export type ImportEffort = { readonly requests: number; readonly seconds: number };

export function importEffortOf(key: SeriesKey, missing: readonly Range[]): ImportEffort {
  const terms = pastTermsOf(key.venue, key);
  if (terms === null) return { requests: 0, seconds: 0 };
  const requests = missing.reduce(
    (sum, { fromMs, toMs }) => sum + Math.ceil((toMs - fromMs) / key.resolutionMs / terms.rowsPerRequest),
    0,
  );
  return { requests, seconds: Math.ceil(requests / requestsPerSec(key.venue)) };
}

/** Returns the lowest rate limit among the hosts from which a venue's history is fetched. */
function requestsPerSec(venue: Venue): number {
  const limits = Object.values(VENUES[venue].apis).map(({ limits: { ratePerSec, ...more } }) =>
    'weight' in more ? Math.min(ratePerSec, more.weight.softCap / 60 / KLINES_WEIGHT) : ratePerSec,
  );
  return Math.min(...limits) / 2;
}

/** Request weight of a page of candles at Binance. */
const KLINES_WEIGHT = 2;

/** Returns coarser series of the same instrument that begin earlier, the finest first. */
export const coarserThan = (terms: HistoryAvailability, venue: Venue): HistoryAvailability[] =>
  pastOf(venue).filter(
    ({ resolutionMs, lookbackMs }) =>
      resolutionMs > terms.resolutionMs && (lookbackMs === null || lookbackMs > (terms.lookbackMs ?? 0)),
  );
