import { expect, test } from 'vitest';
import { BarPrices } from '../../../../engine/research/playback/bars/bar-prices.ts';
import { RecordedPrices } from '../../../../engine/research/playback/bars/quoted-prices.ts';
import { Spread } from '../../../../engine/research/playback/bars/top-of-book.ts';
import { CandleFeed } from '../../../../engine/research/playback/candle-feed.ts';
import { candlesFrom } from '../../../../engine/research/playback/shared-series.ts';
import {
  type Listing,
  SimulatedMarkets,
} from '../../../../engine/research/playback/trader/simulated-markets.ts';
import type { InstrumentFact } from '../../../../engine/trading/orders/terms/facts-by-time.ts';
import { coin, contract, factFromStart } from '../../../support/backtest.ts';
import { type BarFields, barsFrom, flat } from '../../../support/bars.ts';
import { quoteOf } from '../../../support/contracts.ts';

const T = 1_000_000;
const BAR = 1_000;

const barsOf = (bars: readonly BarFields[]) =>
  new BarPrices(barsFrom(T, BAR, bars), {
    spread: new Spread({ fixed: 0.5, share: 0 }, 0.5, false),
    tick: 1,
    share: 0.1,
    walk: null,
    isWatched: () => true,
  });

const listing = (tokenId: string, fields: Partial<Listing> = {}): Listing => ({
  tokenId,
  facts: [factFromStart(coin({ token_id: tokenId }))],
  prices: null,
  minutes: null,
  barMs: 1,
  ...fields,
});

const at = (fromMs: number, fields: Parameters<typeof coin>[0]): InstrumentFact => ({
  fromMs,
  instrument: coin(fields),
});

test('changes are listed by instrument in the order of their names, whatever the order of the listing', () => {
  const closed = (tokenId: string) =>
    listing(tokenId, {
      prices: barsOf([flat(100), flat(101)]),
      minutes: barsOf([flat(100), flat(101)]),
      facts: [
        factFromStart(coin({ token_id: tokenId })),
        at(T + BAR, { token_id: tokenId, status: 'paused' }),
      ],
    });
  const market = new SimulatedMarkets([closed('B'), closed('C'), closed('A')], [], []);
  expect(market.rows().map(({ token_id }) => token_id)).toEqual(['A', 'B', 'C']);
  expect(market.nextMs()).toBe(T + BAR);
  expect(market.advance(T + BAR)).toEqual({
    facts: ['A', 'B', 'C'],
    hasClosed: false,
    priced: ['A', 'B', 'C'],
    minutes: ['A', 'B', 'C'],
  });
  expect(market.advance(T + BAR + 1)).toEqual({ facts: [], hasClosed: false, priced: [], minutes: [] });
});

test('the next instant is that of the next fact, candle, price or minute, whichever comes first', () => {
  const rows = barsFrom(T, 3 * BAR, [flat(100)]);
  const need = { symbol: 'A', interval: '5m', window: 1, open: false } as const;
  const feeds = [new CandleFeed(need, candlesFrom(rows, 0))];
  expect(new SimulatedMarkets([], feeds, []).nextMs()).toBe(T + 3 * BAR);
  expect(new SimulatedMarkets([listing('A', { prices: barsOf([flat(1)]) })], feeds, []).nextMs()).toBe(
    T + BAR,
  );
  expect(new SimulatedMarkets([listing('A', { minutes: barsOf([flat(1)]) })], feeds, []).nextMs()).toBe(
    T + BAR,
  );
  const facts = [factFromStart(coin({ token_id: 'A' })), at(T + 5, { token_id: 'A' })];
  expect(new SimulatedMarkets([listing('A', { facts })], feeds, []).nextMs()).toBe(T + 5);
  expect(new SimulatedMarkets([listing('A')], [], []).nextMs()).toBe(Number.POSITIVE_INFINITY);
});

