import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfDayMs } from '../../../../engine/platform/clock/time-zone.ts';
import {
  draw,
  held,
  marketOf,
  type NodeConfig,
  numberInput,
  Player,
  signals,
  stateOf,
  T0,
} from './graph-fixtures.ts';
import { play, type Settings, TICK_MS, type Tick, when } from './order-graph.ts';

describe('the terms of an order', () => {
  const raised = (settings: Settings, tick: Omit<Tick, 'a'> = {}) =>
    play(settings, [{ a: true, ...tick }])[0]?.intents[0];

  test('a market order: no price, the slippage cap, immediate or cancel', () => {
    expect(raised({ slippageCap: 0.01 }, { units: 0.0129 })).toMatchObject({
      nodeId: 'order',
      stepAt: T0,
      origin: 'order',
      side: 'buy',
      tokenId: 'BTCUSDT',
      type: 'market',
      amount: '0.012',
      limitPrice: null,
      slippage: '0.01',
      timeInForce: 'ioc',
    });
  });

  test('a limit order at its price input or the other side of the market, plus the offset, on the tick', () => {
    expect(raised({ type: 'limit' })?.limitPrice).toBe('101');
    expect(raised({ type: 'limit', priceOffset: -0.505 })?.limitPrice).toBe('100.49');
    expect(raised({ type: 'limit', timeInForce: 'ioc' }, { limit: 50.019 })).toMatchObject({
      limitPrice: '50.01',
      timeInForce: 'ioc',
      slippage: null,
    });
    expect(raised({ type: 'limit', timeInForce: 'fok' })).toMatchObject({ timeInForce: 'fok' });
    expect(raised({ type: 'limit', timeInForce: 'gtx', expireAfterSec: 60 })).toMatchObject({
      timeInForce: 'gtx',
      expireAfterSec: 60,
    });
    const positions = new Map([['BTCUSDT', held('5')]]);
    expect(raised({ type: 'limit', side: 'sell' }, { limit: 50.011, over: { positions } })?.limitPrice).toBe(
      '50.02',
    );
    expect(raised({ type: 'limit', side: 'sell' }, { over: { positions } })?.limitPrice).toBe('99');
  });

  test('a limit order that may rest states for how long, if it has a limit', () => {
    expect(raised({ type: 'limit' })).not.toHaveProperty('expireAfterSec');
    expect(raised({ type: 'limit', expireAfterSec: 600 })).toMatchObject({
      timeInForce: 'gtc',
      expireAfterSec: 600,
    });
  });

  test('a day order rests until the day ends in its zone, also when clocks change', () => {
    const zone = 'America/New_York';
    const day = raised({ type: 'limit', timeInForce: 'day', zone });
    expect(day).toMatchObject({ timeInForce: 'gtc', dayZone: zone });
    // T0 is noon UTC on 1 January 2026.
    expect(endOfDayMs(T0, 'UTC')).toBe(Date.UTC(2026, 0, 2));
    expect(endOfDayMs(T0, 'Asia/Tokyo')).toBe(Date.UTC(2026, 0, 1, 15));
    expect(endOfDayMs(Date.UTC(2026, 2, 8, 12), 'America/New_York')).toBe(Date.UTC(2026, 2, 9, 4));
  });

  test('an outcome is never ordered at 1 or above', () => {
    const order = { instrument: 'KX:yes', side: 'sell', type: 'limit' };
    const visual = draw(
      { ...when.nodes, ...numberInput('units'), ...numberInput('limit'), order: ['order', order] },
      [...when.edges, 'a -> order.when', 'units -> order.amount', 'limit -> order.price'],
    );
    const seen = marketOf('KX:yes', T0, {}, { positions: new Map([['KX:yes', held('5')]]) });
    const at = (limit: number) => new Player(visual).at(T0, signals({ a: true, units: 1, limit }, T0, seen));
    expect(at(0.981).intents[0]?.limitPrice).toBe('0.99');
    expect(stateOf(at(0.991), 'order').reason?.code).toBe('price_out_of_range');
  });

  test('a sell takes at most the free amount, and all of it even off the step', () => {
    const sell = (units: number, free: string) =>
      raised({ side: 'sell' }, { units, over: { positions: new Map([['BTCUSDT', held('10', { free })]]) } })
        ?.amount;
    expect(sell(1.2345, '5')).toBe('1.234');
    expect(sell(7, '5.0005')).toBe('5.0005');
  });

  test('amount and price are never worse than requested, and on step and tick', () => {
    const money = fc.double({ min: 0.01, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(money, money, fc.constantFrom('buy', 'sell'), (units, limit, side) => {
        const positions = new Map([['BTCUSDT', held('10000000')]]);
        const intent = raised({ type: 'limit', side }, { units, limit, over: { positions } });
        if (intent?.limitPrice == null) return;
        const [amount, price] = [new Decimal(intent.amount), new Decimal(intent.limitPrice)];
        expect(amount.mod('0.001').isZero() && price.mod('0.01').isZero()).toBe(true);
        // Up to the noise of a double: 12 significant digits.
        const slack = new Decimal(1).plus('1e-11');
        expect(amount.lte(new Decimal(units).times(slack))).toBe(true);
        if (side === 'buy') expect(price.lte(new Decimal(limit).times(slack))).toBe(true);
        else expect(price.times(slack).gte(limit)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('it carries the numbers that led to it with their age, nearest first, in at most 8 KB', () => {
    const intent = raised({}, { units: 2 });
    expect(intent?.inputs.slice(0, 2)).toEqual([
      { nodeId: 'a', name: 'out', value: true, asOf: T0 },
      { nodeId: 'units', name: 'out', value: 2, asOf: T0 },
    ]);
    expect(intent?.reason.code).toBe('triggered');
    const many = Object.fromEntries(
      Array.from({ length: 190 }, (_, i) => [
        `a-node-with-quite-a-long-name-${i}`,
        ['constant', { value: i }] as const,
      ]),
    );
    const visual = draw(
      {
        ...many,
        ...when.nodes,
        sum: ['math', { op: 'add' }],
        order: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }],
      },
      [
        ...when.edges,
        'a -> order.when',
        'sum -> order.amount',
        ...Object.keys(many).map((id) => `${id} -> sum.in`),
      ],
    );
    const { intents } = new Player(visual).at(T0, signals({ a: true }, T0, marketOf('BTCUSDT', T0)));
    const bytes = Buffer.byteLength(JSON.stringify(intents[0]?.inputs));
    expect(bytes).toBeLessThanOrEqual(8_192);
    expect(bytes).toBeGreaterThan(7_500);
  });
});

describe('buy and sell of one instrument in one step', () => {
  const both = draw(
    {
      ...when.nodes,
      units: ['constant', { value: 1 }],
      buy: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }],
      other: ['order', { instrument: 'ETHUSDT', side: 'buy', type: 'market' }],
      sell: ['order', { instrument: 'BTCUSDT', side: 'sell', type: 'market' }],
    },
    [
      ...when.edges,
      ...['buy', 'other', 'sell'].flatMap((id) => [`a -> ${id}.when`, `units -> ${id}.amount`]),
    ],
  );
  const seenAt = (now: number) => {
    const btc = marketOf('BTCUSDT', now);
    const eth = marketOf('ETHUSDT', now);
    return signals({ a: true }, now, {
      quotes: new Map([...btc.quotes, ...eth.quotes]),
      instruments: new Map([...btc.instruments, ...eth.instruments]),
      positions: new Map([['BTCUSDT', held('5')]]),
    });
  };
  test('the sell stays and is first, the buy is blocked, another instrument is not affected', () => {
    const player = new Player(both);
    const evaluation = player.at(T0, seenAt(T0));
    expect(evaluation.intents.map(({ nodeId }) => nodeId)).toEqual(['sell', 'other']);
    expect(stateOf(evaluation, 'buy')).toMatchObject({
      status: 'blocked',
      reason: { code: 'conflict' },
      firedCount: 0,
    });
    expect(player.at(T0 + TICK_MS, seenAt(T0 + TICK_MS)).intents).toEqual([]);
  });
});

describe('several sells of one instrument in one step', () => {
  test('together request at most the free amount, in the order of the graph', () => {
    const sell: NodeConfig = ['order', { instrument: 'BTCUSDT', side: 'sell', type: 'market' }];
    const visual = draw(
      {
        ...when.nodes,
        units: ['constant', { value: 3 }],
        first: sell,
        exit: ['exit', { instrument: 'BTCUSDT', stopLoss: 0.001 }],
        last: sell,
      },
      [...when.edges, ...['first', 'last'].flatMap((id) => [`a -> ${id}.when`, `units -> ${id}.amount`])],
    );
    const market = marketOf(
      'BTCUSDT',
      T0,
      {},
      { positions: new Map([['BTCUSDT', held('10', { free: '8' })]]) },
    );
    const evaluation = new Player(visual).at(T0, signals({ a: true }, T0, market));
    expect(evaluation.intents.map(({ nodeId, amount }) => [nodeId, amount])).toEqual([
      ['first', '3'],
      ['exit', '5'],
    ]);
    expect(stateOf(evaluation, 'last').reason?.code).toBe('nothing_to_sell');
  });
});

test('a market sell near 1 is not held up by a tick that is too coarse for it', () => {
  const visual = draw(
    {
      ...when.nodes,
      units: ['constant', { value: 3 }],
      sell: ['order', { instrument: 'KX:yes', side: 'sell', type: 'market' }],
    },
    [...when.edges, 'a -> sell.when', 'units -> sell.amount'],
  );
  const seen = marketOf(
    'KX:yes',
    T0,
    { bid: 0.995, ask: 0.999 },
    { positions: new Map([['KX:yes', held('5')]]) },
  );
  expect(new Player(visual).at(T0, signals({ a: true }, T0, seen)).intents).toMatchObject([
    { amount: '3', limitPrice: null },
  ]);
});
