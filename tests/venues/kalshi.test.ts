import { describe, expect, it } from 'vitest';
import { failureOf, fixture, replaying, reply } from './support/replay.ts';

const API = '/kalshi/trade-api/v2';
const SEARCH = '/kalshi/v1/search/series';

const OF_ANOTHER_SHAPE = { kind: 'unavailable', message: expect.stringContaining('another shape') };

type Fields = Record<string, unknown>;
const MARKETS = fixture<{ markets: Fields[] }>('kalshi-markets.json').markets;
const HIKE = MARKETS.find((market) => market['ticker'] === 'KXFEDDECISION-26SEP-H25') ?? {};

const EVENTS = {
  events: [
    {
      event_ticker: 'KXFEDDECISION-26SEP',
      series_ticker: 'KXFEDDECISION',
      title: 'Fed decision in September?',
      sub_title: 'Sep 16, 2026',
      mutually_exclusive: true,
    },
  ],
  cursor: '',
};

/** One market as the venue's only one, with some fields changed (undefined takes a field away). */
const withMarket = (changes: Fields) => ({
  [`${API}/markets/KXFEDDECISION-26SEP-H25`]: { market: { ...HIKE, ...changes } },
  [`${API}/events`]: EVENTS,
  [`${API}/series/KXFEDDECISION`]: { series: { fee_type: 'quadratic', fee_multiplier: 1 } },
});

async function marketWith(changes: Fields) {
  await using venue = await replaying(withMarket(changes));
  return (await venue.market.venueA.market('KXFEDDECISION-26SEP-H25')).market;
}

async function refusalOf(changes: Fields) {
  await using venue = await replaying(withMarket(changes));
  return await failureOf(venue.market.venueA.market('KXFEDDECISION-26SEP-H25'));
}

