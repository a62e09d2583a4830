import { describe, expect, test } from 'vitest';
import { BOOKS, EVENT, type Fields, MARKET, NO, withMarket, YES } from './support/polymarket.ts';
import { failureOf, fixture, replaying, reply } from './support/replay.ts';

const OF_ANOTHER_SHAPE = { kind: 'unavailable', message: expect.stringContaining('unexpected shape') };

async function marketWith(changes: Fields) {
  await using venue = await replaying(withMarket(changes));
  return (await venue.market.at('venue-b').token(YES)).market;
}

describe('a Polymarket market', () => {
  test('is read from arrays inside strings and amounts that are strings or numbers, whole', async () => {
    const market = await marketWith({});
    expect(market).toMatchObject({
      venue: 'venue-b',
      id: '906973',
      ref: YES,
      conditionId: '0xdde06286a7b9464d344f410ab0b3d2ebc6469904e72c27fd982f65fdbf78768d',
      event: { id: '101772', slug: 'fed-decision-in-june-825', title: 'Fed Decision in June?' },
      title: 'Will the Fed decrease interest rates by 25 bps after the June 2026 meeting?',
      label: '25 bps decrease',
      status: 'open',
      result: null,
      liquidity: 365215.79468,
      closesAt: '2026-06-17T00:00:00.000Z',
    });
    expect(market.outcomes.map(({ label, tokenId }) => [label, tokenId])).toEqual([
      ['Yes', YES],
      ['No', NO],
    ]);
  });

  test('has the prices of its order books, which are newer than its record', async () => {
    const market = await marketWith({ bestBid: 0.9, bestAsk: 0.95 });
    const best = (levels: unknown[]) => levels.map((level) => Number((level as { price: string }).price));
    const [yes] = BOOKS.filter((book) => book['asset_id'] === YES);
    expect(market.outcomes[0]?.bid).toBe(Math.max(...best(yes?.bids ?? [])));
    expect(market.outcomes[0]?.ask).toBe(Math.min(...best(yes?.asks ?? [])));
  });

  test.each([
    'bestBid',
    'bestAsk',
    'volume24hr',
    'liquidity',
    'liquidityNum',
    'outcomePrices',
    'lastTradePrice',
    'oneDayPriceChange',
    'umaResolutionStatus',
    'feeSchedule',
    'groupItemTitle',
    'groupItemThreshold',
    'orderPriceMinTickSize',
    'orderMinSize',
    'volume',
    'volumeNum',
    'startDate',
    'createdAt',
    'updatedAt',
    'closedTime',
    'endDate',
  ])('without %s, or with null or "" for it, is whole: what is absent is null', async (name) => {
    for (const value of [undefined, null, ...(name === 'feeSchedule' ? [] : [''])]) {
      expect(await marketWith({ [name]: value })).toMatchObject({ status: 'open', id: '906973' });
    }
  });

  test('without a record of volume, liquidity and change has null for them, not 0', async () => {
    const gone = {
      volume: undefined,
      volumeNum: undefined,
      volume24hr: undefined,
      liquidity: '',
      liquidityNum: null,
    };
    expect(await marketWith({ ...gone, oneDayPriceChange: undefined })).toMatchObject({
      volume: null,
      volume24h: null,
      liquidity: null,
      change24h: null,
    });
  });

  test.each([
    ['outcomePrices', '["abc","0.5"]'],
    ['outcomePrices', 'not json'],
    ['bestBid', 'NaN'],
    ['volume24hr', '1,000'],
    ['lastTradePrice', 1.5],
    ['endDate', 'next week'],
  ])('with a malformed %s (%s) is an upstream error', async (name, value) => {
    await using venue = await replaying(withMarket({ [name]: value }));
    expect(await failureOf(venue.market.at('venue-b').token(YES))).toMatchObject(OF_ANOTHER_SHAPE);
  });

  test.each([
    ['2026-05-28 05:29:05+00', '2026-05-28T05:29:05.000Z'],
    ['2026-05-28T05:29:05.1Z', '2026-05-28T05:29:05.100Z'],
    ['2026-05-28T05:29:05.126632Z', '2026-05-28T05:29:05.126Z'],
    ['2500-12-31', '2500-12-31T00:00:00.000Z'],
    ['', null],
    [null, null],
  ])('may end at %s', async (endDate, expected) => {
    expect((await marketWith({ endDate })).closesAt).toBe(expected);
  });

  test.each([
    [{}, 'open'],
    [{ acceptingOrders: false }, 'paused'],
    [{ active: false, acceptingOrders: true }, 'unopened'],
    [{ umaResolutionStatus: 'proposed', acceptingOrders: true }, 'closed'],
    [{ closed: true, acceptingOrders: true }, 'closed'],
    [{ closed: true, umaResolutionStatus: 'resolved' }, 'settled'],
  ])(
    'with %o is %s: active comes before acceptingOrders, and neither outlives the close',
    async (changes, status) => {
      expect((await marketWith(changes)).status).toBe(status);
    },
  );

  test('knows its sides by index: team names are as good as Yes and No', async () => {
    const market = await marketWith({ outcomes: '["Knicks", "Celtics"]' });
    expect(market.outcomes.map(({ label }) => label)).toEqual(['Knicks', 'Celtics']);
  });

  test('with other than two outcomes is not found: there is no such instrument', async () => {
    await using venue = await replaying(withMarket({ outcomes: '["A", "B", "C"]' }));
    expect(await failureOf(venue.market.at('venue-b').token(YES))).toMatchObject({ kind: 'not_found' });
  });

  test('is searched among the closed ones, too, as those are returned only on request', async () => {
    await using venue = await replaying({
      '/gamma/markets/keyset': (url: URL) => ({
        status: 200,
        body: { markets: url.searchParams.get('closed') === 'true' ? [{ ...MARKET, closed: true }] : [] },
      }),
    });
    expect((await venue.market.at('venue-b').token(YES)).market.status).toBe('closed');
    expect(venue.requests).toHaveLength(2);
  });

  test('without the token is not returned, even if the venue ignores the filter', async () => {
    await using venue = await replaying(withMarket({ clobTokenIds: '["111111", "222222"]' }));
    expect(await failureOf(venue.market.at('venue-b').token(YES))).toMatchObject({ kind: 'not_found' });
  });

  test('shows which of its sides the token is', async () => {
    await using venue = await replaying(withMarket({}));
    expect((await venue.market.at('venue-b').token(NO)).outcomeIndex).toBe(1);
  });

  test('comes raw as the venue sent it, unknown fields and all', async () => {
    const record = { ...MARKET, $schema: 'x', somethingNew: { a: [1, 2] } };
    await using venue = await replaying({ '/gamma/markets/keyset': { markets: [record] } });
    expect((await venue.market.at('venue-b').raw(YES)).record).toEqual(record);
  });
});

