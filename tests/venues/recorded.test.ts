/**
 * Every recorded answer of the venues passes through its connector. Recordings that may not be copied are beside the project,
 * in `../shared/data`. Without that folder these tests are skipped. The licensed ones are in `tests/fixtures/venues` and are
 * tested in any case.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Level, Market } from '../../venues/port.ts';
import { failureOf, replaying, reply } from './support/replay.ts';

const FOLDER = new URL('../../../shared/data/fixtures/', import.meta.url);
const absent = !existsSync(FOLDER);
/** Part of the titles, so that a skipped test states its reason. */
const needs = absent ? ' (skipped: ../shared/data is not there)' : '';

const API = '/kalshi/trade-api/v2';
type Fields = Record<string, unknown>;

const recorded = <T = Fields>(name: string): T =>
  JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as T;
const named = (folder: string, pattern: RegExp): string[] =>
  absent
    ? []
    : readdirSync(new URL(`${folder}/`, FOLDER))
        .filter((file) => pattern.test(file))
        .map((file) => `${folder}/${file.replace('.json', '')}`);

/** Complete and possible: prices 0 to 1, bid below ask, two sides that mirror each other, no NaN. */
function expectSane(market: Market): void {
  expect(market.id).not.toBe('');
  expect(market.title).not.toBe('');
  expect(market.outcomes).toHaveLength(2);
  for (const { price, bid, ask, tokenId, label } of market.outcomes) {
    for (const value of [price, bid, ask]) {
      expect(value === null || (value >= 0 && value <= 1)).toBe(true);
    }
    expect((bid ?? 0) < (ask ?? 1)).toBe(true);
    expect(label).not.toBe('');
    expect(tokenId).not.toBe('');
  }
  const [first, second] = market.outcomes;
  if (first?.bid != null) expect(second?.ask).toBeCloseTo(1 - first.bid, 12);
  for (const value of [market.volume, market.volume24h, market.openInterest, market.tickSize]) {
    expect(value === null || (Number.isFinite(value) && value >= 0)).toBe(true);
  }
}

function expectBestFirst({ bids, asks }: { bids: Level[]; asks: Level[] }): void {
  const prices = (levels: Level[]) => levels.map(({ price }) => Number(price));
  expect(prices(bids)).toEqual(prices(bids).sort((a, b) => b - a));
  expect(prices(asks)).toEqual(prices(asks).sort((a, b) => a - b));
  const [bid] = prices(bids);
  const [ask] = prices(asks);
  if (bid !== undefined && ask !== undefined) expect(bid).toBeLessThan(ask);
}

function expectAscending(points: { t: string; p: number }[]): void {
  const times = points.map(({ t }) => t);
  expect(times).toEqual([...new Set(times)].sort());
  for (const { p } of points) expect(p >= 0 && p <= 1).toBe(true);
}

