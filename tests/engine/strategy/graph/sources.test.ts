import { describe, expect, test } from 'vitest';
import type { InstrumentFacts, World } from '../../../../engine/strategy/graph/types.ts';
import {
  draw,
  facts,
  held,
  marketOf,
  minuteCandles,
  type NodeConfig,
  Player,
  type quote,
  series,
  T0,
  world,
} from './graph-fixtures.ts';

const HOUR_MS = 3_600_000;
const see = (node: NodeConfig, seen: World, now = T0) => new Player(draw({ node })).state('node', now, seen);
const codeOf = (node: NodeConfig, seen: World, now = T0) => see(node, seen, now).reason?.code;

describe('market.price', () => {
  const price = (field: string): NodeConfig => ['market.price', { instrument: 'KXBTC:yes', field }];
  const seen = marketOf('KXBTC:yes', T0, { bid: 0.4, ask: 0.5, last: 0.45 });
  test.each([
    ['bid', 0.4],
    ['ask', 0.5],
    ['last', 0.45],
    ['mid', 0.45],
  ])('%s is that side of the quote', (field, value) => {
    expect(see(price(field), seen)).toMatchObject({ status: 'ok', value });
  });

  test('an absent quote, a closed market, a missing side and an old quote are unknown, each with its own reason', () => {
    const at = (over: Parameters<typeof quote>[0]) => marketOf('KXBTC:yes', T0, over);
    expect(codeOf(price('mid'), world())).toBe('no_data');
    expect(codeOf(price('mid'), at({ marketStatus: 'paused' }))).toBe('market_closed');
    expect(codeOf(price('mid'), at({ bid: null }))).toBe('no_quote');
    expect(see(price('mid'), seen, T0 + 30_001)).toMatchObject({ status: 'stale', value: null });
    expect(see(price('mid'), seen, T0 + 30_000)).toMatchObject({ status: 'ok' });
  });
});

describe('market.book', () => {
  const book = {
    bids: [
      { price: 0.4, size: 10 },
      { price: 0.39, size: 20 },
    ],
    asks: [
      { price: 0.42, size: 5 },
      { price: 0.45, size: 5 },
    ],
    asOf: T0,
  };
  const seen = world({ books: new Map([['KXBTC:yes', book]]) });
  const measure = (config: Record<string, unknown>): NodeConfig => [
    'market.book',
    { instrument: 'KXBTC:yes', ...config },
  ];

  test('spread, imbalance, depth and the average price of a size are read off the levels', () => {
    expect(see(measure({ measure: 'spread' }), seen).value).toBeCloseTo(0.02, 12);
    expect(see(measure({ measure: 'imbalance' }), seen).value).toBeCloseTo((30 - 10) / 40, 12);
    expect(see(measure({ measure: 'imbalance', levels: 1 }), seen).value).toBeCloseTo((10 - 5) / 15, 12);
    expect(see(measure({ measure: 'depth', side: 'bid' }), seen).value).toBe(30);
    expect(see(measure({ measure: 'priceForSize', size: 8 }), seen).value).toBeCloseTo(
      (5 * 0.42 + 3 * 0.45) / 8,
      12,
    );
  });

  test('a book that is too thin, one-sided, absent or old gives no number', () => {
    expect(codeOf(measure({ measure: 'priceForSize', size: 11 }), seen)).toBe('thin_book');
    const oneSided = world({ books: new Map([['KXBTC:yes', { ...book, asks: [] }]]) });
    expect(codeOf(measure({ measure: 'spread' }), oneSided)).toBe('no_quote');
    expect(codeOf(measure({ measure: 'spread' }), world())).toBe('no_data');
    expect(codeOf(measure({ measure: 'spread' }), seen, T0 + 30_001)).toBe('stale');
  });
});

