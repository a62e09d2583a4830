/** Kalshi's trade API v2 and v1 search, as far as the connector requests them. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../venues/time.ts';
import {
  bookRecord,
  candleRecord,
  eventRecord,
  feeTypeOf,
  marketRecord,
  searchRecord,
} from './kalshi-records.ts';
import { integer, type MarketRequest, ok, type Reply, type Venue } from './reply.ts';
import { phaseOf, type SimEvent, type SimMarket, volumeBetween } from './world/event.ts';
import type { Catalogue } from './world/event-series.ts';

/** A market that settled longer ago than this is in the archive only. */
const ARCHIVED_AFTER_MS = 90 * DAY_MS;
const CANDLES_MAX = 10_000;
const PERIODS_MIN = [1, 60, 1440];

const failure = (status: number, code: string, details?: string): Reply => ({
  status,
  body: { error: { code, message: code.replaceAll('_', ' '), ...(details !== undefined && { details }) } },
});
const notFound = () => failure(404, 'not_found');
const invalid = (details: string) => failure(400, 'bad_request', details);

export function kalshiVenue(catalogue: Catalogue): Venue {
  return (ask) => {
    const [version, ...segments] = ask.path.split('/');
    if (version === 'v1') return segments.join('/') === 'search/series' ? search(catalogue, ask) : notFound();
    if (version !== 'trade-api' || segments.shift() !== 'v2') return notFound();
    const [resource, id = '', part = ''] = segments;
    if (resource === 'historical') return historical(catalogue, segments, ask);
    if (resource === 'series') return series(catalogue, id, ask.nowMs);
    if (resource === 'events') return id === '' ? events(catalogue, ask) : event(catalogue, id, ask);
    if (resource !== 'markets') return notFound();
    if (id === '') return markets(catalogue, ask);
    if (id === 'candlesticks') return batchCandles(catalogue, ask);
    const market = catalogue.market(id);
    if (market === null || isArchived(market, ask.nowMs)) return notFound();
    if (part === '') return ok({ market: marketRecord(market, ask.nowMs) });
    const depth = integer(ask.query, 'depth', [0, 100], 0);
    if (part !== 'orderbook') return notFound();
    return depth === null ? invalid('invalid depth') : ok(bookRecord(market, depth, ask.nowMs));
  };
}

const isArchived = ({ event }: SimMarket, nowMs: number): boolean =>
  nowMs >= event.closesMs + event.settlesAfterMs + ARCHIVED_AFTER_MS;

/** Filters use other words for statuses than records do; a record's word is refused. */
const FILTERS: readonly string[] = ['unopened', 'open', 'paused', 'closed', 'settled'];

function markets(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const status = query.get('status');
  if (status !== null && !FILTERS.includes(status)) return invalid('invalid status filter');
  const limit = integer(query, 'limit', [1, 1_000], 100);
  if (limit === null) return invalid('invalid limit');
  const tickers = query.get('tickers')?.split(',') ?? null;
  const closesFrom = integer(query, 'min_close_ts', [0, 99_999_999_999], 0);
  if (closesFrom === null) return invalid('invalid min_close_ts');
  const events =
    closesFrom === 0 ? catalogue.listedAt(nowMs) : catalogue.listedSince(closesFrom * SECOND_MS, nowMs);
  const listed = tickers === null ? events.flatMap((item) => item.markets) : known(catalogue, tickers);
  const matching = listed.filter(
    (market) =>
      !isArchived(market, nowMs) &&
      market.event.closesMs >= closesFrom * SECOND_MS &&
      (status === null || phaseOf(market.event, nowMs) === status) &&
      [null, market.event.id].includes(query.get('event_ticker')) &&
      [null, market.event.series].includes(query.get('series_ticker')),
  );
  const { page, cursor } = paged(matching, query, limit);
  return ok({ markets: page.map((market) => marketRecord(market, nowMs)), cursor });
}

const known = (catalogue: Catalogue, tickers: readonly string[]): SimMarket[] =>
  tickers.flatMap((ticker) => catalogue.market(ticker) ?? []);

function events(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const limit = integer(query, 'limit', [1, 200], 200);
  if (limit === null) return invalid('invalid limit');
  const status = query.get('status');
  if (status !== null && !FILTERS.includes(status)) return invalid('invalid status filter');
  const tickers = query.get('tickers')?.split(',') ?? null;
  const listed =
    tickers === null ? catalogue.listedAt(nowMs) : tickers.flatMap((ticker) => catalogue.event(ticker) ?? []);
  const matching = listed.filter((item) => status === null || phaseOf(item, nowMs) === status);
  const { page, cursor } = paged(matching, query, limit);
  const nested = query.get('with_nested_markets') === 'true';
  return ok({ events: page.map((item) => eventRecord(item, nested, nowMs)), cursor });
}

/** Nested: the markets are inside the event and the list beside it is empty. Otherwise the reverse. */
function event(catalogue: Catalogue, id: string, { query, nowMs }: MarketRequest): Reply {
  const found = catalogue.event(id);
  if (found === null) return notFound();
  const nested = query.get('with_nested_markets') === 'true';
  const beside = nested ? [] : found.markets.map((market) => marketRecord(market, nowMs));
  return ok({ event: eventRecord(found, nested, nowMs), markets: beside });
}

