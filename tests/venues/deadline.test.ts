import { describe, expect, test } from 'vitest';
import { openMarketData } from '../../simulator/market-data.ts';
import type { MarketData } from '../../venues/port.ts';

const ONE_DEADLINE_MS = 3_000;

/** How long a call takes, in ms, if every answer of a host has this delay. */
async function durationOf(
  host: string,
  latencyMs: number,
  call: (market: MarketData) => Promise<unknown>,
): Promise<number> {
  await using market = await openMarketData({ mode: 'simulator' });
  market.simulator?.faults.set(host, { kind: 'latency', latencyMs });
  const startedAt = performance.now();
  await Promise.allSettled([call(market)]);
  return performance.now() - startedAt;
}

describe('an answer that takes several upstream calls has one deadline for all of them', {
  tags: ['long'],
}, () => {
  test.concurrent.each<[string, string, (market: MarketData) => Promise<unknown>]>([
    [
      'the symbol behind a coin, then its summary',
      '/binance',
      (market) => market.at('crypto').summary('BTC'),
    ],
    [
      'the symbol behind a coin, then its trades',
      '/binance',
      (market) => market.at('crypto').trades('BTC', 5),
    ],
    [
      'the symbol behind a coin, then its klines',
      '/binance',
      (market) => market.at('crypto').klines('BTC', '1h', 5),
    ],
    ['symbols and their ranking', '/binance', (market) => market.at('crypto').symbols('eth', 5)],
    [
      'closed candles, then older ones',
      '/binance',
      (market) => market.closedCandles('BTC', '1m', { limit: 1_000 }),
    ],
    ['quotes of a batch, then one by one', '/binance', (market) => market.quotes(['BTCUSDT', 'NOPEUSDT'])],
    [
      'a search, then what it found, then its events',
      '/kalshi',
      (market) => market.at('venue-a').search('fed', 5),
    ],
    ['a market, then its event', '/kalshi', (market) => market.at('venue-a').market('KXELONMARS-99')],
    [
      'a market, its event and its series',
      '/kalshi',
      (market) => market.instrument('KXPRESPARTY-2028-D:yes'),
    ],
    ['two pages of events', '/gamma', (market) => market.at('venue-b').trending(50)],
    ['a slug of an event, else of a market', '/gamma', (market) => market.at('venue-b').slug('no-such-slug')],
  ])('%s', async (_, host, call) => {
    expect(await durationOf(host, 1_900, call)).toBeLessThan(ONE_DEADLINE_MS);
  });

  test.concurrent('that another caller began does not make it longer', { tags: ['long'] }, async () => {
    await using market = await openMarketData({ mode: 'simulator' });
    const crypto = market.at('crypto');
    const { simulator } = market;
    simulator?.faults.set('/binance/api/v3/exchangeInfo', { kind: 'latency', latencyMs: 2_000 });
    simulator?.faults.set('/binance/api/v3/ticker', { kind: 'freeze' });
    const startedAt = performance.now();
    const patient = crypto.summary('BTC').catch(() => performance.now() - startedAt);
    setTimeout(() => crypto.summary('BTCUSDT').catch(() => null), 1_800);
    expect(await patient).toBeLessThan(ONE_DEADLINE_MS);
  });
});
