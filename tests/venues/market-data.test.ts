import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, TICK_MS } from '../../simulator/index.ts';
import { type OpenedMarketData, openMarketData, simulatorUrls } from '../../simulator/market-data.ts';
import { CryptoView, VenueAView, VenueBView } from '../../venues/views.ts';
import { failureOf } from './support/replay.ts';

let market: OpenedMarketData;
beforeAll(async () => {
  market = await openMarketData({ mode: 'simulator' });
});
afterAll(() => market.close());

const firstToken = async () => (await market.at('venue-b').top(1)).markets[0]?.outcomes[0]?.tokenId ?? '';
const PARTY = 'which-party-wins-the-2028-us-presidential-election';

describe('every mode of every endpoint answers, in the shape that the views state', () => {
  test('venue A', async () => {
    const venueA = market.at('venue-a');
    const answers = [
      await venueA.search('fed decision', 5),
      await venueA.top(50),
      await venueA.market('KXELONMARS-99'),
      ...(await Promise.all(
        (['1d', '1w', '1m', 'all'] as const).map((span) => venueA.history('KXELONMARS-99', span)),
      )),
    ];
    for (const answer of answers) {
      expect(VenueAView.parse(answer)).toEqual(answer);
      expect(answer).toMatchObject({ source: 'simulator', asOf: expect.stringMatching(/Z$/) });
    }
  });

  test('venue B', async () => {
    const venueB = market.at('venue-b');
    const token = await firstToken();
    const answers = [
      await venueB.search('fed', 5),
      await venueB.search('fed', 5, 'markets'),
      await venueB.slug(PARTY),
      await venueB.slug(PARTY, 'markets'),
      await venueB.token(token),
      await venueB.raw(token),
      await venueB.book(token),
      await venueB.trending(50),
      await venueB.trending(5, 'markets'),
      await venueB.top(50),
      ...(await Promise.all((['1d', '1w', '1m', 'all'] as const).map((span) => venueB.history(token, span)))),
    ];
    for (const answer of answers) expect(VenueBView.parse(answer)).toEqual(answer);
  });

  test('crypto', async () => {
    const crypto = market.at('crypto');
    const answers = [
      await crypto.summary('btc'),
      await crypto.trades('BTC-USDT', 100),
      await crypto.klines('BTC/USDT', '1M', 100),
      await crypto.klines('ETHUSDT', '1m', 100),
      await crypto.symbols('eth', 100),
      await crypto.symbols(null, 100),
    ];
    for (const answer of answers) expect(CryptoView.parse(answer)).toEqual(answer);
  });

  test('histories ascend, one point per time', async () => {
    const token = await firstToken();
    for (const span of ['1d', '1w', '1m', 'all'] as const) {
      for (const { points } of [
        await market.at('venue-a').history('KXPRESPARTY-2028-D', span),
        await market.at('venue-b').history(token, span),
      ]) {
        const times = points.map(({ t }) => t);
        expect(times).toEqual([...new Set(times)].sort());
        expect(points.length).toBeGreaterThan(0);
      }
    }
  });

  test('fewer rows come from the same answer: no further call', async () => {
    await market.at('venue-b').trending(20);
    const requestCount = market.simulator?.faults.requests();
    const { events } = await market.at('venue-b').trending(3);
    expect(events).toHaveLength(3);
    expect(market.simulator?.faults.requests()).toBe(requestCount);
  });
});

