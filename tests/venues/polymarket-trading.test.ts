import { describe, expect, test } from 'vitest';
import { BOOKS, type Fields, MARKET, NO, withMarket, YES } from './support/polymarket.ts';
import { failureOf, replaying } from './support/replay.ts';

describe('Polymarket history', () => {
  const now = () => Math.floor(Date.now() / 1_000);

  test.each([
    ['1d', 'interval=1d&fidelity=5'],
    ['1w', 'interval=1w&fidelity=30'],
    ['1m', 'interval=1m&fidelity=180'],
  ] as const)('of %s asks with a fidelity that the venue takes (%s)', async (interval, query) => {
    await using venue = await replaying({ ...withMarket({}), '/clob/prices-history': { history: [] } });
    await venue.market.at('venue-b').history(YES, interval);
    expect(venue.requests.at(-1)).toContain(query);
  });

  test('is sorted, without repeated times, and ends now', async () => {
    const at = now();
    const history = [
      { t: at - 60, p: 0.3 },
      { t: at - 600, p: 0.1 },
      { t: at - 60, p: 0.35 },
      { t: at, p: 0.4 },
      { t: at - 40 * 86_400, p: 0.9 },
    ];
    await using venue = await replaying({ ...withMarket({}), '/clob/prices-history': { history } });
    const { points } = await venue.market.at('venue-b').history(YES, '1d');
    expect(points.map(({ p }) => p)).toEqual([0.1, 0.35, 0.4]);
  });

  test('of all time is chained from windows of 15 days, without the point stamped now in each', async () => {
    const started = new Date(Date.now() - 40 * 86_400_000).toISOString();
    await using venue = await replaying({
      ...withMarket({ startDate: started }),
      '/clob/prices-history': (url: URL) => {
        const start = Number(url.searchParams.get('startTs'));
        return {
          status: 200,
          body: {
            history: [
              { t: start + 3_600, p: 0.2 },
              { t: now(), p: 0.9 },
            ],
          },
        };
      },
    });
    const { points } = await venue.market.at('venue-b').history(YES, 'all');
    const windows = venue.requests.filter((path) => path.includes('prices-history'));
    expect(windows.length).toBeGreaterThanOrEqual(3);
    for (const path of windows) {
      const query = new URL(path, 'http://x').searchParams;
      expect(Number(query.get('endTs')) - Number(query.get('startTs'))).toBeLessThanOrEqual(1_296_000);
      expect(query.get('fidelity')).toBe('1');
    }
    const times = points.map(({ t }) => t);
    expect(times).toEqual([...new Set(times)].sort());
    expect(points.filter(({ p }) => p === 0.9).length).toBeLessThanOrEqual(1);
  });

  test.each([
    ['all', '2023-12-01T00:00:00Z', 3 * 86_400],
    ['1m', '2023-12-15T00:00:00Z', 3 * 3_600],
    ['1d', '2024-01-14T00:00:00Z', 300],
  ] as const)(
    'of a market that closed long ago ends when it closed: %s',
    async (interval, first, withinSec) => {
      const closed = {
        closed: true,
        startDate: '2023-12-01T00:00:00Z',
        closedTime: '2024-01-15 00:00:00+00',
      };
      await using venue = await replaying({
        ...withMarket({ ...closed, endDate: '2024-01-01T00:00:00Z' }),
        '/clob/prices-history': (url: URL) => {
          // Live intervals are empty for closed markets: only windows have prices.
          const [start, end] = [
            Number(url.searchParams.get('startTs')),
            Number(url.searchParams.get('endTs')),
          ];
          const times = Array.from({ length: (end - start) / 300 }, (_, index) => start + index * 300);
          return { status: 200, body: { history: times.map((t) => ({ t, p: 0.5 })) } };
        },
      });
      const { points } = await venue.market.at('venue-b').history(YES, interval);
      const times = points.map(({ t }) => Date.parse(t));
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
      expect(Math.abs((times[0] ?? 0) - Date.parse(first)) / 1_000).toBeLessThanOrEqual(withinSec);
      expect(times.at(-1)).toBe(Date.parse('2024-01-15T00:00:00Z') - 300_000);
    },
  );

  test('of an unknown token is not found, rather than empty', async () => {
    await using venue = await replaying({
      '/gamma/markets/keyset': { markets: [] },
      '/clob/prices-history': { history: [] },
    });
    expect(await failureOf(venue.market.at('venue-b').history(YES, '1d'))).toMatchObject({
      kind: 'not_found',
    });
  });
});

