import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GraphQuote, InstrumentFacts, NodeOrders, World } from '../../../engine/graph/types.ts';
import {
  conditionInput,
  draw,
  ended,
  facts,
  held,
  live,
  marketOf,
  type NodeConfig,
  numberInput,
  Player,
  signals,
  stateOf,
  T0,
} from './support.ts';

const TICK_MS = 2_000;
const when = conditionInput('a');

type Settings = Record<string, unknown>;

function orderGraph(settings: Settings, price = false) {
  const order = { instrument: 'BTCUSDT', side: 'buy', type: 'market', ...settings };
  return draw(
    {
      ...when.nodes,
      ...numberInput('units'),
      ...(price ? numberInput('limit') : {}),
      order: ['order', order],
    },
    [...when.edges, 'a -> order.when', 'units -> order.amount', ...(price ? ['limit -> order.price'] : [])],
  );
}

interface Tick {
  a: boolean | null;
  units?: number | null;
  limit?: number;
  over?: Partial<World>;
  quote?: Partial<GraphQuote>;
  facts?: Partial<InstrumentFacts>;
}

function playOn(player: Player, ticks: readonly Tick[]) {
  return ticks.map(({ a, units = 1, limit, over, quote, facts: known }, i) => {
    const now = T0 + TICK_MS * i;
    const market = marketOf('BTCUSDT', now, quote, {
      instruments: new Map([['BTCUSDT', facts('BTCUSDT', known)]]),
      ...over,
    });
    const inputs = { a, units, ...(limit === undefined ? {} : { limit }) };
    return player.at(now, signals(inputs, now, market));
  });
}

function play(settings: Settings, ticks: readonly Tick[]) {
  return playOn(
    new Player(
      orderGraph(
        settings,
        ticks.some(({ limit }) => limit !== undefined),
      ),
    ),
    ticks,
  );
}

const fires = (settings: Settings, ticks: readonly Tick[]) =>
  play(settings, ticks).map(({ intents }) => intents.length);
const signalsOf = (text: string): Tick[] => [...text].map((bit) => ({ a: bit === '?' ? null : bit === '1' }));
const shown = (settings: Settings, ticks: readonly Tick[]) => {
  const last = play(settings, ticks).at(-1);
  if (last === undefined) throw new Error('Nothing was played.');
  return stateOf(last, 'order');
};

describe('an order fires on the rising edge of its condition', () => {
  test.each([
    ['once per rise', '0110110', [0, 1, 0, 0, 1, 0, 0]],
    ['true, unknown, true is one edge', '01?1?1', [0, 1, 0, 0, 0, 0]],
    ['false, unknown, true is an edge', '0?1', [0, 0, 1]],
    ['true, unknown, false, true are two', '1?01', [1, 0, 0, 1]],
    ['true at the deploy fires at once', '11', [1, 0]],
    ['true at the deploy after unknown fires at its first known evaluation', '??1', [0, 0, 1]],
    ['never on unknown', '????', [0, 0, 0, 0]],
  ])('%s', (_, text, expected) => {
    expect(fires({}, signalsOf(text))).toEqual(expected);
  });

  test('fires as often as the known values rise, whatever is unknown in between', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('0', '1', '?'), { maxLength: 40 }), (bits) => {
        const known = bits.filter((bit) => bit !== '?').join('');
        const rises = `0${known}`.split('01').length - 1;
        expect(fires({}, signalsOf(bits.join(''))).reduce((sum, n) => sum + n, 0)).toBe(rises);
      }),
      { numRuns: 60 },
    );
  });

  test('ifTrueAtDeploy wait: what is true at the deploy must turn false and true again', () => {
    expect(fires({ ifTrueAtDeploy: 'wait' }, signalsOf('11?101'))).toEqual([0, 0, 0, 0, 0, 1]);
    expect(fires({ ifTrueAtDeploy: 'wait' }, signalsOf('?01'))).toEqual([0, 0, 1]);
    expect(shown({ ifTrueAtDeploy: 'wait' }, signalsOf('1'))).toMatchObject({
      status: 'idle',
      reason: { code: 'true_at_deploy' },
    });
  });

  test('a restart keeps the edge: a fresh process with the stored memory fires nothing again', () => {
    const player = new Player(orderGraph({}));
    playOn(player, signalsOf('01'));
    const restarted = new Player(orderGraph({}));
    restarted.memory = player.memory;
    expect(playOn(restarted, signalsOf('11')).map(({ intents }) => intents.length)).toEqual([0, 0]);
  });

  test('an unknown amount or price keeps the edge open until it is known', () => {
    expect(fires({}, [{ a: true, units: null }, { a: true }, { a: true }])).toEqual([0, 1, 0]);
    expect(fires({}, [{ a: true, quote: { ask: null } }, { a: true }])).toEqual([0, 1]);
    expect(fires({}, [{ a: true, quote: { asOf: T0 - 11_000 } }, { a: true }])).toEqual([0, 1]);
    expect(fires({}, [{ a: true, units: null }, { a: false }, { a: false }])).toEqual([0, 0, 0]);
    expect(shown({}, [{ a: true, quote: { asOf: T0 - 11_000 } }])).toMatchObject({ status: 'stale' });
  });
});

