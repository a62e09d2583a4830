import { describe, expect, test, vi } from 'vitest';
import { API, EVENTS, type Fields, HIKE, MARKETS, withMarket } from './support/kalshi.ts';
import { failureOf, fixture, replaying, reply } from './support/replay.ts';

const SEARCH = '/kalshi/v1/search/series';
const OF_ANOTHER_SHAPE = { kind: 'unavailable', message: expect.stringContaining('unexpected shape') };

async function marketWith(changes: Fields) {
  await using venue = await replaying(withMarket(changes));
  return (await venue.market.at('venue-a').market('KXFEDDECISION-26SEP-H25')).market;
}

async function refusalOf(changes: Fields) {
  await using venue = await replaying(withMarket(changes));
  return await failureOf(venue.market.at('venue-a').market('KXFEDDECISION-26SEP-H25'));
}

describe('a Kalshi market', () => {
  test('is read from dollar strings and contract strings, whole', async () => {
    expect(await marketWith({})).toEqual({
      venue: 'venue-a',
      id: 'KXFEDDECISION-26SEP-H25',
      ref: 'KXFEDDECISION-26SEP-H25',
      ticker: 'KXFEDDECISION-26SEP-H25',
      slug: null,
      conditionId: null,
      event: { id: 'KXFEDDECISION-26SEP', slug: null, title: 'Fed decision in September?' },
      title: 'Will the Federal Reserve Hike rates by 25bps at their September 2026 meeting?',
      label: 'Hike 25bps',
      status: 'open',
      result: null,
      outcomes: [
        {
          label: 'Yes',
          tokenId: 'KXFEDDECISION-26SEP-H25:yes',
          price: 0.28,
          bid: 0.28,
          ask: 0.29,
          bidSize: 15104.85,
          askSize: 27922.11,
        },
        {
          label: 'No',
          tokenId: 'KXFEDDECISION-26SEP-H25:no',
          price: 0.72,
          bid: 0.71,
          ask: 0.72,
          bidSize: 27922.11,
          askSize: 15104.85,
        },
      ],
      lastPrice: 0.28,
      change24h: -0.01,
      volume: 2544188.6,
      volume24h: 55285.33,
      liquidity: null,
      openInterest: 1680078.4,
      tickSize: 0.01,
      minSize: 0.01,
      closesAt: '2026-09-16T17:59:00.000Z',
      updatedAt: '2026-08-12T20:14:41.499Z',
      rules: `${HIKE['rules_primary']}\n\n${HIKE['rules_secondary']}`,
      resolutionSources: [{ name: 'Federal Reserve', url: 'https://www.federalreserve.gov/' }],
      fees: { formula: 'probability', takerRate: 0.07, makerRate: 0, exponent: 1, roundUpTo: 0.0001 },
      negRisk: null,
      opensAt: '2025-09-29T14:00:00.000Z',
      startsAt: null,
      canCloseEarly: true,
      expectedExpirationAt: '2026-09-16T18:05:00.000Z',
      latestExpirationAt: '2026-12-16T18:01:00.000Z',
      strike: { type: 'custom', floor: null, cap: null },
      spread: 0.01,
      rewards: null,
      change1h: null,
      change1w: null,
      category: 'Economics',
      tags: [],
      image: null,
      tickLadder: [{ start: 0, end: 1, step: 0.01 }],
    });
  });

  test('shows its strikes and its start, if the venue states them', async () => {
    const changes = {
      strike_type: 'between',
      floor_strike: 79.5,
      cap_strike: '80.5',
      occurrence_datetime: '2026-07-19T14:00:00Z',
    };
    expect(await marketWith(changes)).toMatchObject({
      strike: { type: 'between', floor: 79.5, cap: 80.5 },
      startsAt: '2026-07-19T14:00:00.000Z',
    });
  });

  test('is shown without fees while its series does not state them', async () => {
    await using venue = await replaying({
      ...withMarket({}),
      [`${API}/series/KXFEDDECISION`]: reply(404, {}),
    });
    const { market } = await venue.market.at('venue-a').market('KXFEDDECISION-26SEP-H25');
    expect(market).toMatchObject({ fees: null, lastPrice: 0.28 });
    const instrument = venue.market.instrument('KXFEDDECISION-26SEP-H25:yes');
    expect(await failureOf(instrument)).toMatchObject({ kind: 'unavailable' });
  });

  test('of the shape before 2026-03 (integer cents) is refused and never read as 0', async () => {
    const legacy = fixture<{ markets: Fields[] }>('kalshi-markets-legacy.json').markets[0] ?? {};
    await using venue = await replaying({
      [`${API}/markets/OLD-1`]: { market: legacy },
      [`${API}/events`]: EVENTS,
    });
    expect(await failureOf(venue.market.at('venue-a').market('OLD-1'))).toMatchObject(OF_ANOTHER_SHAPE);
  });

  test.each(['yes_bid_dollars', 'yes_ask_dollars', 'last_price_dollars', 'volume_fp', 'price_ranges'])(
    'without %s is an upstream error',
    async (name) => {
      expect(await refusalOf({ [name]: undefined })).toMatchObject(OF_ANOTHER_SHAPE);
    },
  );

  test.each([
    ['words', 'abc'],
    ['an exponent', '1e-2'],
    ['a price above 1', '1.2000'],
    ['a negative price', '-0.1000'],
    ['an empty price', ''],
    ['null', null],
  ])('with %s for a price is an upstream error', async (_, price) => {
    expect(await refusalOf({ yes_bid_dollars: price })).toMatchObject(OF_ANOTHER_SHAPE);
  });

  test('other than the requested one is an upstream error, for its view and for its instrument', async () => {
    await using venue = await replaying(withMarket({ ticker: 'OTHER' }));
    const venueA = venue.market.at('venue-a');
    const { instrument } = venue.market;
    expect(await failureOf(venueA.market('KXFEDDECISION-26SEP-H25'))).toMatchObject({ kind: 'unavailable' });
    expect(await failureOf(instrument('KXFEDDECISION-26SEP-H25:yes'))).toMatchObject({ kind: 'unavailable' });
  });

  test('without quotes has no bid and no ask: "0.0000" and "1.0000" with size 0 are no prices', async () => {
    const market = await marketWith({
      yes_bid_dollars: '0.0000',
      yes_bid_size_fp: '0.00',
      yes_ask_dollars: '1.0000',
      yes_ask_size_fp: '0.00',
    });
    expect(market.outcomes.map(({ bid, ask }) => [bid, ask])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  test('decides by the size whether a price is a quote: an ask of 0.9900 with size 0 is none', async () => {
    const market = await marketWith({ yes_ask_dollars: '0.9900', yes_ask_size_fp: '0.00' });
    expect(market.outcomes[0]).toMatchObject({ bid: 0.28, ask: null });
    expect(market.outcomes[1]).toMatchObject({ bid: null, ask: 0.72 });
  });

  test('without a trade has no last price and no change', async () => {
    const market = await marketWith({ last_price_dollars: '0.0000' });
    expect(market).toMatchObject({ lastPrice: null, change24h: null });
    expect(market.outcomes[0]?.price).toBe(0.285);
  });

  test('whose price of yesterday is 0.0000 has no change: there was no reference', async () => {
    expect((await marketWith({ previous_price_dollars: '0.0000' })).change24h).toBeNull();
  });

  test.each([
    ['initialized', 'unopened'],
    ['active', 'open'],
    ['inactive', 'paused'],
    ['closed', 'closed'],
    ['determined', 'closed'],
    ['disputed', 'closed'],
    ['amended', 'closed'],
    ['finalized', 'settled'],
    ['something_new', 'paused'],
  ])('with status %s is %s', async (status, expected) => {
    expect((await marketWith({ status })).status).toBe(expected);
  });

  test('has the finer step near 0 and 1 where its price ranges say so', async () => {
    const price_ranges = [
      { start: '0.0000', end: '0.1000', step: '0.0010' },
      { start: '0.1000', end: '0.9000', step: '0.0100' },
      { start: '0.9000', end: '1.0000', step: '0.0010' },
    ];
    expect((await marketWith({ price_ranges, last_price_dollars: '0.0350' })).tickSize).toBe(0.001);
    expect((await marketWith({ price_ranges, last_price_dollars: '0.3500' })).tickSize).toBe(0.01);
  });

  test('whose event the list does not have asks for the event alone, which comes with its markets beside it', async () => {
    await using venue = await replaying({
      ...withMarket({ title: '' }),
      [`${API}/events`]: { events: [], cursor: '' },
      [`${API}/events/KXFEDDECISION-26SEP`]: { event: EVENTS.events[0], markets: MARKETS },
    });
    const { market } = await venue.market.at('venue-a').market('KXFEDDECISION-26SEP-H25');
    expect(market.event).toEqual({
      id: 'KXFEDDECISION-26SEP',
      slug: null,
      title: 'Fed decision in September?',
    });
    expect(market.title).toBe('Fed decision in September?');
  });

  test('whose event’s own route answers about another event is an upstream error', async () => {
    await using venue = await replaying({
      ...withMarket({}),
      [`${API}/events`]: { events: [], cursor: '' },
      [`${API}/events/KXFEDDECISION-26SEP`]: { event: { ...EVENTS.events[0], event_ticker: 'OTHER' } },
    });
    expect(await failureOf(venue.market.at('venue-a').market('KXFEDDECISION-26SEP-H25'))).toMatchObject({
      kind: 'unavailable',
    });
  });

  test('that has moved to the archive is found there', async () => {
    await using venue = await replaying({
      [`${API}/historical/markets/OLD-24-T1`]: {
        market: { ...HIKE, ticker: 'OLD-24-T1', status: 'finalized', result: 'yes' },
      },
      [`${API}/events`]: EVENTS,
    });
    const { market } = await venue.market.at('venue-a').market('OLD-24-T1');
    expect(market).toMatchObject({ id: 'OLD-24-T1', status: 'settled', result: 'yes' });
  });

  test.each([
    ['nested', { error: { code: 'not_found', message: 'not found' } }],
    ['flat', { code: 'not_found', message: 'not found' }],
  ])('that is unknown is not found, whether the error body is %s', async (_, body) => {
    await using venue = await replaying({
      [`${API}/markets/NOPE`]: reply(404, body),
      [`${API}/historical/markets/NOPE`]: reply(404, body),
    });
    expect(await failureOf(venue.market.at('venue-a').market('NOPE'))).toMatchObject({ kind: 'not_found' });
  });
});

describe('Kalshi search', () => {
  test('takes tickers only from the v1 search, which mixes cents and dollars, and re-quotes them', async () => {
    const first = 'KXRATECUT-26DEC31';
    await using venue = await replaying({
      [SEARCH]: fixture('kalshi-search.json'),
      [`${API}/markets`]: {
        markets: [{ ...HIKE, ticker: first, event_ticker: 'KXRATECUT-26DEC31' }],
        cursor: '',
      },
      [`${API}/events`]: { events: [], cursor: '' },
    });
    const { markets } = await venue.market.at('venue-a').search('fed rate cut', 20);
    expect(markets.map(({ id, lastPrice, event }) => [id, lastPrice, event])).toEqual([[first, 0.28, null]]);
    expect(venue.requests[0]).toBe(
      `${SEARCH}?query=fed+rate+cut&order_by=querymatch&page_size=25&fuzzy_threshold=4&status=open`,
    );
    expect(venue.requests[1]).toContain(`tickers=${first}`);
  });

  test('leaves out markets that are no longer open', async () => {
    await using venue = await replaying({
      [SEARCH]: { current_page: [{ markets: [{ ticker: 'A-1' }, { ticker: 'A-2' }] }] },
      [`${API}/markets`]: {
        markets: [
          { ...HIKE, ticker: 'A-1', status: 'closed' },
          { ...HIKE, ticker: 'A-2' },
        ],
        cursor: '',
      },
      [`${API}/events`]: EVENTS,
    });
    const { markets } = await venue.market.at('venue-a').search('a', 20);
    expect(markets.map(({ id }) => id)).toEqual(['A-2']);
  });

  test('continues without the undocumented search, by an index of all events that is built in the background', async () => {
    await using venue = await replaying({
      [SEARCH]: reply(404, {}),
      [`${API}/events`]: (url: URL) => ({
        status: 200,
        body: url.searchParams.has('tickers')
          ? EVENTS
          : { events: [{ ...EVENTS.events[0], markets: MARKETS }], cursor: '' },
      }),
      [`${API}/markets`]: { markets: MARKETS, cursor: '' },
    });
    const venueA = venue.market.at('venue-a');
    expect(await failureOf(venueA.search('september', 20))).toMatchObject({
      kind: 'unavailable',
      retryAfterSec: 30,
    });
    await expect
      .poll(() => venueA.search('september', 20).catch(() => null), { timeout: 5_000 })
      .not.toBeNull();
    const { markets } = await venueA.search('september', 3);
    expect(markets).toHaveLength(3);
    expect((await venueA.top(1)).markets[0]?.volume24h).toBe(
      Math.max(...MARKETS.map((market) => Number(market['volume_24h_fp']))),
    );
  });

  test('by the index finds all markets of an event; events with a malformed volume or name affect no other', {
    tags: ['long'],
  }, async () => {
    const ladder = Array.from({ length: 9 }, (_, row) => ({ ...HIKE, ticker: `LADDER-${row}` }));
    const silent = { ...HIKE, ticker: 'LADDER-9', volume_24h_fp: undefined };
    await using venue = await replaying({
      [SEARCH]: reply(500, {}),
      [`${API}/events`]: (url: URL) => ({
        status: 200,
        body: url.searchParams.has('tickers')
          ? EVENTS
          : {
              events: [{ title: 7 }, { ...EVENTS.events[0], markets: [...ladder, silent, null] }],
              cursor: '',
            },
      }),
      [`${API}/markets`]: { markets: ladder, cursor: '' },
    });
    const venueA = venue.market.at('venue-a');
    await expect
      .poll(() => venueA.search('september', 50).catch(() => null), { timeout: 5_000 })
      .not.toBeNull();
    expect((await venueA.search('september', 50)).markets).toHaveLength(9);
    expect(venue.requests.some((path) => path.includes('LADDER-9'))).toBe(true);
  });

  test('builds the index again ten minutes later, even after our clock was set back', async () => {
    await using venue = await replaying({
      [SEARCH]: reply(404, {}),
      [`${API}/events`]: { events: [{ ...EVENTS.events[0], markets: MARKETS }], cursor: '' },
      [`${API}/markets`]: { markets: MARKETS, cursor: '' },
    });
    const venueA = venue.market.at('venue-a');
    const crawls = () => venue.requests.filter((path) => path.includes('with_nested_markets')).length;
    await expect
      .poll(() => venueA.search('september', 3).catch(() => null), { timeout: 5_000 })
      .not.toBeNull();
    const [monotonic, wall] = [performance.now.bind(performance), Date.now.bind(Date)];
    vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + 600_000);
    vi.spyOn(Date, 'now').mockImplementation(() => wall() - 3_600_000);
    try {
      // On a busy machine a search may be refused for lack of time: the test waits for the index.
      const crawlsNow = () => venueA.search('september', 3).then(crawls, crawls);
      await expect.poll(crawlsNow, { timeout: 20_000 }).toBe(2);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('has the busiest open markets on top', async () => {
    await using venue = await replaying({
      [SEARCH]: { current_page: [{ markets: MARKETS.map(({ ticker }) => ({ ticker })) }] },
      [`${API}/markets`]: { markets: MARKETS, cursor: '' },
      [`${API}/events`]: EVENTS,
    });
    const volumes = (await venue.market.at('venue-a').top(3)).markets.map(({ volume24h }) => volume24h ?? 0);
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    expect(venue.requests[0]).toContain('order_by=trending');
  });
});
