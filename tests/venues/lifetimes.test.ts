import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedMarketData, openMarketData } from '../../simulator/market-data.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const TICKER = 'KXPRESPARTY-2028-D';
const SLUG = 'which-party-wins-the-2028-us-presidential-election';
const HISTORY = [
  ['1d', 30 * SECOND],
  ['1w', 2 * MINUTE],
  ['1m', 5 * MINUTE],
  ['all', 10 * MINUTE],
] as const;

/** A request, the lifetime of its answer, and the call that makes it. */
type Case = [string, number, () => Promise<unknown>];

let market: OpenedMarketData;
let token: string;
/** The token of the market that opened last. The history of an old one takes dozens of requests, and a slow machine its deadline. */
let youngToken: string;
const realNow = performance.now.bind(performance);
// It stands still but where a test moves it: a slow machine takes longer over a call than an answer lives.
let nowMs = realNow();

beforeAll(async () => {
  market = await openMarketData({ mode: 'simulator' });
  token = (await market.at('venue-b').slug(SLUG, 'markets')).markets[0]?.ref ?? '';
  const { markets } = await market.at('venue-b').top(20);
  const newestFirst = markets.toSorted((a, b) => (b.opensAt ?? '').localeCompare(a.opensAt ?? ''));
  youngToken = newestFirst[0]?.ref ?? '';
  performance.now = () => nowMs;
});
afterAll(async () => {
  performance.now = realNow;
  await market.close();
});

const requestCount = () => market.simulator?.faults.requests() ?? 0;

describe('an answer is kept as long as the venue’s limits need, and no longer', () => {
  test.each<Case>([
    ['venue A search', 30 * SECOND, () => market.at('venue-a').search('fed', 5)],
    ['venue A top', MINUTE, () => market.at('venue-a').top(5)],
    ['venue A ticker', 5 * SECOND, () => market.at('venue-a').market(TICKER)],
    ...HISTORY.map(
      ([span, ttlMs]): Case => [
        `venue A history, ${span}`,
        ttlMs,
        () => market.at('venue-a').history(TICKER, span),
      ],
    ),
    ['venue A quote', SECOND, () => market.quotes([`${TICKER}:yes`])],
    ['venue A book', SECOND, () => market.orderBook(`${TICKER}:yes`)],
    ['venue B search', 30 * SECOND, () => market.at('venue-b').search('fed', 5)],
    ['venue B trending', MINUTE, () => market.at('venue-b').trending(5)],
    ['venue B top', MINUTE, () => market.at('venue-b').top(5)],
    ['venue B slug', 5 * SECOND, () => market.at('venue-b').slug(SLUG)],
    ['venue B token', 5 * SECOND, () => market.at('venue-b').token(token)],
    ['venue B raw', 5 * SECOND, () => market.at('venue-b').raw(token)],
    ['venue B book', SECOND, () => market.at('venue-b').book(token)],
    ...HISTORY.map(
      ([span, ttlMs]): Case => [
        `venue B history, ${span}`,
        ttlMs,
        () => market.at('venue-b').history(youngToken, span),
      ],
    ),
    ['venue B quote', SECOND, () => market.quotes([token])],
    ['crypto summary', 2 * SECOND, () => market.at('crypto').summary('BTCUSDT')],
    ['crypto trades', 2 * SECOND, () => market.at('crypto').trades('BTCUSDT', 5)],
    ['crypto klines', 30 * SECOND, () => market.at('crypto').klines('BTCUSDT', '1h', 5)],
    ['crypto symbols', 10 * MINUTE, () => market.at('crypto').symbols('btc', 5)],
    ['crypto quote', SECOND, () => market.quotes(['BTCUSDT'])],
    ['crypto book', SECOND, () => market.orderBook('BTCUSDT')],
  ])('%s: %i ms', async (_, ttlMs, ask) => {
    nowMs += MINUTE; // Refills the budgets of requests, which count by this clock.
    await ask();
    const before = requestCount();
    nowMs += ttlMs - 500;
    await ask();
    expect(requestCount(), 'before its time').toBe(before);
    nowMs += 600;
    await ask();
    expect(requestCount(), 'after its time').toBeGreaterThan(before);
  });
});