describe.skipIf(absent)(`recorded answers of Kalshi${needs}`, () => {
  test.each(named('kalshi', /^market-\d/))('%s', async (name) => {
    const { market } = recorded<{ market: Fields }>(name);
    await using venue = await replaying({
      [`${API}/markets/${market['ticker']}`]: { market },
      [`${API}/events`]: { events: [] },
    });
    const answer = await venue.market.at('venue-a').market(String(market['ticker']));
    expectSane(answer.market);
    expect(answer.market.id).toBe(market['ticker']);
  });

  const lists = named('kalshi', /^(markets-\d|historical-markets)/);
  test.each(lists)('%s', async (name) => {
    const { markets } = recorded<{ markets: Fields[] }>(name);
    await using venue = await replaying({ [`${API}/markets`]: { markets, cursor: '' } });
    const tokens = markets.flatMap(({ ticker }) => [`${ticker}:yes`, `${ticker}:no`]);
    const quotes = await venue.market.quotes(tokens);
    expect(quotes.map(({ tokenId }) => tokenId)).toEqual(tokens);
    for (const { bid, ask, marketStatus, settlementValue } of quotes) {
      expect(Number(bid ?? 0)).toBeLessThan(Number(ask ?? 2));
      expect(marketStatus === 'settled').toBe(settlementValue !== null);
    }
  });

  test('kalshi/markets-legacy-1 is refused', async () => {
    await using venue = await replaying({ [`${API}/markets`]: recorded('kalshi/markets-legacy-1') });
    expect(await failureOf(venue.market.quotes(['A-1:yes']))).toMatchObject({ kind: 'unavailable' });
  });

  test.each(named('kalshi', /^orderbook-\d/))('%s', async (name) => {
    await using venue = await replaying({ [`${API}/markets/T-1/orderbook`]: recorded(name) });
    for (const side of ['yes', 'no']) {
      const { bids, asks } = await venue.market.orderBook(`T-1:${side}`);
      const numbers = (levels: { price: string; size: string }[]) =>
        levels.map(({ price, size }) => ({ price: Number(price), size: Number(size) }));
      expectBestFirst({ bids: numbers(bids), asks: numbers(asks) });
      expect(bids.length + asks.length).toBeGreaterThan(0);
    }
  });

  test.each(named('kalshi', /^candlesticks-(1|records)/))('%s', async (name) => {
    const body = recorded<{ candlesticks: Fields[] } | Fields[]>(name);
    const candlesticks = Array.isArray(body) ? body : body.candlesticks;
    const { market } = recorded<{ market: Fields }>('kalshi/market-1');
    const ends = candlesticks.map((candle) => Number(candle['end_period_ts']) * 1_000);
    const life = {
      status: 'closed',
      open_time: new Date(Math.min(...ends) - 3_600_000).toISOString(),
      close_time: new Date(Math.max(...ends)).toISOString(),
    };
    await using venue = await replaying({
      [`${API}/markets/T-1`]: { market: { ...market, ticker: 'T-1', ...life } },
      [`${API}/markets/candlesticks`]: { markets: [{ market_ticker: 'T-1', candlesticks }] },
    });
    const { points } = await venue.market.at('venue-a').history('T-1', 'all');
    expectAscending(points);
    expect(points.length).toBeGreaterThan(0);
  });

  test('kalshi/historical-candlesticks-1', async () => {
    const [market] = recorded<{ markets: Fields[] }>('kalshi/historical-markets-1').markets;
    await using venue = await replaying({
      [`${API}/historical/markets/T-1`]: {
        market: { ...market, ticker: 'T-1', open_time: '2024-02-01T00:00:00Z' },
      },
      [`${API}/historical/markets/T-1/candlesticks`]: recorded('kalshi/historical-candlesticks-1'),
    });
    const { points } = await venue.market.at('venue-a').history('T-1', 'all');
    expectAscending(points);
    expect(points).toHaveLength(4);
  });

  test.each(named('kalshi', /^(events-\d|events-records)/))('%s, as an index for search', async (name) => {
    const body = recorded<{ events: Fields[] } | Fields[]>(name);
    const events = Array.isArray(body) ? body : body.events;
    const markets = events.flatMap((event) => (event['markets'] as Fields[] | undefined) ?? []);
    await using venue = await replaying({
      '/kalshi/v1/search/series': reply(404, {}),
      [`${API}/events`]: { events, cursor: '' },
      [`${API}/markets`]: { markets, cursor: '' },
    });
    const venueA = venue.market.at('venue-a');
    await venueA.top(50).catch(() => null);
    await expect.poll(() => venueA.top(50).catch(() => null), { timeout: 8_000 }).not.toBeNull();
    const answer = await venueA.top(50);
    expect(answer.markets.length).toBeGreaterThan(0);
    answer.markets.forEach(expectSane);
    expect(answer.markets[0]?.event?.title).not.toBe('');
  });

  test.each(named('kalshi', /^series-\d/))('%s', async (name) => {
    const { market } = recorded<{ market: Fields }>('kalshi/market-1');
    const { series } = recorded<{ series: Fields }>(name);
    const event = { event_ticker: market['event_ticker'], series_ticker: series['ticker'], title: 'x' };
    await using venue = await replaying({
      [`${API}/markets/T-1`]: { market: { ...market, ticker: 'T-1' } },
      [`${API}/events`]: { events: [event] },
      [`${API}/series/${series['ticker']}`]: { series },
    });
    expect(await venue.market.instrument('T-1:yes')).toMatchObject({
      tradable: true,
      feeSchedule: { formula: 'probability' },
    });
  });

  test.each([
    ['kalshi/error-400-invalid-status-1', 400, 'bad_request'],
    ['kalshi/error-429-1', 429, 'unavailable'],
  ])('%s', async (name, status, kind) => {
    await using venue = await replaying({
      [`${API}/markets/T-1`]: reply(status, recorded(name), { 'retry-after': '60' }),
    });
    expect(await failureOf(venue.market.at('venue-a').market('T-1'))).toMatchObject({ kind });
  });
});

