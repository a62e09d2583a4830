/** The markets of a series, as both venues list them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TICK_MS } from '../../simulator/index.ts';
import { type OpenedMarketData, openMarketData } from '../../simulator/market-data.ts';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;

let market: OpenedMarketData;
let nowMs: number;
beforeAll(async () => {
  market = await openMarketData({ mode: 'simulator' });
  // Five minutes into a quarter of an hour.
  nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 5 * 60_000;
  market.simulator?.clock.pin(Math.floor(nowMs / TICK_MS));
});
afterAll(() => market.close());

describe.each([
  { venue: 'venue-a', series: 'KXBTC15M', sides: ['yes', 'no'] },
  { venue: 'venue-b', series: 'btc-updown-15m', sides: ['Up', 'Down'] },
] as const)('$venue', ({ venue, series, sides }) => {
  test('lists both sides of each market of a span: the open one, and those that closed in it', async () => {
    const listed = await market.at(venue).seriesMarkets({ series, firstMs: nowMs - HOUR_MS, lastMs: nowMs });
    expect(listed).toHaveLength(2 * 5);
    expect(new Set(listed?.map(({ outcome }) => outcome))).toEqual(new Set(sides));
    expect(new Set(listed?.map((info) => info.series))).toEqual(new Set([series]));
    const closes = [...new Set(listed?.map(({ closesAt }) => Date.parse(closesAt ?? '')))].sort();
    const next = Math.ceil(nowMs / QUARTER_MS) * QUARTER_MS;
    expect(closes).toEqual([4, 3, 2, 1, 0].map((ago) => next - ago * QUARTER_MS));
    expect(listed?.filter(({ status }) => status === 'open')).toHaveLength(2);
    expect(listed?.filter(({ settlementValue }) => settlementValue !== null)).toHaveLength(8);
  });

  test('lists the same instrument as by its id', async () => {
    const [info] = (await market.at(venue).seriesMarkets({ series, firstMs: nowMs, lastMs: nowMs })) ?? [];
    const alone = await market.instrument(info?.tokenId ?? '');
    expect(alone).toMatchObject({ series, opensAt: info?.opensAt, closesAt: info?.closesAt });
  });

  test('knows no market of a series that it does not have', async () => {
    const query = { series: 'NO-SUCH-SERIES', firstMs: nowMs, lastMs: nowMs };
    expect(await market.at(venue).seriesMarkets(query)).toEqual([]);
  });
});

test('venue A does not list a span of more than sixty days ago, as its archive cannot be asked by series', async () => {
  const query = { series: 'KXBTC15M', firstMs: nowMs - 61 * 24 * HOUR_MS, lastMs: nowMs };
  expect(await market.at('venue-a').seriesMarkets(query)).toBeNull();
});
