/** Parts of a market's view other than prices: rules, fees, times, groups. They are bounded, and null if not stated. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpsUrl, NameText, RULES_CHARS, RulesText, Sources } from '../../venues/parse/texts.ts';
import { BOOKS, EVENT, type Fields, MARKET, withMarket, YES } from './support/polymarket.ts';
import { fixture, replaying } from './support/replay.ts';

async function marketWith(changes: Fields) {
  await using venue = await replaying(withMarket(changes));
  return (await venue.market.at('venue-b').token(YES)).market;
}

describe('a Polymarket market', () => {
  test('shows its rules, its fees, its times and its price changes', async () => {
    expect(await marketWith({})).toMatchObject({
      rules: MARKET['description'],
      resolutionSources: [],
      fees: { formula: 'probability', takerRate: 0.05, makerRate: 0, exponent: 1, roundUpTo: null },
      negRisk: true,
      opensAt: '2025-12-10T21:45:58.522Z',
      change1h: null,
      change1w: -0.012,
      rewards: { minSize: 100, maxSpread: 0.035, dailyRate: null },
      image: MARKET['image'],
      tickLadder: [{ start: 0.001, end: 0.999, step: 0.001 }],
    });
  });

  test('states an exponent other than 1, programmes of rewards, a game and a source', async () => {
    const changes = {
      feeSchedule: { rate: 0.25, exponent: 2, takerOnly: true },
      clobRewards: [{ rewardsDailyRate: 3 }, { rewardsDailyRate: 'x' }, { rewardsDailyRate: 2 }],
      gameStartTime: '2026-06-14 23:00:00+00',
      resolutionSource: 'https://www.wunderground.com/history/daily/gb/london/EGLC',
    };
    expect(await marketWith(changes)).toMatchObject({
      fees: { takerRate: 0.25, exponent: 2 },
      rewards: { dailyRate: 5 },
      startsAt: '2026-06-14T23:00:00.000Z',
      resolutionSources: [{ name: null, url: 'https://www.wunderground.com/history/daily/gb/london/EGLC' }],
    });
  });

  test('has sizes and spread of its books', async () => {
    const { outcomes, spread } = await marketWith({});
    const book = BOOKS.find(({ asset_id }) => asset_id === YES);
    const [{ bid = 0, ask = 0, bidSize = 0, askSize = 0 } = {}] = outcomes;
    expect(book?.bids).toContainEqual(expect.objectContaining({ size: String(bidSize) }));
    expect(book?.asks).toContainEqual(expect.objectContaining({ size: String(askSize) }));
    expect(spread).toBeCloseTo((ask ?? 0) - (bid ?? 0), 9);
  });

  test.each([undefined, null, 'yes', 1])(
    'that does not state whether it charges (%s) is not shown as free',
    async (feesEnabled) => {
      await using venue = await replaying(withMarket({ feesEnabled }));
      const answer = await venue.market.instrument(YES).catch(() => null);
      expect(answer?.feeSchedule ?? null).toBeNull();
    },
  );

  test('has long texts only if it is requested by name', async () => {
    await using venue = await replaying({
      '/gamma/events/slug/x': EVENT,
      '/gamma/events/keyset': { events: [EVENT] },
    });
    const { events } = await venue.market.at('venue-b').trending(1);
    expect(events[0]?.rules).toBeNull();
    const answer = await venue.market.at('venue-b').slug('x');
    if (answer.kind !== 'event') return expect.unreachable();
    expect(answer.event).toMatchObject({
      rules: String(EVENT['description']).trim(),
      openInterest: 3401122.801798,
      negRisk: true,
      image: EVENT['image'],
      opensAt: '2025-12-10T21:50:37.376Z',
    });
    expect(answer.event.tags).toContain('Economic Policy');
    expect(answer.event.markets[0]?.tags).toEqual(answer.event.tags);
  });

  test('has a book with its minimum order and its last trade', async () => {
    const [book = expect.unreachable()] = BOOKS;
    await using venue = await replaying({ '/clob/book': book });
    expect(await venue.market.at('venue-b').book(String(book['asset_id']))).toMatchObject({
      minSize: Number(book['min_order_size']),
      lastPrice: Number(book['last_trade_price']),
      negRisk: book['neg_risk'],
    });
  });
});

describe('crypto', () => {
  test('shows its fees and the sizes at its best prices', async () => {
    const ticker = fixture<Fields>('binance-ticker.json');
    await using venue = await replaying({ '/binance/api/v3/ticker/24hr': ticker });
    expect(await venue.market.at('crypto').summary('DOGEUSDT')).toMatchObject({
      bidSize: Number(ticker['bidQty']),
      askSize: Number(ticker['askQty']),
      fees: { formula: 'notional', takerRate: 0.001, makerRate: 0.001 },
    });
  });
});

describe('words of a venue', () => {
  test('are bounded and printable, whatever was sent', () => {
    const words = fc
      .tuple(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(100))
      .map(([text, times]) => text.repeat(times));
    fc.assert(
      fc.property(fc.oneof(words, fc.anything()), (sent) => {
        const text = RulesText.parse(sent);
        if (text === null) return;
        expect(text.length).toBeLessThanOrEqual(RULES_CHARS);
        expect(text).not.toMatch(/[^\P{Cc}\n\t]|\p{Cs}/u);
        expect(text.trim()).toBe(text);
      }),
    );
    expect(NameText.parse('x'.repeat(5_000))).toHaveLength(200);
  });

  test.each([
    ['https://a.test/x.png', 'https://a.test/x.png'],
    ['http://a.test/x.png', null],
    ['//a.test/x.png', null],
    ['javascript:alert(1)', null],
    ['data:image/png;base64,AA', null],
    ['https://user:pass@a.test/', null],
    [`https://a.test/${'x'.repeat(2_000)}`, null],
    ['', null],
    [7, null],
    [undefined, null],
  ])('make an address only of https: %s', (sent, address) => {
    expect(HttpsUrl.parse(sent)).toBe(address);
  });

  test('name sources, those that can be read', () => {
    expect(
      Sources.parse([
        { name: 'NWS', url: 'ftp://x' },
        7,
        { name: '', url: null },
        { url: 'https://a.test/' },
      ]),
    ).toEqual([
      { name: 'NWS', url: null },
      { name: null, url: 'https://a.test/' },
    ]);
    expect(Sources.parse('none')).toEqual([]);
  });
});