describe('Polymarket events', () => {
  test('keep their markets grouped, in the venue’s order', async () => {
    await using venue = await replaying({ [`/gamma/events/slug/${EVENT['slug']}`]: EVENT });
    const answer = await venue.market.at('venue-b').slug(String(EVENT['slug']));
    expect(answer).toMatchObject({ kind: 'event', event: { grouped: true, mutuallyExclusive: true } });
    const labels = answer.kind === 'event' ? answer.event.markets.map(({ label }) => label) : [];
    expect(labels).toEqual([
      '50+ bps decrease',
      '25 bps decrease',
      'No change',
      '25 bps increase',
      '50+ bps increase',
    ]);
  });

  test('hide placeholders (active:false, though accepting orders, and without prices)', async () => {
    const placeholder = {
      ...EVENT.markets[0],
      id: '1',
      active: false,
      acceptingOrders: true,
      outcomePrices: undefined,
    };
    const event = { ...EVENT, markets: [...EVENT.markets, placeholder] };
    await using venue = await replaying({ '/gamma/events/slug/x': event });
    const answer = await venue.market.at('venue-b').slug('x');
    expect(answer.kind === 'event' && answer.event.markets.map(({ id }) => id)).not.toContain('1');
    expect(answer).toMatchObject({ event: { markets: { length: 5 } } });
  });

  test('may be a ladder (no negRisk): grouped, and more than one can come true', async () => {
    await using venue = await replaying({ '/gamma/events/slug/x': { ...EVENT, negRisk: false } });
    expect(await venue.market.at('venue-b').slug('x')).toMatchObject({
      event: { grouped: true, mutuallyExclusive: false },
    });
  });

  test('leave out markets of other than two outcomes', async () => {
    const odd = { ...EVENT.markets[0], id: '1', outcomes: '["A", "B", "C"]' };
    await using venue = await replaying({ '/gamma/events/slug/x': { ...EVENT, markets: [odd] } });
    expect(await venue.market.at('venue-b').slug('x')).toMatchObject({ event: { markets: [] } });
  });

  test('show resolved and live markets side by side, each with its own status', async () => {
    await using venue = await replaying({ '/gamma/events/slug/x': fixture('gamma-event-mixed.json') });
    const answer = await venue.market.at('venue-b').slug('x');
    const statuses = answer.kind === 'event' ? answer.event.markets.map(({ status }) => status) : [];
    expect(statuses.filter((status) => status === 'settled')).toHaveLength(5);
    expect(statuses.filter((status) => status === 'open')).toHaveLength(3);
  });

  test('expand into one row per market, the most active first', async () => {
    await using venue = await replaying({ [`/gamma/events/slug/${EVENT['slug']}`]: EVENT });
    const { kind, markets } = await venue.market.at('venue-b').slug(String(EVENT['slug']), 'markets');
    const volumes = markets.map(({ volume24h }) => volume24h ?? 0);
    expect(kind).toBe('eventMarkets');
    expect(volumes).toHaveLength(5);
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    expect(markets[0]?.event?.slug).toBe(EVENT['slug']);
  });

  test('whose slug is unknown may be a market’s, else are not found', async () => {
    const missing = reply(404, { type: 'not found error', error: 'slug not found' });
    await using venue = await replaying({ '/gamma/markets/slug/one': MARKET, '/clob/books': [] });
    expect(await venue.market.at('venue-b').slug('one')).toMatchObject({
      kind: 'market',
      market: { id: '906973' },
    });
    await using none = await replaying({
      '/gamma/events/slug/no': missing,
      '/gamma/markets/slug/no': missing,
    });
    expect(await failureOf(none.market.at('venue-b').slug('no'))).toMatchObject({ kind: 'not_found' });
  });

  test('are found by text without the slim records of optimized search; tags and profiles may be missing', async () => {
    await using venue = await replaying({ '/gamma/public-search': fixture('gamma-search.json') });
    const { events } = await venue.market.at('venue-b').search('fed decision june', 20);
    expect(events.length).toBeGreaterThan(0);
    expect(venue.requests[0]).not.toContain('optimized');
    expect(venue.requests[0]).toContain('search_tags=false&search_profiles=false');
    const { markets } = await venue.market.at('venue-b').search('fed decision june', 3, 'markets');
    expect(markets.length).toBeLessThanOrEqual(3);
    expect(venue.requests).toHaveLength(1);
  });

  test('found by nothing (events: null) are none', async () => {
    await using venue = await replaying({ '/gamma/public-search': { events: null, pagination: {} } });
    expect((await venue.market.at('venue-b').search('xyzzy', 20)).events).toEqual([]);
  });

  test('trend by the camel-case order, page by page: the cursor goes back as after_cursor', async () => {
    const page = (url: URL) => ({
      status: 200,
      body: url.searchParams.has('after_cursor')
        ? { events: [{ ...EVENT, id: '2' }] }
        : { events: Array.from({ length: 25 }, () => EVENT), next_cursor: 'abc' },
    });
    await using venue = await replaying({ '/gamma/events/keyset': page });
    const { events } = await venue.market.at('venue-b').trending(30);
    expect(events).toHaveLength(26);
    expect(venue.requests[0]).toContain('closed=false&order=volume24hr&ascending=false&limit=25');
    expect(venue.requests[1]).toContain('after_cursor=abc');
    const { markets } = await venue.market.at('venue-b').trending(30, 'markets');
    expect(markets).toHaveLength(26 * 5);
    expect(venue.requests).toHaveLength(2);
  });

  test('have the most active of all their markets on top, by the camel-case order too', async () => {
    await using venue = await replaying({ '/gamma/markets/keyset': { markets: EVENT.markets } });
    const { markets } = await venue.market.at('venue-b').top(3);
    expect(markets.map(({ id }) => id)).toEqual(EVENT.markets.slice(0, 3).map(({ id }) => id));
    expect(venue.requests[0]).toContain('closed=false&order=volume24hr&ascending=false');
    expect(venue.requests[0]).not.toContain('offset');
  });
});

