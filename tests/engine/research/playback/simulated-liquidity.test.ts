import { expect, test } from 'vitest';
import type { RecordedQuote } from '../../../../engine/history/quote-columns.ts';
import { BarPrices } from '../../../../engine/research/playback/bars/bar-prices.ts';
import { RecordedPrices } from '../../../../engine/research/playback/bars/quoted-prices.ts';
import { Spread } from '../../../../engine/research/playback/bars/top-of-book.ts';
import { BACKTEST_DEFAULTS, type BacktestRequest } from '../../../../engine/research/playback/request.ts';
import {
  markedQuoteOf,
  SimulatedLiquidity,
} from '../../../../engine/research/playback/trader/simulated-liquidity.ts';
import { SimulatedMarkets } from '../../../../engine/research/playback/trader/simulated-markets.ts';
import type { InstrumentRow } from '../../../../engine/trading/orders/row.ts';
import { coin, factFromStart } from '../../../support/backtest.ts';
import { barsFrom, flat } from '../../../support/bars.ts';
import { quoteOf } from '../../../support/contracts.ts';

const T = Date.UTC(2026, 0, 5);
const BAR = 60_000;
const AT = new Date(T + BAR).toISOString();

type Fills = Partial<BacktestRequest['fills']>;

/** At the close of a bar with a volume of 70 at 100, of which a tenth may be taken. */
function ofBar(fills: Fills = {}, fields: Partial<InstrumentRow> = {}) {
  const instrument = coin({ step_size: '0.5', ...fields });
  const prices = new BarPrices(barsFrom(T, BAR, [flat(100, { volume: 70 }), flat(100)]), {
    spread: new Spread({ fixed: 0.01, share: 0 }, 0.01, false),
    tick: 0.01,
    share: 0.1,
    walk: null,
    isWatched: () => false,
  });
  const listed = { tokenId: 'BTCUSDT', facts: [factFromStart(instrument)], prices, minutes: null, barMs: 1 };
  const market = new SimulatedMarkets([listed], [], []);
  market.advance(T + BAR);
  const offers = new SimulatedLiquidity(market, { ...BACKTEST_DEFAULTS.fills, ...fills });
  return { offers, instrument, snapshot: () => offers.snapshotFor(instrument, T + BAR) };
}

function ofQuote(fields: Partial<RecordedQuote>, fills: Fills = {}) {
  const instrument = coin();
  const quote = quoteOf({
    atMs: T,
    bid: 99,
    ask: 101,
    bidSize: 5,
    askSize: 6,
    last: 100,
    ...fields,
  } as Parameters<typeof quoteOf>[0]);
  const prices = new RecordedPrices([quote]);
  const listed = { tokenId: 'BTCUSDT', facts: [factFromStart(instrument)], prices, minutes: null, barMs: 1 };
  const market = new SimulatedMarkets([listed], [], []);
  market.advance(T);
  const offers = new SimulatedLiquidity(market, { ...BACKTEST_DEFAULTS.fills, ...fills });
  return { offers, snapshot: (afterMs: number) => offers.snapshotFor(instrument, T + afterMs) };
}

test('orders of one side share the offer of the closed bar, rounded down to the step, until the next one closes', () => {
  const { offers, snapshot } = ofBar();
  const whole = { ask: '100.01', bid: '99.99', askSize: '7', bidSize: '7', asOf: AT };
  expect(snapshot()).toEqual({ quote: whole });
  offers.took('BTCUSDT', 'buy', '2.3');
  expect(snapshot()).toEqual({ quote: { ...whole, askSize: '4.5' } });
  offers.took('BTCUSDT', 'sell', '1');
  offers.took('BTCUSDT', 'buy', '0.2');
  expect(snapshot()).toEqual({ quote: { ...whole, askSize: '4.5', bidSize: '6' } });
  offers.took('BTCUSDT', 'buy', '4.5');
  expect(snapshot()).toEqual({ quote: { ...whole, askSize: '0', bidSize: '6' } });
  offers.renew('other');
  expect(snapshot()).toEqual({ quote: { ...whole, askSize: '0', bidSize: '6' } });
  offers.renew('BTCUSDT');
  expect(snapshot()).toEqual({ quote: whole });
});

test('with an unlimited share, earlier trades reduce nothing', () => {
  const { offers, snapshot } = ofBar({ liquidity: 'unlimited' });
  offers.took('BTCUSDT', 'buy', '7');
  expect(snapshot()).toMatchObject({ quote: { askSize: '7', bidSize: '7' } });
});

test('slippage makes a price worse by its number of ticks, and leaves no bid at 0', () => {
  expect(ofBar({ slippageTicks: 3 }).snapshot()).toMatchObject({ quote: { ask: '100.04', bid: '99.96' } });
  expect(ofBar({ slippageTicks: 1 }, { tick_size: '100' }).snapshot()).toMatchObject({
    quote: { ask: '200.01', bid: null },
  });
  expect(ofBar({ slippageTicks: 1 }, { tick_size: '99.99' }).snapshot()).toMatchObject({
    quote: { bid: null },
  });
  expect(ofQuote({ bid: null, bidSize: null }, { slippageTicks: 3 }).snapshot(0)).toMatchObject({
    quote: { bid: null, bidSize: null },
  });
});

test('a recorded quote is visible unchanged for thirty seconds, whatever was taken of it', () => {
  const { offers, snapshot } = ofQuote({});
  const quote = { ask: '101', bid: '99', askSize: '6', bidSize: '5', asOf: new Date(T).toISOString() };
  expect(snapshot(0)).toEqual({ quote });
  offers.took('BTCUSDT', 'buy', '6');
  expect(snapshot(30_000)).toEqual({ quote });
  expect(snapshot(30_001)).toBeNull();
});

test('a market without a view has no snapshot', () => {
  expect(ofQuote({ isTopOfBookKnown: false }).snapshot(0)).toBeNull();
  const nothing = new SimulatedMarkets(
    [{ tokenId: 'BTCUSDT', facts: [factFromStart(coin())], prices: null, minutes: null, barMs: 1 }],
    [],
    [],
  );
  expect(new SimulatedLiquidity(nothing, BACKTEST_DEFAULTS.fills).snapshotFor(coin(), T)).toBeNull();
});

test('the market snapshot is a row with its bid as the mark; without a bid it has none', () => {
  const topOfBook = { bid: 99, ask: 101, last: 100, bidSize: 1e-7, askSize: 1e12, asOfMs: T };
  const at = new Date(T).toISOString();
  expect(markedQuoteOf('BTCUSDT', coin({ status: 'paused' }), topOfBook)).toEqual({
    token_id: 'BTCUSDT',
    bid: '99',
    bid_size: '0.0000001',
    ask: '101',
    ask_size: '1000000000000',
    last: '100',
    volume24h: null,
    open_interest: null,
    change24h: null,
    touch_known: true,
    market_status: 'paused',
    as_of: at,
    seq: '0',
    mark_price: '99',
    mark_at: at,
    no_bid_since: null,
    mark_fell_at: null,
    mark_before_fall: null,
    seen_at: at,
  });
  const quote = {
    volume24h: 1,
    openInterest: 2,
    change24h: 3,
    marketStatus: 'closed',
    isTopOfBookKnown: false,
  };
  expect(
    markedQuoteOf('BTCUSDT', coin(), { ...topOfBook, bid: null, quote } as Parameters<
      typeof markedQuoteOf
    >[2]),
  ).toMatchObject({
    bid: null,
    mark_price: null,
    mark_at: null,
    volume24h: '1',
    open_interest: '2',
    change24h: '3',
    market_status: 'closed',
    touch_known: false,
  });
});