describe('a Polymarket instrument', () => {
  async function instrumentWith(changes: Fields, token = YES) {
    await using venue = await replaying(withMarket(changes));
    return await venue.market.instrument(token);
  }

  test('is a token, with steps, minimum and fee of its market', async () => {
    expect(await instrumentWith({})).toMatchObject({
      tokenId: YES,
      venue: 'venue-b',
      outcome: 'Yes',
      tickSize: '0.001',
      stepSize: '0.01',
      minSize: '5',
      minNotional: '1',
      quoteCurrency: 'USDC',
      tradable: true,
      feeSchedule: { formula: 'probability', takerRate: '0.05', makerRate: '0' },
    });
  });

  test('without fees costs nothing; with fees of an unknown formula it is data only', async () => {
    expect((await instrumentWith({ feesEnabled: false }))?.feeSchedule).toMatchObject({ takerRate: '0' });
    expect(await instrumentWith({ feesEnabled: true, feeSchedule: undefined })).toMatchObject({
      feeSchedule: null,
      tradable: false,
    });
  });

  test('without an order book is data only', async () => {
    expect(await instrumentWith({ enableOrderBook: false })).toMatchObject({ tradable: false });
  });

  const resolved = { closed: true, umaResolutionStatus: 'resolved' };
  test.each([
    [{ ...resolved, outcomePrices: '["1", "0"]' }, '1', '0'],
    [{ ...resolved, outcomePrices: '["0.5", "0.5"]' }, '0.5', '0.5'],
    [{ ...resolved, outcomePrices: '["0.9995", "0.0005"]' }, null, null],
    [{ ...resolved, outcomePrices: '["0", "0"]' }, null, null],
    [{ ...resolved, outcomePrices: undefined }, null, null],
    [{ closed: true, outcomePrices: '["1", "0"]' }, null, null],
    [{ outcomePrices: '["1", "0"]' }, null, null],
  ])('pays only what a resolved market states as a payout: %o', async (changes, yes, no) => {
    expect((await instrumentWith(changes))?.settlementValue).toBe(yes);
    expect((await instrumentWith(changes, NO))?.settlementValue).toBe(no);
  });
});

describe('Polymarket quotes', () => {
  test('come for many tokens in one call for records and one for books', async () => {
    await using venue = await replaying({
      '/gamma/markets/keyset': { markets: [MARKET] },
      '/clob/books': (_: URL, body: { token_id: string }[]) => ({
        status: 200,
        body: BOOKS.filter((book) => body.some(({ token_id }) => token_id === book['asset_id'])),
      }),
    });
    const quotes = await venue.market.quotes([NO, YES]);
    expect(quotes.map(({ tokenId }) => tokenId)).toEqual([NO, YES]);
    expect(quotes.every(({ bid, ask }) => Number(bid) < Number(ask))).toBe(true);
    expect(venue.requests).toHaveLength(2);
    expect(venue.requests[0]).toContain(`clob_token_ids=${[YES, NO].sort().join('&clob_token_ids=')}`);
  });

  test('of a market without a book have no prices, and say how it is', async () => {
    await using venue = await replaying(
      withMarket({ closed: true, umaResolutionStatus: 'resolved', outcomePrices: '["1", "0"]' }, []),
    );
    expect(await venue.market.quotes([YES])).toMatchObject([
      { bid: null, ask: null, last: null, marketStatus: 'settled', settlementValue: '1' },
    ]);
  });

  test('of a crossed book have no prices, and do not spoil the others', async () => {
    const [first, second] = BOOKS;
    const crossed = { ...first, bids: [{ price: '0.9', size: '1' }], asks: [{ price: '0.1', size: '1' }] };
    await using venue = await replaying(withMarket({}, [crossed, second]));
    const tokens = [String(first?.['asset_id']), String(second?.['asset_id'])];
    const quotes = await venue.market.quotes(tokens);
    expect(quotes[0]).toMatchObject({ bid: null, ask: null, topOfBookUnknown: true, marketStatus: 'open' });
    expect(quotes[1]?.bid).not.toBeNull();
    expect(quotes[1]).not.toHaveProperty('topOfBookUnknown');
    await using single = await replaying({ '/clob/book': crossed });
    expect(await failureOf(single.market.orderBook(YES))).toMatchObject({ kind: 'unavailable' });
  });

  test('without a last trade ("") have none', async () => {
    const books = BOOKS.map((book) => ({ ...book, last_trade_price: '' }));
    await using venue = await replaying(withMarket({}, books));
    expect((await venue.market.quotes([YES]))[0]?.last).toBeNull();
  });
});