describe.skipIf(absent)(`recorded answers of Polymarket${needs}`, () => {
  test.each(named('polymarket', /^gamma-event-\d/))('%s', async (name) => {
    const event = recorded<Fields & { markets: Fields[] }>(name);
    await using venue = await replaying({ '/gamma/events/slug/x': event });
    const answer = await venue.market.at('venue-b').slug('x');
    if (answer.kind !== 'event') return expect.unreachable();
    expect(answer.event).toMatchObject({
      id: event['id'],
      slug: event['slug'],
      title: event['title'],
      grouped: event.markets.length > 1,
    });
    expect(answer.event.markets.length).toBeGreaterThan(0);
    answer.event.markets.forEach(expectSane);
  });

  test.each(named('polymarket', /^gamma-events-\d/))('%s', async (name) => {
    await using venue = await replaying({ '/gamma/events/keyset': { events: recorded(name) } });
    const { events } = await venue.market.at('venue-b').trending(50);
    expect(events.length).toBeGreaterThan(0);
    events.flatMap(({ markets }) => markets).forEach(expectSane);
    const { markets } = await venue.market.at('venue-b').trending(50, 'markets');
    markets.forEach(expectSane);
  });

  const single = named('polymarket', /^gamma-market-/);
  test.each(single)('%s', async (name) => {
    const record = recorded<Fields>(name);
    const tokens = JSON.parse(String(record['clobTokenIds'])) as string[];
    await using venue = await replaying({
      '/gamma/markets/keyset': { markets: [record] },
      '/clob/books': [],
    });
    const { market, outcomeIndex } = await venue.market.at('venue-b').token(tokens[1] ?? '');
    expectSane(market);
    expect(outcomeIndex).toBe(1);
    expect(market).toMatchObject({
      id: record['id'],
      slug: record['slug'],
      conditionId: record['conditionId'],
    });
    expect((await venue.market.at('venue-b').raw(tokens[0] ?? '')).record).toEqual(record);
  });

  test.each(named('polymarket', /^gamma-markets-/))('%s', async (name) => {
    const body = recorded<{ markets: Fields[] } | Fields[]>(name);
    const markets = Array.isArray(body) ? body : body.markets;
    await using venue = await replaying({ '/gamma/markets/keyset': { markets } });
    const answer = await venue.market.at('venue-b').top(50);
    expect(answer.markets.map(({ id }) => id)).toEqual(markets.map(({ id }) => id));
    answer.markets.forEach(expectSane);
  });

  test.each(named('polymarket', /^public-search-/))('%s', async (name) => {
    await using venue = await replaying({ '/gamma/public-search': recorded(name) });
    const { events } = await venue.market.at('venue-b').search('x', 50);
    expect(events.length).toBeGreaterThan(0);
    events.flatMap(({ markets }) => markets).forEach(expectSane);
  });

  const books = () =>
    named('polymarket', /^clob-books?-\d/).flatMap((name) => {
      const body = recorded<Fields | Fields[]>(name);
      return (Array.isArray(body) ? body : [body]).map((book, index) => [`${name} ${index}`, book] as const);
    });
  test.each(absent ? [] : books())('%s', async (_, book) => {
    await using venue = await replaying({ '/clob/book': book });
    const token = String(book['asset_id']);
    const answer = await venue.market.at('venue-b').book(token);
    expectBestFirst(answer);
    expect(answer.bids).toHaveLength((book['bids'] as unknown[]).length);
    expect(answer.asks).toHaveLength((book['asks'] as unknown[]).length);
  });

  test('polymarket/clob-prices-history-1', async () => {
    const history = recorded<{ history: { t: number }[] }>('polymarket/clob-prices-history-1');
    const shift = Math.floor(Date.now() / 1_000) - (history.history.at(-1)?.t ?? 0);
    const shifted = { history: history.history.map((point) => ({ ...point, t: point.t + shift })) };
    const record = recorded<Fields>('polymarket/gamma-market-slug-1');
    const [token = ''] = JSON.parse(String(record['clobTokenIds'])) as string[];
    await using venue = await replaying({
      '/gamma/markets/keyset': { markets: [record] },
      '/clob/prices-history': shifted,
    });
    const { points } = await venue.market.at('venue-b').history(token, '1d');
    expectAscending(points);
    expect(points.map(({ p }) => p)).toEqual([0.0445, 0.0455]);
  });

  test.each([
    ['polymarket/error-404-slug-1', 404, 'not_found'],
    ['polymarket/error-422-keyset-offset-1', 422, 'not_found'],
  ])('%s', async (name, status, kind) => {
    const refused = reply(status, recorded(name));
    await using venue = await replaying({
      '/gamma/events/slug/x': reply(404, {}),
      '/gamma/markets/slug/x': refused,
    });
    expect(await failureOf(venue.market.at('venue-b').slug('x'))).toMatchObject({ kind });
  });

  test('polymarket/error-404-book-1', async () => {
    await using venue = await replaying({
      '/clob/book': reply(404, recorded('polymarket/error-404-book-1')),
    });
    expect(await failureOf(venue.market.at('venue-b').book('123456'))).toMatchObject({ kind: 'not_found' });
  });
});

