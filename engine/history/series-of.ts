/** Which series callers mean by an instrument and a length in words. Pure. */
import { type PastTerms, pastOf, pastTermsOf, VENUES, type Venue, venueOf } from '../../venues/port.ts';
import type { Range } from './ranges.ts';
import type { SeriesKey } from './series.ts';

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const WORD = /^(\d{1,2})([smhd])$/;

/** `1m` in ms; null where it is no length. */
export function resolutionOf(word: string): number | null {
  const [, count, unit] = WORD.exec(word) ?? [];
  return unit === undefined ? null : Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** 60,000 as `1m`: in the largest unit that divides it. */
export function intervalName(resolutionMs: number): string {
  const [unit, unitMs] =
    Object.entries(UNITS_MS).findLast(([, ms]) => resolutionMs % ms === 0) ?? (['s', UNITS_MS.s] as const);
  return `${resolutionMs / unitMs}${unit}`;
}

/** The lengths that a venue has, in words. */
export const intervalsOf = (venue: Venue): string[] =>
  pastOf(venue).map(({ resolutionMs }) => intervalName(resolutionMs));

/** The series of an instrument, or null where its venue has none of that length. */
export function seriesOf(tokenId: string, interval: string): SeriesKey | null {
  const venue = venueOf(tokenId);
  const resolutionMs = resolutionOf(interval);
  const terms = venue === null ? undefined : pastOf(venue).find((one) => one.resolutionMs === resolutionMs);
  return venue === null || terms === undefined
    ? null
    : { venue, tokenId, kind: terms.kind, resolutionMs: terms.resolutionMs };
}

/** What is to be asked, and how long that takes at half of what the venue allows. */
export type Effort = { readonly requests: number; readonly seconds: number };

export function effortOf(key: SeriesKey, missing: readonly Range[]): Effort {
  const terms = pastTermsOf(key.venue, key);
  if (terms === null) return { requests: 0, seconds: 0 };
  const requests = missing.reduce(
    (sum, { fromMs, toMs }) => sum + Math.ceil((toMs - fromMs) / key.resolutionMs / terms.rowsPerRequest),
    0,
  );
  return { requests, seconds: Math.ceil(requests / requestsPerSec(key.venue)) };
}

/** Of the host with the lowest limit that a history of the venue comes from. */
function requestsPerSec(venue: Venue): number {
  const limits = Object.values(VENUES[venue].apis).map(({ limits: { ratePerSec, ...more } }) =>
    'weight' in more ? Math.min(ratePerSec, more.weight.softCap / 60 / KLINES_WEIGHT) : ratePerSec,
  );
  return Math.min(...limits) / 2;
}

/** What a page of candles counts at Binance. */
const KLINES_WEIGHT = 2;

/** Coarser series of the same instrument that reach further back, the finest first. */
export const coarserThan = (terms: PastTerms, venue: Venue): PastTerms[] =>
  pastOf(venue).filter(
    ({ resolutionMs, reachesMs }) =>
      resolutionMs > terms.resolutionMs && (reachesMs === null || reachesMs > (terms.reachesMs ?? 0)),
  );