describe('by tokenId', () => {
  test('quotes come in the order asked, across venues, each from one call, without the unknown', async () => {
    const token = await firstToken();
    const tokens = [
      'BTCUSDT',
      'KXELONMARS-99:no',
      token,
      'NOPEUSDT',
      'KXNOPE-1:yes',
      'ETHUSDT',
      'KXELONMARS-99:yes',
    ];
    const quotes = await market.quotes(tokens);
    expect(quotes.map(({ tokenId }) => tokenId)).toEqual(tokens.filter((item) => !item.includes('NOPE')));
    for (const { bid, ask } of quotes) expect(Number(bid ?? 0)).toBeLessThan(Number(ask ?? 1e9));
  });

  test('a quote states the slow facts its venue states, and the day’s change as a fraction', async () => {
    await using world = await openMarketData({ mode: 'simulator' });
    world.simulator?.clock.pin(Math.floor(Date.now() / TICK_MS));
    const token = await firstToken();
    const [a, b, crypto] = await world.quotes(['KXELONMARS-99:yes', token, 'BTCUSDT']);
    const marketA = (await world.at('venue-a').market('KXELONMARS-99')).market;
    const marketB = (await world.at('venue-b').token(token)).market;
    const summary = await world.at('crypto').summary('BTCUSDT');
    expect([a?.volume24h, a?.openInterest].map(Number)).toEqual([marketA.volume24h, marketA.openInterest]);
    expect(Number(b?.volume24h)).toBe(marketB.volume24h);
    expect(Number(crypto?.volume24h)).toBeCloseTo(summary.quoteVolume, 4);
    expect(Number(crypto?.change24h)).toBeCloseTo(summary.changePct / 100, 12);
    expect([a?.change24h, b?.change24h, b?.openInterest, crypto?.openInterest]).toEqual(Array(4).fill(null));
  });

  test('a quote is the top of the book at the same time', async () => {
    await using world = await openMarketData({ mode: 'simulator' });
    world.simulator?.clock.pin(Math.floor(Date.now() / TICK_MS));
    for (const tokenId of ['KXPRESPARTY-2028-D:yes', 'KXPRESPARTY-2028-D:no', await firstToken()]) {
      const [quote] = await world.quotes([tokenId]);
      const book = await world.orderBook(tokenId);
      const none = { price: null, size: null };
      expect(book.bids[0] ?? none).toEqual({ price: quote?.bid, size: quote?.bidSize });
      expect(book.asks[0] ?? none).toEqual({ price: quote?.ask, size: quote?.askSize });
    }
  });

  test('"USDT and USDC count as USD; instruments quoted in anything else are data only"', async () => {
    expect(await market.instrument('ETHBTC')).toMatchObject({ quoteCurrency: 'BTC', tradable: false });
    expect(await market.instrument('BTCUSDC')).toMatchObject({ quoteCurrency: 'USDC', tradable: true });
  });

  test('a market that ends is quoted as closed, then as settled at what the venue states', async () => {
    await using world = await openMarketData({ mode: 'simulator', seed: 7 });
    const { simulator } = world;
    const quarter = Math.floor(Date.now() / 900_000) * 900;
    simulator?.clock.pin(quarter + 600);
    const { events } = await world.at('venue-b').trending(50);
    const updown = events.find(({ slug }) => slug === `btc-updown-15m-${quarter}`);
    const [up = '', down = ''] = updown?.markets[0]?.outcomes.map(({ tokenId }) => tokenId ?? '') ?? [];
    const kalshi = (await world.at('venue-a').search('BTC up 15', 5)).markets[0]?.ticker ?? '';
    const tokens = [up, down, `${kalshi}:yes`, `${kalshi}:no`];
    expect((await world.quotes(tokens)).map(({ marketStatus }) => marketStatus)).toEqual(
      Array(4).fill('open'),
    );
    simulator?.clock.pin(quarter + 901);
    const closed = await world.quotes(tokens);
    expect(closed.map(({ marketStatus }) => marketStatus)).toEqual(Array(4).fill('closed'));
    expect(
      closed.every(
        ({ bid, ask, settlementValue }) => bid === null && ask === null && settlementValue === null,
      ),
    ).toBe(true);
    simulator?.clock.pin(quarter + 1_100);
    const [a, b, c, d] = await world.quotes(tokens);
    expect([a?.marketStatus, c?.marketStatus]).toEqual(['settled', 'settled']);
    expect(Number(a?.settlementValue) + Number(b?.settlementValue)).toBe(1);
    expect(Number(c?.settlementValue) + Number(d?.settlementValue)).toBe(1);
    // Both venues list a question about the same quarter of an hour.
    expect(a?.settlementValue).toBe(c?.settlementValue);
    expect(await world.instrument(up)).toMatchObject({
      status: 'settled',
      settlementValue: a?.settlementValue,
    });
  });
});