describe('an order spends the edge, and says why, when', () => {
  const spent = (ticks: readonly Tick[], settings: Settings = {}) => {
    const later = [...ticks, { a: true }, { a: true }];
    expect(fires(settings, later)).toEqual(later.map(() => 0));
    const state = shown(settings, later);
    expect(state.firedCount).toBe(0);
    return [state.status, state.reason?.code];
  };

  test('an order of its own is live', () => {
    expect(spent([{ a: true, over: { orders: new Map([['order', live('o1')]]) } }])).toEqual([
      'blocked',
      'order_live',
    ]);
  });
  test('its last order was denied less than 60 s ago, in the words of the receipt', () => {
    const denied = ended('o1', {
      status: 'denied',
      filledAmount: '0',
      endedAt: T0 - 59_000,
      message: 'Too large.',
    });
    const tick: Tick = { a: true, over: { orders: new Map([['order', denied]]) } };
    expect(spent([tick])).toEqual(['blocked', 'denied']);
    expect(shown({}, [tick]).reason?.message).toBe('Too large.');
    const older = ended('o1', { status: 'denied', filledAmount: '0', endedAt: T0 - 60_000 });
    expect(fires({}, [{ a: true, over: { orders: new Map([['order', older]]) } }])).toEqual([1]);
  });
  test('the blueprint is halted, unless it sells', () => {
    expect(spent([{ a: true, over: { isHalted: true } }])).toEqual(['blocked', 'halted']);
    const positions = new Map([['BTCUSDT', held('5')]]);
    expect(fires({ side: 'sell' }, [{ a: true, over: { isHalted: true, positions } }])).toEqual([1]);
  });
  test('the amount is below the minimum or rounds to nothing', () => {
    expect(spent([{ a: true, units: 0.0004 }])).toEqual(['blocked', 'below_minimum']);
    expect(spent([{ a: true, facts: { minSize: '2' } }])).toEqual(['blocked', 'below_minimum']);
    expect(spent([{ a: true, facts: { minNotional: '200' } }])).toEqual(['blocked', 'below_minimum']);
    expect(spent([{ a: true, units: -3 }])).toEqual(['blocked', 'below_minimum']);
  });
  test('there is nothing to sell', () => {
    expect(spent([{ a: true }], { side: 'sell' })).toEqual(['blocked', 'nothing_to_sell']);
  });
  test('the price cannot be ordered', () => {
    const tick: Tick = { a: true, limit: 0.001 };
    const [state] = play({ type: 'limit' }, [tick]).map((evaluation) => stateOf(evaluation, 'order'));
    expect(state).toMatchObject({ status: 'blocked', reason: { code: 'price_out_of_range' } });
  });
});

