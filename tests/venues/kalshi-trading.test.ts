import { describe, expect, test } from 'vitest';
import { API, type Fields, HIKE, MARKETS, withMarket } from './support/kalshi.ts';
import { failureOf, fixture, replaying } from './support/replay.ts';

const OF_ANOTHER_SHAPE = { kind: 'unavailable', message: expect.stringContaining('unexpected shape') };

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
    const { points } = await venue.market.at('venue-a').history('KXFEDDECISION-26SEP-H25', interval);
    return { points, request: venue.requests.find((path) => path.includes('candlesticks')) ?? '' };
  }

  const candle = (end_period_ts: number, price: Fields, bid = '0.4600', ask = '0.4700') => ({
    end_period_ts,
    price,
    yes_bid: bar(bid),
    yes_ask: bar(ask),
    volume_fp: '1.00',
    open_interest_fp: '1.00',
  });

  test('needs no series ticker and asks for the price before the window, in seconds', async () => {
    const { request } = await historyOf([]);
    expect(request).toMatch(
      /start_ts=\d{10}&end_ts=\d{10}&period_interval=60&market_tickers=KXFEDDECISION-26SEP-H25&include_latest_before_start=true/,
    );
  });

  test('takes the close, else the price before, else the middle of the quotes; and sorts', async () => {
    const { points } = await historyOf([
      candle(nowSec - 3_600, { previous_dollars: '0.4400' }),
      candle(nowSec - 7_200, bar('0.4500')),
      candle(nowSec, {}),
    ]);
    expect(points.map(({ p }) => p)).toEqual([0.45, 0.44, 0.465]);
    expect(points[0]).toMatchObject({ o: 0.45, h: 0.45, l: 0.45, v: 1 });
    expect(points[1]).not.toHaveProperty('o');
  });

  test('leaves out a bucket without trade, price before and quotes', async () => {
    const { points } = await historyOf([
      candle(nowSec, {}, '0.0000', '1.0000'),
      candle(nowSec - 3_600, {}, '0.0000', '0.0000'),
    ]);
    expect(points).toEqual([]);
  });

  test.each([
    ['one that ends off the hour', [candle(nowSec, bar('0.4000')), candle(nowSec - 60, bar('0.4000'))]],
    ['two that claim one hour', [candle(nowSec, bar('0.4000')), candle(nowSec, bar('0.5000'))]],
    ['a high below the close', [candle(nowSec, { ...bar('0.4000'), high_dollars: '0.3900' })]],
  ])('with %s is refused', async (_, candlesticks) => {
    expect(await failureOf(historyOf(candlesticks))).toMatchObject(OF_ANOTHER_SHAPE);
  });

  test('counts a candle that is sent twice once', async () => {
    const sent = candle(nowSec, bar('0.4000'));
    expect((await historyOf([sent, sent])).points).toHaveLength(1);
  });

  test('carries the price before the window to its start', async () => {
    const { points } = await historyOf([
      candle(nowSec - 90 * 86_400, bar('0.2000')),
      candle(nowSec - 3_600, bar('0.3000')),
    ]);
    expect(points.map(({ p }) => p)).toEqual([0.2, 0.3]);
    expect(Date.parse(points[0]?.t ?? '')).toBeGreaterThan(Date.now() - 8 * 86_400_000);
  });

  test('requests minutes of a day and shows every fifth', async () => {
    const minute = Math.floor(Date.now() / 300_000) * 300;
    const candles = Array.from({ length: 10 }, (_, index) => candle(minute - index * 60, bar('0.4000')));
    const { points, request } = await historyOf(candles, '1d');
    expect(request).toContain('period_interval=1&');
    expect(points).toHaveLength(2);
    expect(points[1]?.v).toBe(5);
  });

  test('of the legacy shape (integer cents) is refused', async () => {
    const { candlesticks } = fixture<{ candlesticks: Fields[] }>('kalshi-candlesticks-legacy.json');
    await expect(historyOf(candlesticks)).rejects.toMatchObject(OF_ANOTHER_SHAPE);
  });

  test('of an archived market comes from its own route, whose keys have no suffix and whose absent prices are null', async () => {
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
    const { points } = await venue.market.at('venue-a').history('OLD-1', 'all');
    expect(points.map(({ p }) => p)).toEqual([0.05, 0.045]);
  });
});

describe('a Kalshi instrument', () => {
  const TOKEN = 'KXFEDDECISION-26SEP-H25';

  test('is one side of a market, with the fee of its series', async () => {
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

  test('charges makers a quarter where the series does, and scales with the multiplier', async () => {
    await using venue = await replaying({
      ...withMarket({}),
      [`${API}/series/KXFEDDECISION`]: {
        series: { fee_type: 'quadratic_with_maker_fees', fee_multiplier: 0.5 },
      },
    });
    const info = await venue.market.instrument(`${TOKEN}:yes`);
    expect(info?.feeSchedule).toMatchObject({ takerRate: '0.035', makerRate: '0.00875' });
  });

  test('whose fee formula is unknown is data only', async () => {
    await using venue = await replaying({
      ...withMarket({}),
      [`${API}/series/KXFEDDECISION`]: { series: { fee_type: 'flat', fee_multiplier: 1 } },
    });
    expect(await venue.market.instrument(`${TOKEN}:yes`)).toMatchObject({
      feeSchedule: null,
      tradable: false,
    });
  });

  test.each([
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
  test('come for many tokens in one call, both sides from one record, and leave out what is unknown', async () => {
    await using venue = await replaying({ [`${API}/markets`]: { markets: MARKETS, cursor: '' } });
    const tokens = MARKETS.flatMap(({ ticker }) => [`${ticker}:yes`, `${ticker}:no`]);
    const quotes = await venue.market.quotes([...tokens, 'NOPE-1:yes']);
    expect(quotes.map(({ tokenId }) => tokenId)).toEqual(tokens);
    expect(venue.requests).toHaveLength(1);
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

  test('of crossed or locked prices have no top of book on either side, and state that it is unknown', async () => {
    const [market] = MARKETS;
    for (const ask of ['0.2800', '0.2700']) {
      const sizes = { yes_bid_size_fp: '1.00', yes_ask_size_fp: '1.00' };
      const crossed = { ...market, ...sizes, yes_bid_dollars: '0.2800', yes_ask_dollars: ask };
      await using venue = await replaying({ [`${API}/markets`]: { markets: [crossed], cursor: '' } });
      const tokens = ['yes', 'no'].map((side) => `${market?.['ticker']}:${side}`);
      for (const quote of await venue.market.quotes(tokens)) {
        expect(quote).toMatchObject({ bid: null, ask: null, topOfBookUnknown: true });
      }
    }
  });

  test('turns bids of both sides into a book, best first: an offer is a bid for the other side', async () => {
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

  test('refuses a crossed book', async () => {
    await using venue = await replaying({
      [`${API}/markets/T-1/orderbook`]: {
        orderbook_fp: { yes_dollars: [['0.6000', '1.00']], no_dollars: [['0.4500', '1.00']] },
      },
    });
    expect(await failureOf(venue.market.orderBook('T-1:yes'))).toMatchObject({ kind: 'unavailable' });
  });

  test('refuses a book by its old key', async () => {
    await using venue = await replaying({
      [`${API}/markets/T-1/orderbook`]: { orderbook: { yes: [[46, 1]], no: null } },
    });
    expect(await failureOf(venue.market.orderBook('T-1:yes'))).toMatchObject({ kind: 'unavailable' });
  });
});