function series(catalogue: Catalogue, ticker: string, nowMs: number): Reply {
  const found = catalogue.listedAt(nowMs).find((item) => item.series === ticker);
  if (found === undefined) return notFound();
  return ok({
    series: {
      ticker,
      title: found.title,
      category: found.category,
      frequency: 'custom',
      fee_type: feeTypeOf(ticker),
      fee_multiplier: 1,
      settlement_sources: [],
      tags: [],
    },
  });
}

function historical(catalogue: Catalogue, [, kind, id = '', part]: string[], ask: MarketRequest): Reply {
  const market = kind === 'markets' ? catalogue.market(id) : null;
  if (market === null || !isArchived(market, ask.nowMs)) return notFound();
  if (part === undefined) return ok({ market: marketRecord(market, ask.nowMs) });
  if (part !== 'candlesticks') return notFound();
  const candles = candlesOf([market], ask, false);
  return candles === null
    ? invalid('invalid parameters')
    : ok({ ticker: id, candlesticks: candles[0] ?? [] });
}

function batchCandles(catalogue: Catalogue, ask: MarketRequest): Reply {
  const tickers = ask.query.get('market_tickers')?.split(',') ?? [];
  const found = known(catalogue, tickers).filter((market) => !isArchived(market, ask.nowMs));
  const candles = candlesOf(found, ask, true);
  if (tickers.length === 0 || tickers.length > 100 || candles === null) return invalid('invalid parameters');
  return ok({
    markets: found.map((market, index) => ({ market_ticker: market.id, candlesticks: candles[index] ?? [] })),
  });
}

/** Candles of each market, or null where the parameters are not acceptable. */
function candlesOf(list: readonly SimMarket[], { query, nowMs }: MarketRequest, live: boolean) {
  const bounds = [1, 99_999_999_999] as const;
  const start = integer(query, 'start_ts', bounds, 0);
  const end = integer(query, 'end_ts', bounds, 0);
  const period = integer(query, 'period_interval', [1, 1440], 0);
  if (!start || !end || !period || !PERIODS_MIN.includes(period) || end < start) return null;
  const periodMs = period * MINUTE_MS;
  if (((end - start) * 1_000) / periodMs > CANDLES_MAX / Math.max(1, list.length)) return null;
  const before = query.get('include_latest_before_start') === 'true';
  return list.map((market) => {
    const firstMs = Math.max(start * 1_000, market.event.opensMs);
    const lastMs = Math.min(end * 1_000, nowMs, market.event.closesMs + periodMs);
    const isBefore = before && firstMs > market.event.opensMs;
    return periodEnds(firstMs - (isBefore ? periodMs : 0), lastMs, periodMs).map((at) =>
      candleRecord(market, at, periodMs, live),
    );
  });
}

/**
 * The ends of candles, from the first at or after a time to the last at or before another. Days end at midnight in New York.
 */
function periodEnds(fromMs: number, toMs: number, periodMs: number): number[] {
  const ends: number[] = [];
  const stepMs = Math.min(periodMs, HOUR_MS);
  for (let at = Math.ceil(fromMs / stepMs) * stepMs; at <= toMs; at += stepMs) {
    if (periodMs < DAY_MS || isMidnight(at)) ends.push(at);
  }
  return ends;
}

/** Midnight in New York is at four or five UTC: hour 24 of the day that ends. */
const isMidnight = (timeMs: number): boolean =>
  [4 * HOUR_MS, 5 * HOUR_MS].includes(timeMs % DAY_MS) && NEW_YORK.format(timeMs) === '24';
const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h24',
  hour: '2-digit',
});

/** The undocumented search: by words, or all events by their volume of the day. */
function search(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const words = (query.get('query') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const size = integer(query, 'page_size', [1, 100], 20) ?? 20;
  const open = catalogue.listedAt(nowMs).filter((item) => phaseOf(item, nowMs) === 'open');
  const ranked = open
    .map((item) => ({ item, score: words.length === 0 ? dayVolume(item, nowMs) : matches(item, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const page = ranked.slice(0, size).map(({ item }) => searchRecord(item, nowMs));
  return ok({ total_results_count: ranked.length, next_cursor: '', current_page: page });
}

const dayVolume = ({ markets: list }: SimEvent, nowMs: number): number =>
  list.reduce((sum, market) => sum + volumeBetween(market, nowMs - DAY_MS, nowMs), 0);

/** How many of the words an event holds, half of them at least. */
function matches(item: SimEvent, words: readonly string[]): number {
  const labels = item.markets.map(({ label }) => label).join(' ');
  const text = `${item.id} ${item.title} ${item.subtitle} ${item.category} ${labels}`.toLowerCase();
  const hits = words.filter((word) => text.includes(word)).length;
  return hits * 2 >= words.length ? hits : 0;
}

/** A page; the cursor is the start of the next one, "" at the end. */
function paged<T>(items: readonly T[], query: URLSearchParams, limit: number): { page: T[]; cursor: string } {
  const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString()) || 0;
  const next = start + limit;
  const cursor = next < items.length ? Buffer.from(String(next)).toString('base64') : '';
  return { page: items.slice(start, next), cursor };
}