describe('an order that was refused blocks its node, in the words of whoever refused', () => {
  const refused = (status: string, message: string | null = 'Too large.', endedAt = T0 + 1_000) => ({
    orders: new Map([['order', ended('o1', { status, filledAmount: '0', endedAt, message })]]),
  });
  const seen = (ticks: readonly Tick[]) => {
    const { status, reason } = shown({}, ticks);
    return [status, reason?.code, reason?.message];
  };
  const FIRED = ['fired', 'triggered', 'The condition turned true.'];
  const IDLE = ['idle', undefined, undefined];
  const BLOCKED = ['blocked', 'denied', 'Too large.'];

  test.each(['denied', 'declined', 'rejected'])('%s: as long as its signal stands', (status) => {
    const over = refused(status);
    expect(seen([{ a: true }, { a: true, over }])).toEqual(BLOCKED);
    expect(seen([{ a: true }, ...Array.from({ length: 60 }, () => ({ a: true, over }))])).toEqual(BLOCKED);
  });
  test('what was raised counts all the same', () => {
    expect(shown({}, [{ a: true }, { a: true, over: refused('denied') }])).toMatchObject({
      firedCount: 1,
      lastFiredAt: T0,
    });
  });
  test('a denial, also after its signal, as long as the node pauses', () => {
    const followed = (status: string, ticks: number) => [
      { a: true },
      ...Array.from({ length: ticks }, () => ({ a: false, over: refused(status) })),
    ];
    expect(seen(followed('denied', 30))).toEqual(BLOCKED);
    expect(seen(followed('denied', 31))).toEqual(IDLE);
    expect(seen(followed('declined', 1))).toEqual(IDLE);
  });
  test('not an older one, nor while the next order is on its way, nor one that ended otherwise', () => {
    expect(seen([{ a: true }, { a: true, over: refused('denied', 'Too large.', T0 - 70_000) }])).toEqual(
      FIRED,
    );
    expect(seen([{ a: true, over: refused('declined', 'Too large.', T0) }])).toEqual(FIRED);
    const { orders } = refused('declined');
    const both = new Map([['order', { live: live('o2').live, last: orders.get('order')?.last ?? null }]]);
    expect(seen([{ a: true }, { a: true, over: { orders: both } }])).toEqual(FIRED);
    expect(seen([{ a: true }, { a: true, over: refused('canceled') }])).toEqual(FIRED);
  });
});

describe('what an order asks for', () => {
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
    const positions = new Map([['BTCUSDT', held('5')]]);
    expect(raised({ type: 'limit', side: 'sell' }, { limit: 50.011, over: { positions } })?.limitPrice).toBe(
      '50.02',
    );
    expect(raised({ type: 'limit', side: 'sell' }, { over: { positions } })?.limitPrice).toBe('99');
  });

  test('a limit order that may rest says for how long, if it was told', () => {
    expect(raised({ type: 'limit' })).not.toHaveProperty('expireAfterSec');
    expect(raised({ type: 'limit', expireAfterSec: 600 })).toMatchObject({
      timeInForce: 'gtc',
      expireAfterSec: 600,
    });
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

  test('a sell takes what is free at most, and all of it even off the step', () => {
    const sell = (units: number, free: string) =>
      raised({ side: 'sell' }, { units, over: { positions: new Map([['BTCUSDT', held('10', { free })]]) } })
        ?.amount;
    expect(sell(1.2345, '5')).toBe('1.234');
    expect(sell(7, '5.0005')).toBe('5.0005');
  });

  test('amount and price are never worse than asked, and on step and tick', () => {
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

  test('it carries the numbers that led to it with their age, nearest first, in 8 KB at most', () => {
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
  test('the sell stays and is first, the buy is blocked, another instrument is not concerned', () => {
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
  test('together ask for no more than is free, in the order of the drawing', () => {
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

describe('the output of an order', () => {
  const outputs = (orders: readonly (NodeOrders | null)[]) =>
    play(
      {},
      orders.map((known) => ({
        a: false,
        over: known === null ? {} : { orders: new Map([['order', known]]) },
      })),
    ).map((evaluation) => stateOf(evaluation, 'order').value);
  test('is true for the one step after its order ended with anything filled', () => {
    expect(
      outputs([null, live('o1'), ended('o1'), ended('o1'), ended('o2', { status: 'canceled' }), ended('o2')]),
    ).toEqual([false, false, true, false, true, false]);
  });
  test('is false when nothing was filled', () => {
    expect(outputs([ended('o1', { status: 'expired', filledAmount: '0.000' })])).toEqual([false]);
  });
});

test('the state of an order tells how its last edge ended, until the condition is over', () => {
  const states = play({}, signalsOf('0110')).map((evaluation) => stateOf(evaluation, 'order'));
  expect(states.map(({ status }) => status)).toEqual(['idle', 'fired', 'fired', 'idle']);
  expect(states.at(-1)).toMatchObject({ firedCount: 1, lastFiredAt: T0 + TICK_MS });
});