describe('the feed’s clock', () => {
  test('is real time, and answers are fresh', async () => {
    const beforeMs = Date.now();
    const { asOf } = await market.at('crypto').summary('BTCUSDT');
    const nowMs = market.now();
    // It lags by the delivery of the last answer.
    expect(nowMs).toBeGreaterThan(beforeMs - 1_000);
    expect(nowMs).toBeLessThanOrEqual(Date.now() + 1);
    expect(beforeMs - Date.parse(asOf)).toBeLessThan(3_000);
  });

  test('can be pinned and moved by a tick, and every answer follows at once', async () => {
    await using world = await openMarketData({ mode: 'simulator' });
    const tick = Date.UTC(2026, 10, 20) / TICK_MS;
    world.simulator?.clock.pin(tick);
    expect(world.now()).toBe(Date.UTC(2026, 10, 20));
    const seen = new Set<string | null | undefined>();
    for (let step = 0; step < 5; step += 1) {
      const [quote] = await world.quotes(['BTCUSDT']);
      expect(quote?.asOf).toBe(new Date((tick + step) * TICK_MS).toISOString());
      seen.add(quote?.last);
      world.simulator?.clock.advance();
    }
    expect(seen.size).toBeGreaterThan(2);
    const candles = await world.closedCandles('BTCUSDT', '1m', { limit: 2 });
    expect(candles.at(-1)?.closeTimeMs).toBe(Date.UTC(2026, 10, 20) - 1);
    world.simulator?.clock.pin(tick + 60);
    expect((await world.closedCandles('BTCUSDT', '1m', { limit: 2 })).at(-1)?.closeTimeMs).toBe(
      Date.UTC(2026, 10, 20, 0, 1) - 1,
    );
  });

  test('is the world’s of a simulator in another process: pinned there, pinned here', async () => {
    await using other = await startSimulator();
    const tick = Date.UTC(2026, 5, 1) / TICK_MS;
    other.clock.pin(tick);
    await using world = await openMarketData({ mode: 'simulator', simulatorUrl: other.url });
    const first = await world.at('crypto').summary('BTCUSDT');
    expect(first.asOf).toBe('2026-06-01T00:00:00.000Z');
    expect(world.now()).toBe(tick * TICK_MS);
    other.clock.advance(5);
    expect((await world.at('crypto').summary('BTCUSDT')).asOf).toBe('2026-06-01T00:00:05.000Z');
  });

  test('runs faster where that is asked for', async () => {
    await using world = await openMarketData({ mode: 'simulator', speed: 100 });
    const before = world.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(world.now() - before).toBeGreaterThanOrEqual(4_500);
  });
});

describe('a venue in trouble', () => {
  test('does not slow the others, and is marked stale or unavailable', { tags: ['long'] }, async () => {
    await using simulator = await startSimulator();
    await using world = await openMarketData({ mode: 'simulator', baseUrls: simulatorUrls(simulator.url) });
    const good = await world.at('crypto').summary('BTCUSDT');
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    simulator.faults.set('/binance', { kind: 'reset' });
    const stale = await world.at('crypto').summary('BTCUSDT');
    expect(stale).toEqual({ ...good, source: 'stale' });
    expect(await failureOf(world.quotes(['BTCUSDT']))).toMatchObject({ kind: 'unavailable' });
    const startedAt = performance.now();
    await world.at('venue-a').market('KXELONMARS-99');
    await world.at('venue-b').top(1);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('is asked once for a thousand concurrent calls of one cold key', async () => {
    await using world = await openMarketData({ mode: 'simulator' });
    await Promise.all(Array.from({ length: 1_000 }, () => world.at('crypto').summary('BTCUSDT')));
    expect(world.simulator?.faults.requests('/binance')).toBe(1);
  });
});