describe('market.info', () => {
  const info = (field: string): NodeConfig => ['market.info', { instrument: 'KXBTC:yes', field }];
  test('states the seconds to the close, the volume and the open interest', () => {
    const closesAt = T0 + HOUR_MS;
    const seen = marketOf(
      'KXBTC:yes',
      T0,
      {},
      { instruments: new Map([['KXBTC:yes', facts('KXBTC:yes', { closesAt })]]) },
    );
    expect(see(info('secondsToClose'), seen).value).toBe(3_600);
    expect(see(info('secondsToClose'), seen, closesAt + 5_000).value).toBe(-5);
    expect(see(info('volume24h'), seen).value).toBe(1_000);
    expect(see(info('openInterest'), seen).value).toBe(500);
  });
  test('an instrument is listed from its opening until its market is closed, settled or delisted', () => {
    const listedAt = (now: number, over: Partial<InstrumentFacts>) => {
      const instruments = new Map([['KXBTC:yes', facts('KXBTC:yes', over)]]);
      return see(info('listed'), world({ instruments }), now).value;
    };
    expect(listedAt(T0, {})).toBe(true);
    expect(listedAt(T0 - 1, { opensAt: T0 })).toBe(false);
    expect(listedAt(T0, { opensAt: T0 })).toBe(true);
    expect(listedAt(T0 + HOUR_MS, { opensAt: T0, hasEnded: true })).toBe(false);
    // A close that was only announced is no end: venues move it.
    expect(listedAt(T0 + HOUR_MS, { opensAt: T0, closesAt: T0 })).toBe(true);
    expect(see(info('listed'), world())).toMatchObject({ value: null, reason: { code: 'no_data' } });
  });
  test('a clock that is set back sees again what was listed then', () => {
    const player = new Player(draw({ node: info('listed') }));
    const instruments = new Map([['KXBTC:yes', facts('KXBTC:yes', { opensAt: T0 })]]);
    const values = [T0 + 1, T0 - 1, T0 + 1].map(
      (now) => player.state('node', now, world({ instruments })).value,
    );
    expect(values).toEqual([true, false, true]);
  });
  test('a value that the venue does not state is unknown, never 0', () => {
    expect(see(info('openInterest'), marketOf('KXBTC:yes', T0, { openInterest: null }))).toMatchObject({
      value: null,
    });
    expect(see(info('secondsToClose'), marketOf('KXBTC:yes', T0))).toMatchObject({ value: null });
  });
});

describe('account', () => {
  const facts = (equity: number): World => ({
    ...world(),
    account: {
      equity,
      freeCash: 400,
      orderHeadroom: 100,
      dayPnl: -7,
      exposures: { BTCUSDT: 50, 'KXBTC:yes': 5 },
      asOf: T0,
    },
  });
  const account = (field: string, instrument?: string): NodeConfig => [
    'account',
    instrument === undefined ? { field } : { field, instrument },
  ];

  test('gives equity, free cash, the daily result and the exposure, in all and by instrument', () => {
    expect(
      ['equity', 'freeCash', 'dayPnl', 'exposure'].map((field) => see(account(field), facts(900)).value),
    ).toEqual([900, 400, -7, 55]);
    expect(see(account('exposure', 'KXBTC:yes'), facts(900)).value).toBe(5);
    expect(see(account('exposure', 'ETHUSDT'), facts(900)).value).toBe(0);
    expect(codeOf(account('equity'), world())).toBe('no_account_data');
  });

  test('measures the drawdown from the highest equity since the deploy', () => {
    const player = new Player(draw({ node: account('drawdown') }));
    const said = [900, 1_000, 750, 500, 2_000].map(
      (equity, i) => player.state('node', T0 + i * 2_000, facts(equity)).value,
    );
    expect(said).toEqual([0, 0, 0.25, 0.5, 0]);
  });
});

describe('crypto.price and crypto.candle', () => {
  test.each([
    ['last', 100],
    ['bid', 99],
    ['ask', 101],
    ['change24h', 0.01],
  ])('crypto.price gives %s', (field, value) => {
    expect(see(['crypto.price', { symbol: 'BTCUSDT', field }], marketOf('BTCUSDT', T0)).value).toBe(value);
  });

  const candleWorld = (over = {}) =>
    world({ candles: new Map([['BTCUSDT@1m', { ...series(minuteCandles([10, 12])), ...over }]]) });

  test('a closed candle keeps its value between candles', () => {
    const node: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m', field: 'high' }];
    expect(see(node, candleWorld(), T0 + 2 * 60_000).value).toBe(12);
    expect(see(node, candleWorld(), T0 + 2 * 60_000 + 59_000).value).toBe(12);
    expect(codeOf(node, world())).toBe('no_data');
  });

  test('the forming candle is read as it is now, but not if it was not refreshed for 30 s', () => {
    const node: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m', closedOnly: false }];
    const [open] = minuteCandles([13], T0 + 3 * 60_000);
    const seen = candleWorld({ open, openAsOf: T0 + 130_000 });
    expect(see(node, seen, T0 + 131_000).value).toBe(13);
    expect(codeOf(node, seen, T0 + 161_000)).toBe('stale');
    expect(codeOf(node, candleWorld(), T0)).toBe('no_data');
  });
});