test('a strategy sees its series from the beginning, and a candle once it has closed', () => {
  const rows = barsFrom(T, BAR, [flat(100), flat(101)]);
  const need = { symbol: 'A', interval: '5m', window: 1, open: false } as const;
  const market = new SimulatedMarkets([], [new CandleFeed(need, candlesFrom(rows, 0))], []);
  expect(market.advance(T)).toMatchObject({ hasClosed: false });
  expect(market.candles.get('A@5m')?.closed.count).toBe(0);
  expect(market.advance(T + BAR)).toMatchObject({ hasClosed: true });
  expect(market.candles.get('A@5m')?.closed.count).toBe(1);
  expect(market.advance(T + BAR + 1)).toMatchObject({ hasClosed: false });
});

test('of all facts of an instrument by an instant, the last holds; an instrument without facts is not listed', () => {
  const market = new SimulatedMarkets(
    [
      listing('A', {
        facts: [
          factFromStart(coin({ token_id: 'A', title: 'first' })),
          at(T + 1, { token_id: 'A', title: 'second' }),
          at(T + 2, { token_id: 'A', title: 'third' }),
          at(T + 9, { token_id: 'A', title: 'fourth' }),
        ],
      }),
      listing('B', { facts: [] }),
    ],
    [],
    [],
  );
  expect(market.instruments.get('A')?.title).toBe('first');
  expect(market.rowOf('B')).toBeUndefined();
  expect(market.instruments.has('B')).toBe(false);
  expect(market.advance(T).facts).toEqual([]);
  expect(market.advance(T + 5).facts).toEqual(['A']);
  expect(market.rowOf('A')?.title).toBe('third');
  expect(market.instruments.get('A')?.title).toBe('third');
  expect(market.nextMs()).toBe(T + 9);
});

test("confirmed quotes have the time of the instant, with the venue's status of the market", () => {
  const prices = new RecordedPrices([
    quoteOf({ atMs: T, bid: 0.4, ask: 0.6, bidSize: 5, askSize: null, last: 0.5, marketStatus: 'closed' }),
  ]);
  const facts = [
    factFromStart(contract('K:yes')),
    { fromMs: T + 5, instrument: contract('K:yes', { status: 'settled', settlement_value: '1' }) },
  ];
  const market = new SimulatedMarkets([listing('K:yes', { facts, prices }), listing('A')], [], ['K:yes']);
  market.confirm(T - 1);
  expect(market.quotes.size).toBe(0);
  market.advance(T);
  market.confirm(T);
  expect(market.quotes.get('K:yes')).toMatchObject({
    bid: 0.4,
    ask: 0.6,
    last: 0.5,
    marketStatus: 'closed',
    settlementValue: null,
    asOf: T,
    seq: 1,
  });
  // A side without a size is not part of the book.
  expect(market.books.get('K:yes')).toEqual({ bids: [{ price: 0.4, size: 5 }], asks: [], asOf: T });
  market.advance(T + 5);
  market.confirm(T + 5);
  expect(market.quotes.get('K:yes')).toMatchObject({ marketStatus: 'settled', settlementValue: 1, seq: 2 });
  expect(market.quotes.has('A')).toBe(false);
});

test('candles state only prices of the market, and books are made when they are read', () => {
  const market = new SimulatedMarkets([listing('A', { prices: barsOf([flat(100), flat(101)]) })], [], []);
  market.advance(T + BAR);
  market.confirm(T + BAR);
  expect(market.quotes.get('A')).toEqual(
    expect.objectContaining({
      bid: 99.5,
      ask: 100.5,
      last: 100,
      bidSize: 100,
      askSize: 100,
      volume24h: null,
      openInterest: null,
      change24h: null,
      marketStatus: 'open',
      settlementValue: null,
    }),
  );
  expect(market.books.size).toBe(0);
});

