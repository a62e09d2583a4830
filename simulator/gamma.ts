/** Polymarket's Gamma API, as far as the connector requests it. */

import { DAY_MS } from '../venues/time.ts';
import { dayVolume, eventRecord, seriesId, withEvent } from './gamma-records.ts';
import { integer, type MarketRequest, ok, type Reply, type Venue } from './reply.ts';
import { phaseOf, type SimEvent, type SimMarket } from './world/event.ts';
import type { Catalogue } from './world/event-series.ts';
import { findToken } from './world/tokens.ts';

const failure = (status: number, type: string, error: string): Reply => ({ status, body: { type, error } });
const invalid = (error: string) => failure(422, 'validation error', error);
const slugNotFound = () => failure(404, 'not found error', 'slug not found');

const schema = (name: string) => ({ $schema: `https://gamma-api.polymarket.com/schemas/${name}.json` });

/** `order` takes the JSON names; the documented `volume_24hr` is refused. */
const ORDERS: readonly string[] = ['volume24hr', 'volume', 'liquidity', 'endDate', 'startDate', 'id'];
const PAGE_MAX = 100;

export function gammaVenue(catalogue: Catalogue): Venue {
  return (ask) => {
    const [resource, kind, slug] = ask.path.split('/');
    if (resource === 'public-search') return search(catalogue, ask);
    if (resource === 'series') return series(catalogue, ask);
    if (resource !== 'events' && resource !== 'markets') return failure(404, 'not found error', 'not found');
    if (kind === 'slug' && slug !== undefined) return bySlug(catalogue, resource, slug, ask);
    if (kind !== 'keyset') return failure(404, 'not found error', 'not found');
    const problem = problemWith(ask.query);
    if (problem !== null) return invalid(problem);
    return resource === 'events' ? events(catalogue, ask) : markets(catalogue, ask);
  };
}

function problemWith(query: URLSearchParams): string | null {
  const order = query.get('order');
  if (query.has('offset')) return 'offset is not allowed on keyset endpoints';
  if (order !== null && !ORDERS.includes(order)) return 'order fields are not valid';
  if (query.getAll('clob_token_ids').some((id) => !/^\d+$/.test(id))) return 'invalid clob token ids';
  return integer(query, 'limit', [1, 1_000], 20) === null ? 'limit is not valid' : null;
}

function bySlug(
  catalogue: Catalogue,
  resource: 'events' | 'markets',
  slug: string,
  { nowMs }: MarketRequest,
): Reply {
  if (!/^[\w.-]+$/.test(slug)) return invalid('slug is not valid');
  if (resource === 'events') {
    const event = catalogue.event(slug);
    return event === null
      ? slugNotFound()
      : ok({ ...schema('Event'), ...eventRecord(catalogue, event, nowMs) });
  }
  const market = catalogue.market(slug);
  return market === null
    ? slugNotFound()
    : ok({ ...schema('Market'), ...withEvent(catalogue, market, nowMs) });
}

const isListed = (event: SimEvent, nowMs: number, closed: boolean): boolean =>
  nowMs >= event.opensMs && (phaseOf(event, nowMs) === 'settled') === closed;

function events(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const closed = query.get('closed') === 'true';
  const endsFromMs = Date.parse(query.get('end_date_min') ?? '') || 0;
  const ofSeries = query.get('series_id');
  const events =
    ofSeries === null
      ? catalogue.listedAt(nowMs)
      : catalogue.listedSince(endsFromMs || nowMs - DAY_MS, nowMs);
  const listed = events
    .filter((event) => isListed(event, nowMs, closed))
    .filter((event) => event.closesMs >= endsFromMs && [null, seriesId(catalogue, event)].includes(ofSeries))
    .sort((a, b) => dayVolume(b.markets, nowMs) - dayVolume(a.markets, nowMs));
  const { page, next } = paged(listed, query);
  return ok({
    ...schema('EventsKeysetListResponse'),
    events: page.map((event) => eventRecord(catalogue, event, nowMs)),
    ...next,
  });
}

function series(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const found = catalogue.listedAt(nowMs).find((event) => event.series === query.get('slug'));
  return ok(
    found === undefined ? [] : [{ id: seriesId(catalogue, found), slug: found.series, title: found.series }],
  );
}

function markets(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const closed = query.get('closed') === 'true';
  const tokens = query.getAll('clob_token_ids');
  const wanted =
    tokens.length > 0
      ? new Set(tokens.flatMap((token) => findToken(catalogue, token)?.market ?? []))
      : catalogue.listedAt(nowMs).flatMap((event) => event.markets.filter(({ placeholder }) => !placeholder));
  const listed = [...wanted]
    .filter(({ event }) => isListed(event, nowMs, closed))
    .sort((a, b) => dayVolume([b], nowMs) - dayVolume([a], nowMs));
  const { page, next } = paged(listed, query);
  return ok({
    ...schema('MarketsKeysetListResponse'),
    markets: page.map((market) => withEvent(catalogue, market, nowMs)),
    ...next,
  });
}

/** A page of at most 100. `next_cursor` exists only if more follow; the caller sends it back as `after_cursor`. */
function paged<T>(
  items: readonly T[],
  query: URLSearchParams,
): { page: T[]; next: { next_cursor?: string } } {
  const limit = Math.min(PAGE_MAX, integer(query, 'limit', [1, 1_000], 20) ?? 20);
  const start = Number(Buffer.from(query.get('after_cursor') ?? '', 'base64').toString()) || 0;
  const end = start + limit;
  const more = end < items.length;
  const next = more ? { next_cursor: Buffer.from(String(end)).toString('base64') } : {};
  return { page: items.slice(start, end), next };
}

/** Fuzzy: finds an event that holds at least one of the words; more matching words rank higher. */
function search(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return invalid('q is required');
  const limit = integer(query, 'limit_per_type', [1, 100], 10) ?? 10;
  const found = catalogue
    .listedAt(nowMs)
    .filter((event) => isListed(event, nowMs, false))
    .map((event) => ({ event, hits: hitsOf(event, words) }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits || dayVolume(b.event.markets, nowMs) - dayVolume(a.event.markets, nowMs));
  const records = found.slice(0, limit).map(({ event }) => eventRecord(catalogue, event, nowMs));
  return ok({
    events: records.length === 0 ? null : records,
    pagination: { hasMore: found.length > limit, totalResults: found.length },
  });
}

function hitsOf(event: SimEvent, words: readonly string[]): number {
  const text = [event.title, event.id, ...event.markets.map(nameOf)].join(' ').toLowerCase();
  return words.filter((word) => text.includes(word)).length;
}

const nameOf = ({ title, label, outcomes }: SimMarket): string => `${title} ${label} ${outcomes.join(' ')}`;