describe('a Kalshi market', () => {
  it('is read from dollar strings and contract strings, whole', async () => {
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
        { label: 'Yes', tokenId: 'KXFEDDECISION-26SEP-H25:yes', price: 0.28, bid: 0.28, ask: 0.29 },
        { label: 'No', tokenId: 'KXFEDDECISION-26SEP-H25:no', price: 0.72, bid: 0.71, ask: 0.72 },
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
    });
  });

  it('of the shape before 2026-03 (integer cents) is refused and never read as 0', async () => {
    const legacy = fixture<{ markets: Fields[] }>('kalshi-markets-legacy.json').markets[0] ?? {};
    await using venue = await replaying({
      [`${API}/markets/OLD-1`]: { market: legacy },
      [`${API}/events`]: EVENTS,
    });
    expect(await failureOf(venue.market.venueA.market('OLD-1'))).toMatchObject(OF_ANOTHER_SHAPE);
  });

  it.each(['yes_bid_dollars', 'yes_ask_dollars', 'last_price_dollars', 'volume_fp', 'price_ranges'])(
    'without %s is an upstream error',
    async (name) => {
      expect(await refusalOf({ [name]: undefined })).toMatchObject(OF_ANOTHER_SHAPE);
    },
  );

  it.each([
    ['words', 'abc'],
    ['an exponent', '1e-2'],
    ['a price above 1', '1.2000'],
    ['a negative price', '-0.1000'],
    ['an empty price', ''],
    ['null', null],
  ])('with %s for a price is an upstream error', async (_, price) => {
    expect(await refusalOf({ yes_bid_dollars: price })).toMatchObject(OF_ANOTHER_SHAPE);
  });

  it('without quotes has no bid and no ask: "0.0000" and "1.0000" with size 0 are no prices', async () => {
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

  it('decides by the size whether a price is a quote: an ask of 0.9900 with size 0 is none', async () => {
    const market = await marketWith({ yes_ask_dollars: '0.9900', yes_ask_size_fp: '0.00' });
    expect(market.outcomes[0]).toMatchObject({ bid: 0.28, ask: null });
    expect(market.outcomes[1]).toMatchObject({ bid: null, ask: 0.72 });
  });

  it('without a trade has no last price and no change', async () => {
    const market = await marketWith({ last_price_dollars: '0.0000' });
    expect(market).toMatchObject({ lastPrice: null, change24h: null });
    expect(market.outcomes[0]?.price).toBe(0.285);
  });

  it('whose price of yesterday is 0.0000 has no change: there was no reference', async () => {
    expect((await marketWith({ previous_price_dollars: '0.0000' })).change24h).toBeNull();
  });

  it.each([
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

  it('has the finer step near 0 and 1 where its price ranges say so', async () => {
    const price_ranges = [
      { start: '0.0000', end: '0.1000', step: '0.0010' },
      { start: '0.1000', end: '0.9000', step: '0.0100' },
      { start: '0.9000', end: '1.0000', step: '0.0010' },
    ];
    expect((await marketWith({ price_ranges, last_price_dollars: '0.0350' })).tickSize).toBe(0.001);
    expect((await marketWith({ price_ranges, last_price_dollars: '0.3500' })).tickSize).toBe(0.01);
  });

  it('that has moved to the archive is found there', async () => {
    await using venue = await replaying({
      [`${API}/historical/markets/OLD-24-T1`]: {
        market: { ...HIKE, ticker: 'OLD-24-T1', status: 'finalized', result: 'yes' },
      },
      [`${API}/events`]: EVENTS,
    });
    const { market } = await venue.market.venueA.market('OLD-24-T1');
    expect(market).toMatchObject({ id: 'OLD-24-T1', status: 'settled', result: 'yes' });
  });

  it.each([
    ['nested', { error: { code: 'not_found', message: 'not found' } }],
    ['flat', { code: 'not_found', message: 'not found' }],
  ])('that is unknown is not found, whether the error body is %s', async (_, body) => {
    await using venue = await replaying({
      [`${API}/markets/NOPE`]: reply(404, body),
      [`${API}/historical/markets/NOPE`]: reply(404, body),
    });
    expect(await failureOf(venue.market.venueA.market('NOPE'))).toMatchObject({ kind: 'not_found' });
  });
});

describe('Kalshi search', () => {
  it('takes tickers only from the v1 search, which mixes cents and dollars, and re-quotes them', async () => {
    const first = 'KXRATECUT-26DEC31';
    await using venue = await replaying({
      [SEARCH]: fixture('kalshi-search.json'),
      [`${API}/markets`]: {
        markets: [{ ...HIKE, ticker: first, event_ticker: 'KXRATECUT-26DEC31' }],
        cursor: '',
      },
      [`${API}/events`]: { events: [], cursor: '' },
    });
    const { markets } = await venue.market.venueA.search('fed rate cut', 20);
    expect(markets.map(({ id, lastPrice, event }) => [id, lastPrice, event])).toEqual([[first, 0.28, null]]);
    expect(venue.asked[0]).toBe(
      `${SEARCH}?query=fed+rate+cut&order_by=querymatch&page_size=25&fuzzy_threshold=4&status=open`,
    );
    expect(venue.asked[1]).toContain(`tickers=${first}`);
  });

  it('leaves out markets that are not open any more', async () => {
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
    const { markets } = await venue.market.venueA.search('a', 20);
    expect(markets.map(({ id }) => id)).toEqual(['A-2']);
  });

  it('goes on without the undocumented search, by an index of all events that is built in the background', async () => {
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
    const { venueA } = venue.market;
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

  it('has the busiest open markets on top', async () => {
    await using venue = await replaying({
      [SEARCH]: { current_page: [{ markets: MARKETS.map(({ ticker }) => ({ ticker })) }] },
      [`${API}/markets`]: { markets: MARKETS, cursor: '' },
      [`${API}/events`]: EVENTS,
    });
    const volumes = (await venue.market.venueA.top(3)).markets.map(({ volume24h }) => volume24h ?? 0);
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    expect(venue.asked[0]).toContain('order_by=trending');
  });
});

describe('Kalshi history', () => {
  const bar = (value: string) => ({
    open_dollars: value,
    high_dollars: value,
    low_dollars: value,
    close_dollars: value,
  });
  const nowSec = Math.floor(Date.now() / 3_600_000) * 3_600;

  async function historyOf(candlesticks: unknown[], interval: '1d' | '1w' | 'all' = '1w') {
    await using venue = await replaying({
      ...withMarket({ close_time: '2099-01-01T00:00:00Z' }),
      [`${API}/markets/candlesticks`]: {
        markets: [{ market_ticker: 'KXFEDDECISION-26SEP-H25', candlesticks }],
      },
    });
    const { points } = await venue.market.venueA.history('KXFEDDECISION-26SEP-H25', interval);
    return { points, asked: venue.asked.find((path) => path.includes('candlesticks')) ?? '' };
  }

  const candle = (end_period_ts: number, price: Fields, bid = '0.4600', ask = '0.4700') => ({
    end_period_ts,
    price,
    yes_bid: bar(bid),
    yes_ask: bar(ask),
    volume_fp: '1.00',
    open_interest_fp: '1.00',
  });

  it('needs no series ticker and asks for the price before the window, in seconds', async () => {
    const { asked } = await historyOf([]);
    expect(asked).toMatch(
      /start_ts=\d{10}&end_ts=\d{10}&period_interval=60&market_tickers=KXFEDDECISION-26SEP-H25&include_latest_before_start=true/,
    );
  });

  it('takes the close, else the price before, else the middle of the quotes; and sorts', async () => {
    const { points } = await historyOf([
      candle(nowSec - 3_600, { previous_dollars: '0.4400' }),
      candle(nowSec - 7_200, bar('0.4500')),
      candle(nowSec, {}),
    ]);
    expect(points.map(({ p }) => p)).toEqual([0.45, 0.44, 0.465]);
    expect(points[0]).toMatchObject({ o: 0.45, h: 0.45, l: 0.45, v: 1 });
    expect(points[1]).not.toHaveProperty('o');
  });

  it('leaves out a bucket without trade, price before and quotes', async () => {
    const { points } = await historyOf([
      candle(nowSec, {}, '0.0000', '1.0000'),
      candle(nowSec - 60, {}, '0.0000', '0.0000'),
    ]);
    expect(points).toEqual([]);
  });

  it('carries the price before the window to its start', async () => {
    const { points } = await historyOf([
      candle(nowSec - 90 * 86_400, bar('0.2000')),
      candle(nowSec - 3_600, bar('0.3000')),
    ]);
    expect(points.map(({ p }) => p)).toEqual([0.2, 0.3]);
    expect(Date.parse(points[0]?.t ?? '')).toBeGreaterThan(Date.now() - 8 * 86_400_000);
  });

  it('asks for minutes of a day and shows every fifth', async () => {
    const minute = Math.floor(Date.now() / 300_000) * 300;
    const candles = Array.from({ length: 10 }, (_, index) => candle(minute - index * 60, bar('0.4000')));
    const { points, asked } = await historyOf(candles, '1d');
    expect(asked).toContain('period_interval=1&');
    expect(points).toHaveLength(2);
    expect(points[1]?.v).toBe(5);
  });

  it('of the legacy shape (integer cents) is refused', async () => {
    const { candlesticks } = fixture<{ candlesticks: Fields[] }>('kalshi-candlesticks-legacy.json');
    await expect(historyOf(candlesticks)).rejects.toMatchObject(OF_ANOTHER_SHAPE);
  });

  it('of an archived market comes from its own route, whose keys have no suffix and whose absent prices are null', async () => {
    const value = (close: string | null) => ({ open: close, high: close, low: close, close, previous: null });
    const ended = {
      ...HIKE,
      ticker: 'OLD-1',
      status: 'finalized',
      open_time: '2024-02-01T00:00:00Z',
      close_time: '2024-02-29T00:00:00Z',
    };
    const end = Date.UTC(2024, 1, 10) / 1_000;
    await using venue = await replaying({
      [`${API}/historical/markets/OLD-1`]: { market: ended },
      [`${API}/historical/markets/OLD-1/candlesticks`]: {
        candlesticks: [
          {
            end_period_ts: end,
            price: value('0.0500'),
            yes_bid: value('0.0300'),
            yes_ask: value('0.0600'),
            volume: '51.00',
          },
          {
            end_period_ts: end + 86_400,
            price: value(null),
            yes_bid: value('0.0300'),
            yes_ask: value('0.0600'),
            volume: '0.00',
          },
        ],
      },
    });
    const { points } = await venue.market.venueA.history('OLD-1', 'all');
    expect(points.map(({ p }) => p)).toEqual([0.05, 0.045]);
  });
});

describe('a Kalshi instrument', () => {
  const TOKEN = 'KXFEDDECISION-26SEP-H25';

  it('is one side of a market, with the fee of its series', async () => {
    await using venue = await replaying(withMarket({}));
    expect(await venue.market.instrument(`${TOKEN}:no`)).toMatchObject({
      tokenId: `${TOKEN}:no`,
      venue: 'venue-a',
      market: TOKEN,
      outcome: 'no',
      tickSize: '0.01',
      stepSize: '0.01',
      quoteCurrency: 'USD',
      tradable: true,
      status: 'open',
      settlementValue: null,
      feeSchedule: {
        formula: 'probability',
        takerRate: '0.07',
        makerRate: '0',
        exponent: 1,
        roundUpTo: '0.0001',
      },
    });
  });

  it('charges makers a quarter where the series does, and scales with the multiplier', async () => {
    await using venue = await replaying({
      ...withMarket({}),
      [`${API}/series/KXFEDDECISION`]: {
        series: { fee_type: 'quadratic_with_maker_fees', fee_multiplier: 0.5 },
      },
    });
    const info = await venue.market.instrument(`${TOKEN}:yes`);
    expect(info?.feeSchedule).toMatchObject({ takerRate: '0.035', makerRate: '0.00875' });
  });

  it('whose fee formula is not known is data only', async () => {
    await using venue = await replaying({
      ...withMarket({}),
      [`${API}/series/KXFEDDECISION`]: { series: { fee_type: 'flat', fee_multiplier: 1 } },
    });
    expect(await venue.market.instrument(`${TOKEN}:yes`)).toMatchObject({
      feeSchedule: null,
      tradable: false,
    });
  });

  it.each([
    [{ status: 'finalized', result: 'yes', settlement_value_dollars: '1.0000' }, '1', '0'],
    [{ status: 'finalized', result: 'scalar', settlement_value_dollars: '0.5000' }, '0.5', '0.5'],
    [{ status: 'finalized', result: 'no' }, '0', '1'],
    [{ status: 'finalized', result: '' }, null, null],
    [{ status: 'determined', result: 'yes' }, null, null],
    [{ status: 'active', result: '' }, null, null],
  ])('pays what the venue stated, once it is final: %o', async (changes, yes, no) => {
    await using venue = await replaying(withMarket(changes));
    expect((await venue.market.instrument(`${TOKEN}:yes`))?.settlementValue).toBe(yes);
    expect((await venue.market.instrument(`${TOKEN}:no`))?.settlementValue).toBe(no);
  });
});

describe('Kalshi quotes and books', () => {
  it('come for many tokens in one call, both sides from one record, and leave out what is unknown', async () => {
    await using venue = await replaying({ [`${API}/markets`]: { markets: MARKETS, cursor: '' } });
    const tokens = MARKETS.flatMap(({ ticker }) => [`${ticker}:yes`, `${ticker}:no`]);
    const quotes = await venue.market.quotes([...tokens, 'NOPE-1:yes']);
    expect(quotes.map(({ tokenId }) => tokenId)).toEqual(tokens);
    expect(venue.asked).toHaveLength(1);
    const [yes, no] = quotes.filter(({ tokenId }) => tokenId.startsWith('KXFEDDECISION-26SEP-H25'));
    expect(yes).toMatchObject({
      bid: '0.28',
      bidSize: '15104.85',
      ask: '0.29',
      askSize: '27922.11',
      last: '0.28',
    });
    expect(no).toMatchObject({
      bid: '0.71',
      bidSize: '27922.11',
      ask: '0.72',
      askSize: '15104.85',
      last: '0.72',
    });
  });

  it('turns bids of both sides into a book, best first: an offer is a bid for the other side', async () => {
    await using venue = await replaying({
      [`${API}/markets/T-1/orderbook`]: {
        orderbook_fp: {
          yes_dollars: [
            ['0.4500', '100.00'],
            ['0.4600', '1200.00'],
          ],
          no_dollars: [
            ['0.5200', '10.00'],
            ['0.5300', '310.50'],
            ['0.5310', '0.00'],
          ],
        },
      },
    });
    expect(await venue.market.orderBook('T-1:yes')).toMatchObject({
      bids: [
        { price: '0.46', size: '1200' },
        { price: '0.45', size: '100' },
      ],
      asks: [
        { price: '0.47', size: '310.5' },
        { price: '0.48', size: '10' },
      ],
    });
    expect(await venue.market.orderBook('T-1:no')).toMatchObject({
      bids: [
        { price: '0.53', size: '310.5' },
        { price: '0.52', size: '10' },
      ],
      asks: [
        { price: '0.54', size: '1200' },
        { price: '0.55', size: '100' },
      ],
    });
  });

  it('refuses a crossed book', async () => {
    await using venue = await replaying({
      [`${API}/markets/T-1/orderbook`]: {
        orderbook_fp: { yes_dollars: [['0.6000', '1.00']], no_dollars: [['0.4500', '1.00']] },
      },
    });
    expect(await failureOf(venue.market.orderBook('T-1:yes'))).toMatchObject({ kind: 'unavailable' });
  });

  it('refuses a book by its old key', async () => {
    await using venue = await replaying({
      [`${API}/markets/T-1/orderbook`]: { orderbook: { yes: [[46, 1]], no: null } },
    });
    expect(await failureOf(venue.market.orderBook('T-1:yes'))).toMatchObject({ kind: 'unavailable' });
  });
});