test('the value of a unit is the last bid seen, from whatever source', () => {
  const quotes = [
    quoteOf({ atMs: T, bid: 0.4, ask: 0.6, bidSize: 5, askSize: 5, last: 0.5 }),
    quoteOf({ atMs: T + 1, bid: null, ask: 0.6, bidSize: null, askSize: 5, last: 0.5 }),
  ];
  const market = new SimulatedMarkets([listing('A', { prices: new RecordedPrices(quotes) })], [], []);
  expect(market.bidOf('A', T - 1)).toBeNull();
  expect(market.bidOf('nothing', T)).toBeNull();
  market.advance(T);
  expect(market.bidOf('A', T)).toBe(0.4);
  market.advance(T + 1);
  expect(market.bidOf('A', T + 1)).toBe(0.4);
  expect(market.topOfBookAt('A', T + 1)).toMatchObject({ bid: null });
  expect(market.topOfBookAt('nothing', T)).toBeNull();
  const confirmed = new SimulatedMarkets([listing('A', { prices: new RecordedPrices(quotes) })], [], ['A']);
  confirmed.advance(T);
  confirmed.confirm(T);
  confirmed.advance(T + 1);
  confirmed.confirm(T + 1);
  expect(confirmed.bidOf('A', T + 1)).toBe(0.4);
  expect(confirmed.books.get('A')).toEqual({ bids: [], asks: [{ price: 0.6, size: 5 }], asOf: T + 1 });
});

test('a resting order is matched against the bar of its instrument, or beside recorded quotes the minute, when it closes', () => {
  const bars = new SimulatedMarkets(
    [listing('A', { prices: barsOf([flat(100, { volume: 7 }), flat(101)]) })],
    [],
    [],
  );
  bars.advance(T + BAR);
  const closed = { bar: { openMs: T, closeMs: T + BAR, ...flat(100) }, volume: 7 };
  expect(bars.closedBar('A', T + BAR)).toEqual(closed);
  expect(bars.barToMeet('A', T + BAR)).toEqual(closed);
  expect(bars.hasClosedBar('A', T + BAR)).toBe(true);
  expect(bars.isRecorded('A')).toBe(false);
  expect(bars.closedBar('A', T + BAR + 1)).toBeNull();
  expect(bars.hasClosedBar('A', T + BAR + 1)).toBe(false);
  expect(bars.closedBar('nothing', T)).toBeNull();
  const quotes = new RecordedPrices([quoteOf({ atMs: T, bid: 1, ask: 2, bidSize: 5, askSize: 5, last: 1 })]);
  const minutes = barsOf([flat(100, { volume: 7 }), flat(101)]);
  const recorded = new SimulatedMarkets([listing('A', { prices: quotes, minutes })], [], []);
  recorded.advance(T + BAR);
  expect(recorded.isRecorded('A')).toBe(true);
  expect(recorded.closedBar('A', T + BAR)).toBeNull();
  expect(recorded.hasClosedBar('A', T + BAR)).toBe(false);
  expect(recorded.barToMeet('A', T + BAR)).toEqual(closed);
  expect(recorded.isRecorded('nothing')).toBe(false);
});

test('bars as short as the latency have a price of their own only once the next one opens', () => {
  const market = new SimulatedMarkets([listing('A', { barMs: BAR }), listing('B')], [], []);
  expect(market.pricedFrom('A', T)).toBe(T);
  expect(market.pricedFrom('A', T + 1)).toBe(T + BAR);
  expect(market.pricedFrom('B', T + 1)).toBe(T + 1);
  expect(market.pricedFrom('nothing', T + 1)).toBe(T + 1);
});

test('a side of a book exists if both its price and its size do', () => {
  const sides = [
    { bid: 0.4, bidSize: null, ask: null, askSize: 5 },
    { bid: null, bidSize: 5, ask: 0.6, askSize: null },
  ];
  for (const [step, side] of sides.entries()) {
    const prices = new RecordedPrices([quoteOf({ atMs: T, ...side })]);
    const market = new SimulatedMarkets([listing('A', { prices })], [], ['A']);
    market.advance(T + step);
    market.confirm(T + step);
    expect(market.books.get('A')).toEqual({ bids: [], asks: [], asOf: T });
  }
});

test('for an instrument without a listing or prices, nothing is known', () => {
  const market = new SimulatedMarkets([listing('A')], [], []);
  expect(market.barToMeet('nothing', T)).toBeNull();
  expect(market.hasClosedBar('nothing', T)).toBe(false);
  expect(market.bidOf('A', T)).toBeNull();
  expect(market.topOfBookAt('A', T)).toBeNull();
});
