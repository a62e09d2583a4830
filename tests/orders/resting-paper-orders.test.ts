import { beforeEach, expect, test } from 'vitest';
import type { BrokerOrder } from '../../venues/broker.ts';
import { openedForFile } from '../support/opened.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { TestPaperVenue } from '../support/paper-venue.ts';
import { BTC, openTradingFixture, type TradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let market: PaperMarket;
let broker: TestPaperVenue;
beforeEach(async () => {
  market = new PaperMarket(fixture.now);
  await fixture.quote(YES);
  broker = new TestPaperVenue({ pool: fixture.pool, marketData: market, clock: fixture.clock });
});

/** An order of an account of its own that may rest: a hundred YES at up to 0.52, unless specified otherwise. */
async function order(more: Partial<BrokerOrder> = {}): Promise<BrokerOrder> {
  return {
    accountId: (await fixture.trader()).accountId,
    mode: 'paper',
    id: crypto.randomUUID(),
    tokenId: YES,
    venue: 'venue-a',
    side: 'buy',
    timeInForce: 'gtc',
    amount: '100',
    limitPrice: '0.52',
    validUntil: new Date(fixture.now().getTime() + 10_000),
    goodTill: null,
    ...more,
  };
}

const trades = (state: Awaited<ReturnType<TestPaperVenue['find']>>) =>
  state?.fills.map(({ amount, price, fee }) => [amount, price, fee]);

/** Confirms the same quote again and again, as a feed does. */
async function confirm(tokenId: string, quote: Parameters<TradingFixture['quote']>[1], times = 5) {
  for (let time = 0; time < times; time += 1) {
    fixture.wait(2_000);
    await fixture.quote(tokenId, quote);
    await broker.advance([tokenId]);
  }
}

test('the rest of a marketable order takes the book it met once, however long the book stands', async () => {
  market.show(YES, {
    asks: [
      ['0.5', '10'],
      ['0.51', '20'],
      ['0.52', '30'],
    ],
  });
  const placed = await order({ timeInForce: 'gtc', amount: '100' });
  await broker.place(placed);
  await confirm(YES, { ask: '0.5', askSize: '10' });
  await confirm(YES, { ask: '0.52', askSize: '30' });
  expect(trades(await broker.find(placed))?.map(([amount, price]) => [amount, price])).toEqual([
    ['10', '0.5'],
    ['20', '0.51'],
    ['30', '0.52'],
  ]);
  await confirm(YES, { ask: '0.52', askSize: '37' });
  expect(trades(await broker.find(placed))?.at(-1)).toEqual(['7', '0.52', '0']);
  await confirm(YES, { ask: '0.5', askSize: '10' });
  expect(trades(await broker.find(placed))?.at(-1)).toEqual(['10', '0.5', '0.175']);
});

test.each([
  ['buy', '330', { asks: [['165.01', '1']] }, { ask: '165.01', askSize: '1', bid: '165', bidSize: '1' }],
  ['sell', '80', { bids: [['165', '1']] }, { ask: '165.01', askSize: '1', bid: '165', bidSize: '1' }],
] as const)(
  'a %s in crypto far beyond the market trades at the market',
  async (side, limitPrice, book, quote) => {
    const copy = (levels: readonly (readonly [string, string])[] = []) =>
      levels.map(([price, size]): [string, string] => [price, size]);
    const show = { asks: [], bids: [], ...book };
    market.show(BTC, { asks: copy(show.asks), bids: copy(show.bids) });
    const placed = await order({
      tokenId: BTC,
      venue: 'crypto',
      side,
      timeInForce: 'gtc',
      amount: '10',
      limitPrice,
    });
    await broker.place(placed);
    await confirm(BTC, quote);
    expect(trades(await broker.find(placed))).toHaveLength(1);
    await confirm(BTC, { ...quote, askSize: '3', bidSize: '3' });
    const price = side === 'buy' ? '165.01' : '165';
    expect(trades(await broker.find(placed))?.map(([amount, at]) => [amount, at])).toEqual([
      ['1', price],
      ['2', price],
    ]);
  },
);
