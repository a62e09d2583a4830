/** Polymarket's data API: price histories, for each resolution as far back as the venue stores it. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../venues/time.ts';
import { integer, type MarketRequest, ok, type Reply, type Venue } from './reply.ts';
import { middleOf, type SimMarket } from './world/event.ts';
import type { Catalogue } from './world/event-series.ts';
import { findToken } from './world/tokens.ts';

/** How far back each resolution reaches; the coarse ones reach the beginning. */
const RETENTION_MS = new Map([
  [MINUTE_MS, 7 * DAY_MS],
  [5 * MINUTE_MS, 60 * DAY_MS],
  [30 * MINUTE_MS, 90 * DAY_MS],
  [3 * HOUR_MS, Number.POSITIVE_INFINITY],
  [12 * HOUR_MS, Number.POSITIVE_INFINITY],
]);
const WINDOW_MAX_MS = 15 * DAY_MS;
const PAGE_MAX = 10_000;

const refused = (error: string): Reply => ({
  status: 400,
  body: { code: 'invalid_request', error, retryable: false, trace_id: 'simulated' },
});

export function priceHistoryVenue(catalogue: Catalogue): Venue {
  return (ask) => (ask.path === 'v2/prices-history' ? pricesPage(catalogue, ask) : { status: 404, body: {} });
}

function pricesPage(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const bounds = [1, 99_999_999_999] as const;
  const startMs = (integer(query, 'start', bounds, 0) ?? 0) * SECOND_MS;
  const endMs = (integer(query, 'end', bounds, Math.floor(nowMs / SECOND_MS)) ?? 0) * SECOND_MS;
  const bucketMs = (integer(query, 'bucket_seconds', [1, 86_400], 60) ?? 0) * SECOND_MS;
  const limit = integer(query, 'limit', [1, PAGE_MAX], PAGE_MAX);
  const retentionMs = RETENTION_MS.get(bucketMs);
  if (startMs === 0 || endMs <= startMs || limit === null) return refused("'start' and 'end' are required");
  if (endMs - startMs > WINDOW_MAX_MS) return refused("'start' and 'end' are too far apart");
  if (retentionMs === undefined) return refused("'bucket_seconds' is not valid");
  const found = findToken(catalogue, query.get('token_id') ?? '');
  if (found === null) return ok({ data: null, pagination: null });
  const { market, outcome } = found;
  const times = timesOf(market, Math.max(startMs, nowMs - retentionMs), Math.min(endMs, nowMs), bucketMs);
  const from = Number(query.get('cursor') ?? 0) || 0;
  const page = times.slice(from, from + limit);
  const next = from + limit < times.length ? String(from + limit) : null;
  return ok({
    data: page.map((timeMs) => {
      const middle = middleOf(market, timeMs);
      return {
        timestamp: timeMs / SECOND_MS,
        price: Number((outcome === 0 ? middle : 1 - middle).toFixed(4)),
        resolution_seconds: bucketMs / SECOND_MS,
      };
    }),
    pagination: { limit, offset: from, has_more: next !== null, next_cursor: next },
  });
}

/** Ends of buckets in which the market traded. */
function timesOf({ event }: SimMarket, fromMs: number, endMs: number, bucketMs: number): number[] {
  const firstMs = Math.max(fromMs, event.opensMs);
  const lastMs = Math.min(endMs - SECOND_MS, event.closesMs);
  const times: number[] = [];
  for (let at = Math.ceil(firstMs / bucketMs) * bucketMs; at <= lastMs; at += bucketMs) times.push(at);
  return times;
}
