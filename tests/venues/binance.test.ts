import { describe, expect, test } from 'vitest';
import { failureOf, fixture, replaying, reply } from './support/replay.ts';

const API = '/binance/api/v3';
const OF_ANOTHER_SHAPE = { kind: 'unavailable', message: expect.stringContaining('unexpected shape') };

type Fields = Record<string, unknown>;
const TICKER = fixture<Fields>('binance-ticker.json');
const INFO = fixture<{ symbols: Fields[] }>('binance-exchange-info.json');

const infoOf = (url: URL) => {
  const names = JSON.parse(url.searchParams.get('symbols') ?? 'null') as string[] | null;
  const symbols = INFO.symbols.filter(({ symbol }) => names === null || names.includes(String(symbol)));
  if (names !== null && symbols.length < names.length)
    return { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } };
  return { status: 200, body: { ...INFO, symbols } };
};

describe('Binance', () => {
  test('summary is read from strings', async () => {
    await using venue = await replaying({ [`${API}/ticker/24hr`]: TICKER });
    expect(await venue.market.at('crypto').summary('DOGEUSDT')).toMatchObject({
      kind: 'summary',
      symbol: 'DOGEUSDT',
      price: Number(TICKER['lastPrice']),
      change: Number(TICKER['priceChange']),
      high: Number(TICKER['highPrice']),
      bid: Number(TICKER['bidPrice']),
      ask: Number(TICKER['askPrice']),
      source: 'simulator',
    });
  });

  test.each([
    ['BTCUSDT', 'BTCUSDT'],
    ['btc-usdt', 'BTCUSDT'],
    ['BTC/USDT', 'BTCUSDT'],
    ['BTC', 'BTCUSDT'],
    ['ethbtc', 'ETHBTC'],
  ])('reads %s as %s', async (text, symbol) => {
    await using venue = await replaying({
      [`${API}/ticker/24hr`]: { ...TICKER, symbol },
      [`${API}/exchangeInfo`]: infoOf,
    });
    await venue.market.at('crypto').summary(text);
    expect(venue.requests.at(-1)).toContain(`symbol=${symbol}`);
  });

  test.each([
    ['lastPrice', 'NaN'],
    ['lastPrice', ''],
    ['bidPrice', undefined],
    ['volume', '-1'],
  ])('summary with %s %s is an upstream error', async (name, value) => {
    await using venue = await replaying({ [`${API}/ticker/24hr`]: { ...TICKER, [name]: value } });
    expect(await failureOf(venue.market.at('crypto').summary('DOGEUSDT'))).toMatchObject(OF_ANOTHER_SHAPE);
  });

  test('reports an invalid symbol (-1121) as not found', async () => {
    const invalid = reply(400, fixture('binance-error-1121.json'));
    await using venue = await replaying({
      [`${API}/ticker/24hr`]: invalid,
      [`${API}/klines`]: invalid,
      [`${API}/aggTrades`]: invalid,
    });
    const crypto = venue.market.at('crypto');
    expect(await failureOf(crypto.summary('NOPEUSDT'))).toMatchObject({ kind: 'not_found' });
    expect(await failureOf(crypto.klines('NOPEUSDT', '1h', 5))).toMatchObject({ kind: 'not_found' });
    expect(await failureOf(crypto.trades('NOPEUSDT', 5))).toMatchObject({ kind: 'not_found' });
  });

  test('trades come oldest first, with the side of the taker', async () => {
    const trades = fixture<Fields[]>('binance-agg-trades.json');
    await using venue = await replaying({ [`${API}/aggTrades`]: trades });
    const answer = await venue.market.at('crypto').trades('BTCUSDT', 5);
    expect(answer.trades).toHaveLength(5);
    expect(answer.trades.map(({ id }) => id)).toEqual(trades.slice(-5).map(({ a }) => String(a)));
    // m: the buyer was the maker, so the taker sold.
    expect(answer.trades.map(({ side }) => side)).toEqual(
      trades.slice(-5).map(({ m }) => (m ? 'sell' : 'buy')),
    );
  });

  test('klines come ascending, and 1m is not 1M', async () => {
    const klines = fixture<unknown[][]>('binance-klines.json');
    await using venue = await replaying({ [`${API}/klines`]: [...klines].reverse() });
    const answer = await venue.market.at('crypto').klines('BTCUSDT', '1h', 100);
    // The recording is of hours, which is neither a minute nor a month.
    await failureOf(venue.market.at('crypto').klines('BTCUSDT', '1m', 100));
    await failureOf(venue.market.at('crypto').klines('BTCUSDT', '1M', 100));
    expect(venue.requests[1]).toContain('interval=1m&');
    expect(venue.requests[2]).toContain('interval=1M&');
    expect(answer.klines).toHaveLength(klines.length);
    expect(answer.klines[0]).toMatchObject({ t: '2022-12-31T20:00:00.000Z', o: 16570.14, trades: 90705 });
    const times = answer.klines.map(({ t }) => t);
    expect(times).toEqual([...times].sort());
  });

  test.each([
    ['a low above the open', 3, '16571.00'],
    ['a low above the close', 3, '16569.00'],
    ['a high below the open', 2, '16570.00'],
    ['a high below the close', 4, '16575.00'],
  ])('klines with %s are an upstream error, for pictures and for indicators', async (_, field, price) => {
    const [kline = []] = fixture<unknown[][]>('binance-klines.json');
    await using venue = await replaying({ [`${API}/klines`]: [kline.with(field, price)] });
    const { market } = venue;
    expect(await failureOf(market.at('crypto').klines('BTCUSDT', '1h', 1))).toMatchObject(OF_ANOTHER_SHAPE);
    expect(await failureOf(market.closedCandles('BTCUSDT', '1h', { limit: 1 }))).toMatchObject(
      OF_ANOTHER_SHAPE,
    );
  });

  test('summary of another symbol than the one asked for is an upstream error', async () => {
    await using venue = await replaying({ [`${API}/ticker/24hr`]: TICKER });
    expect(await failureOf(venue.market.at('crypto').summary('BTCUSDT'))).toMatchObject({
      kind: 'unavailable',
    });
  });

  test('symbols are those that trade, the most traded first in dollars, whatever they are quoted in', async () => {
    const mini = [
      { symbol: 'ETHBTC', lastPrice: '0.03', quoteVolume: '50.0' },
      { symbol: 'BTCUSDT', lastPrice: '80000.0', quoteVolume: '3000000.0' },
      { symbol: 'ETHUSDT', lastPrice: '2500.0', quoteVolume: '1000000.0' },
    ];
    await using venue = await replaying({ [`${API}/exchangeInfo`]: infoOf, [`${API}/ticker/24hr`]: mini });
    const names = async (search: string | null) =>
      (await venue.market.at('crypto').symbols(search, 3)).symbols.map(({ symbol }) => symbol);
    // 50 BTC are worth 4,000,000 USDT.
    expect(await names(null)).toEqual(['ETHBTC', 'BTCUSDT', 'ETHUSDT']);
    expect(await names('eth/usdt')).toEqual(['ETHUSDT']);
    expect(venue.requests[0]).toContain('permissions=SPOT&symbolStatus=TRADING&showPermissionSets=false');
  });

  test('instruments have the steps of their filters; those not quoted in dollars are data only', async () => {
    await using venue = await replaying({ [`${API}/exchangeInfo`]: infoOf });
    expect(await venue.market.instrument('BTCUSDT')).toMatchObject({
      venue: 'crypto',
      outcome: 'BTC',
      tickSize: '0.01',
      stepSize: '0.00001',
      minSize: '0.00001',
      minNotional: '5',
      quoteCurrency: 'USDT',
      tradable: true,
      status: 'open',
      feeSchedule: { formula: 'notional', takerRate: '0.001' },
    });
    expect(await venue.market.instrument('ETHBTC')).toMatchObject({ quoteCurrency: 'BTC', tradable: false });
    expect(await venue.market.instrument('HSRBTC')).toMatchObject({ status: 'paused' });
    expect(await venue.market.instrument('NOPEUSDT')).toBeNull();
  });

  test('quotes of many symbols take one call; one unknown among them does not affect the others', async () => {
    const tickers = (url: URL) => {
      const names = JSON.parse(url.searchParams.get('symbols') ?? '[]') as string[];
      if (names.includes('NOPEUSDT')) return { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } };
      return { status: 200, body: names.map((symbol) => ({ ...TICKER, symbol })) };
    };
    await using venue = await replaying({ [`${API}/exchangeInfo`]: infoOf, [`${API}/ticker/24hr`]: tickers });
    await venue.market.quotes(['ETHUSDT', 'BTCUSDT']);
    expect(venue.requests.filter((path) => path.includes('ticker'))).toHaveLength(1);
    const quotes = await venue.market.quotes(['BTCUSDT', 'NOPEUSDT', 'ETHUSDT']);
    expect(quotes.map(({ tokenId }) => tokenId)).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(quotes[0]).toMatchObject({
      bid: String(Number(TICKER['bidPrice'])),
      marketStatus: 'open',
      settlementValue: null,
    });
  });

  test('without offers on a side (price 0) has no price there', async () => {
    const tickers = [{ ...TICKER, symbol: 'BTCUSDT', bidPrice: '0.00000000', bidQty: '0.00000000' }];
    await using venue = await replaying({ [`${API}/exchangeInfo`]: infoOf, [`${API}/ticker/24hr`]: tickers });
    expect((await venue.market.quotes(['BTCUSDT']))[0]).toMatchObject({ bid: null, bidSize: null });
  });

  test.each(['100', '101'])(
    'with a bid of %s against an ask of 100 have no top of book, and state that it is unknown',
    async (bid) => {
      const tickers = [{ ...TICKER, symbol: 'BTCUSDT', bidPrice: bid, askPrice: '100' }];
      await using venue = await replaying({
        [`${API}/exchangeInfo`]: infoOf,
        [`${API}/ticker/24hr`]: tickers,
      });
      expect((await venue.market.quotes(['BTCUSDT']))[0]).toMatchObject({
        bid: null,
        ask: null,
        topOfBookUnknown: true,
      });
    },
  );
});
