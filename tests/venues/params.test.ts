import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedMarketData, openMarketData } from '../../simulator/market-data.ts';
import { venueOf } from '../../venues/port.ts';
import { failureOf } from './support/replay.ts';

let market: OpenedMarketData;
beforeAll(async () => {
  market = await openMarketData({ mode: 'simulator' });
});
afterAll(() => market.close());

const TRICKS = [
  '',
  ' ',
  '.',
  '..',
  '../markets',
  '..%2fmarkets',
  'a/b/c',
  'a\\b',
  'a?b=c',
  'a#b',
  'a&b',
  'http://evil.test',
  '//evil.test',
  '%00',
  'a\u0000b',
  'a\nb',
  "'; drop table",
  '日本',
  'A'.repeat(300),
];

describe('a parameter that cannot be right is refused, and no venue is asked', () => {
  test.each(TRICKS)('%j', async (text) => {
    const venueA = market.at('venue-a');
    const venueB = market.at('venue-b');
    const crypto = market.at('crypto');
    const calls = [
      () => venueA.market(text),
      () => venueA.history(text, '1d'),
      () => venueB.slug(text),
      () => venueB.token(text),
      () => venueB.raw(text),
      () => venueB.book(text),
      () => venueB.history(text, '1d'),
      () => crypto.summary(text),
      () => crypto.trades(text, 5),
      () => crypto.klines(text, '1h', 5),
    ];
    for (const call of calls) expect(await failureOf(call())).toMatchObject({ kind: 'bad_request' });
    expect(market.simulator?.faults.requests()).toBe(0);
  });

  test('counts outside 1 to 50, or 1 to 100 for crypto', async () => {
    const venueA = market.at('venue-a');
    const venueB = market.at('venue-b');
    const crypto = market.at('crypto');
    for (const count of [0, -1, 51, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      for (const call of [
        venueA.top(count),
        venueA.search('x', count),
        venueB.top(count),
        venueB.trending(count),
        venueB.search('x', count),
      ]) {
        expect(await failureOf(call)).toMatchObject({ kind: 'bad_request' });
      }
    }
    for (const count of [0, 101]) {
      expect(await failureOf(crypto.symbols(null, count))).toMatchObject({ kind: 'bad_request' });
      expect(await failureOf(crypto.klines('BTCUSDT', '1h', count))).toMatchObject({ kind: 'bad_request' });
    }
    expect(market.simulator?.faults.requests()).toBe(0);
  });

  test('words that are not of the enum', async () => {
    const venueA = market.at('venue-a');
    const venueB = market.at('venue-b');
    const crypto = market.at('crypto');
    const wrong = '2y' as '1d';
    for (const call of [
      venueA.history('A', wrong),
      venueB.history('123456', wrong),
      crypto.klines('BTCUSDT', '1s' as '1m', 5),
    ]) {
      expect(await failureOf(call)).toMatchObject({ kind: 'bad_request' });
    }
    expect(market.simulator?.faults.requests()).toBe(0);
  });

  test('an instrument of no venue is none, and has no book', async () => {
    for (const tokenId of [...TRICKS, 'KX-1', 'KX-1:maybe', 'kx-1:yes', '0123456', '1e5', 'btcusdt']) {
      expect(venueOf(tokenId)).toBeNull();
      expect(await market.instrument(tokenId)).toBeNull();
      expect(await market.quotes([tokenId])).toEqual([]);
      expect(await failureOf(market.orderBook(tokenId))).toMatchObject({ kind: 'not_found' });
    }
    expect(market.simulator?.faults.requests()).toBe(0);
  });
});

describe('"`tokenId` is the instrument as orders name it, and its form says the venue"; "YES and NO are two instruments"', () => {
  test.each([
    ['KXFEDDECISION-26DEC-H0:yes', 'venue-a'],
    ['KXBTC-26APR2717-T87749.99:no', 'venue-a'],
    ['71321045679252212594626385532706912750332728571942532289631379312455583992563', 'venue-b'],
    ['BTCUSDT', 'crypto'],
    ['1INCHUSDT', 'crypto'],
  ])('%s is of %s', (tokenId, venue) => {
    expect(venueOf(tokenId)).toBe(venue);
  });
});