describe('Polymarket books', () => {
  test('come best first, for any order of the venue', async () => {
    const [book] = BOOKS;
    for (const sent of [
      book,
      { ...book, bids: [...(book?.bids ?? [])].reverse(), asks: [...(book?.asks ?? [])].reverse() },
    ]) {
      await using venue = await replaying({ '/clob/book': sent });
      const { bids, asks, mid, tickSize } = await venue.market.at('venue-b').book(YES);
      const prices = { bids: bids.map(({ price }) => price), asks: asks.map(({ price }) => price) };
      expect(prices.bids).toEqual([...prices.bids].sort((a, b) => b - a));
      expect(prices.asks).toEqual([...prices.asks].sort((a, b) => a - b));
      expect(prices.bids[0]).toBeLessThan(prices.asks[0] ?? 0);
      expect(mid).toBeCloseTo(((prices.bids[0] ?? 0) + (prices.asks[0] ?? 0)) / 2, 12);
      expect(tickSize).toBe(0.001);
    }
  });

  test('without asks have no middle', async () => {
    await using venue = await replaying({ '/clob/book': { ...BOOKS[0], asks: [] } });
    expect(await venue.market.at('venue-b').book(YES)).toMatchObject({ asks: [], mid: null });
  });

  test('of another token than the requested one are an upstream error, for views and for trading', async () => {
    await using venue = await replaying({ '/clob/book': { ...BOOKS[0], asset_id: NO } });
    expect(await failureOf(venue.market.at('venue-b').book(YES))).toMatchObject({ kind: 'unavailable' });
    expect(await failureOf(venue.market.orderBook(YES))).toMatchObject({ kind: 'unavailable' });
  });

  test.each([
    [404, 'No orderbook exists for the requested token id'],
    [400, 'Invalid token id'],
  ])('that do not exist (%i) are not found', async (status, error) => {
    await using venue = await replaying({ '/clob/book': reply(status, { error }) });
    expect(await failureOf(venue.market.at('venue-b').book(YES))).toMatchObject({ kind: 'not_found' });
  });
});