describe('position', () => {
  const node = (field: string): NodeConfig => ['position', { instrument: 'BTCUSDT', field }];
  const seen = marketOf('BTCUSDT', T0, { bid: 110 }, { positions: new Map([['BTCUSDT', held('2')]]) });
  test('amount, average cost and gain at the best bid', () => {
    expect(see(node('amount'), seen).value).toBe(2);
    expect(see(node('averageCost'), seen).value).toBe(100);
    expect(see(node('unrealizedPnl'), seen).value).toBeCloseTo(20, 12);
    expect(see(node('unrealizedPct'), seen).value).toBeCloseTo(0.1, 12);
  });
  test('flat is an amount of 0; cost and gain of nothing are unknown', () => {
    expect(see(node('amount'), marketOf('BTCUSDT', T0)).value).toBe(0);
    expect(codeOf(node('averageCost'), marketOf('BTCUSDT', T0))).toBe('no_position');
  });
  test('a gain needs a bid no older than 30 s', () => {
    expect(codeOf(node('unrealizedPnl'), seen, T0 + 30_001)).toBe('stale');
    const noBid = marketOf('BTCUSDT', T0, { bid: null }, { positions: new Map([['BTCUSDT', held('2')]]) });
    expect(codeOf(node('unrealizedPct'), noBid)).toBe('no_quote');
  });
});

describe('schedule', () => {
  const every = (everySec: number): NodeConfig => ['schedule', { mode: 'every', everySec }];
  test('a beat is true for one evaluation per slot, on a grid, and not for the slot of the deploy', () => {
    const player = new Player(draw({ node: every(60) }));
    const beats = [];
    for (let now = T0 + 10_000; now < T0 + 200_000; now += 2_000)
      if (player.state('node', now, world()).value === true) beats.push(now - T0);
    expect(beats).toEqual([60_000, 120_000, 180_000]);
  });
  test('a beat that comes over 60 s late is omitted and reported as missed', () => {
    const player = new Player(draw({ node: every(3_600) }));
    player.at(T0 + 1_000, world());
    expect(player.state('node', T0 + HOUR_MS + 60_001, world())).toMatchObject({
      status: 'missed',
      value: false,
    });
    expect(player.state('node', T0 + 2 * HOUR_MS + 60_000, world()).value).toBe(true);
  });

  const daily = (from: string, to: string, days?: string[]): NodeConfig => [
    'schedule',
    { mode: 'daily', from, to, ...(days === undefined ? {} : { days }) },
  ];
  // T0 is a Thursday, 12:00 UTC.
  test.each([
    ['within', daily('11:00', '13:00'), true],
    ['at its start', daily('12:00', '13:00'), true],
    ['at its end', daily('11:00', '12:00'), false],
    ['after midnight of a window over midnight', daily('20:00', '12:30'), true],
    ['outside a window over midnight', daily('20:00', '06:00'), false],
    ['on another weekday', daily('11:00', '13:00', ['fri']), false],
    ['on the weekday', daily('11:00', '13:00', ['thu']), true],
    ['when it began the day before', daily('20:00', '12:30', ['wed']), true],
    ['when from and to are equal', daily('13:00', '13:00'), true],
  ])('a daily window %s', (_, node, value) => {
    expect(see(node, world()).value).toBe(value);
  });
});

test('constant: a number that never changes', () => {
  expect(see(['constant', { value: 0.5 }], world())).toMatchObject({ status: 'ok', value: 0.5 });
});