describe.skipIf(absent)(`recorded answers of Binance${needs}`, () => {
  const EXCHANGE = '/binance/api/v3';

  test.each(named('binance', /^ticker-24hr-/))('%s', async (name) => {
    const body = recorded<Fields | Fields[]>(name);
    for (const ticker of Array.isArray(body) ? body : [body]) {
      await using venue = await replaying({ [`${EXCHANGE}/ticker/24hr`]: ticker });
      const summary = await venue.market
        .at('crypto')
        .summary(`${ticker['symbol']}-`.replace('-', '').replace(/(BTC|ETH|BNB|USDT)$/, '-$1'));
      expect(summary.low).toBeLessThanOrEqual(summary.price);
      expect(summary.high).toBeGreaterThanOrEqual(summary.price);
      expect(summary.symbol).toBe(ticker['symbol']);
    }
  });

  test.each(named('binance', /^klines-/))('%s', async (name) => {
    const klines = recorded<unknown[][]>(name).slice(-100);
    await using venue = await replaying({ [`${EXCHANGE}/klines`]: klines });
    const [[first = 0] = [], [second = 0] = []] = klines as number[][];
    const interval = second - first === 3_600_000 ? '1h' : '1d';
    const answer = await venue.market.at('crypto').klines('BTCUSDT', interval, 100);
    expect(answer.klines).toHaveLength(klines.length);
    for (const { o, h, l, c, v, t, closesAt } of answer.klines) {
      expect(h).toBeGreaterThanOrEqual(Math.max(o, c));
      expect(l).toBeLessThanOrEqual(Math.min(o, c));
      expect(v).toBeGreaterThanOrEqual(0);
      expect(t < closesAt).toBe(true);
    }
  });

  test('binance/agg-trades-1', async () => {
    await using venue = await replaying({ [`${EXCHANGE}/aggTrades`]: recorded('binance/agg-trades-1') });
    const { trades } = await venue.market.at('crypto').trades('BTCUSDT', 100);
    expect(trades).toHaveLength(100);
    const times = trades.map(({ t }) => t);
    expect(times).toEqual([...times].sort());
  });

  test('binance/exchange-info-1', async () => {
    const info = recorded<{ symbols: Fields[] }>('binance/exchange-info-1');
    await using venue = await replaying({
      [`${EXCHANGE}/exchangeInfo`]: info,
      [`${EXCHANGE}/ticker/24hr`]: [],
    });
    const { symbols } = await venue.market.at('crypto').symbols(null, 100);
    expect(symbols.map(({ symbol }) => symbol).sort()).toEqual(
      info.symbols.map(({ symbol }) => symbol).sort(),
    );
    for (const { tickSize, stepSize } of symbols) expect(Math.min(tickSize, stepSize)).toBeGreaterThan(0);
  });

  test('binance/depth-1', async () => {
    await using venue = await replaying({ [`${EXCHANGE}/depth`]: recorded('binance/depth-1') });
    const { bids, asks } = await venue.market.orderBook('BTCUSDT');
    expect(bids.length * asks.length).toBeGreaterThan(0);
    expect(Number(bids[0]?.price)).toBeLessThan(Number(asks[0]?.price));
  });
});
