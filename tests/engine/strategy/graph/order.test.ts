import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeOrders } from '../../../../engine/strategy/graph/types.ts';
import {
  conditionInput,
  draw,
  ended,
  held,
  live,
  onlyError,
  Player,
  signals,
  stateOf,
  T0,
} from './graph-fixtures.ts';
import {
  fires,
  orderGraph,
  orderState,
  play,
  playOn,
  type Settings,
  signalsOf,
  TICK_MS,
  type Tick,
} from './order-graph.ts';

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

  test('ifTrueAtDeploy wait: a condition that is true at the deploy must turn false and true again', () => {
    expect(fires({ ifTrueAtDeploy: 'wait' }, signalsOf('11?101'))).toEqual([0, 0, 0, 0, 0, 1]);
    expect(fires({ ifTrueAtDeploy: 'wait' }, signalsOf('?01'))).toEqual([0, 0, 1]);
    expect(orderState({ ifTrueAtDeploy: 'wait' }, signalsOf('1'))).toMatchObject({
      status: 'idle',
      reason: { code: 'true_at_deploy' },
    });
  });

  test('a restart keeps the edge: a new process with the stored memory fires nothing again', () => {
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
    expect(orderState({}, [{ a: true, quote: { asOf: T0 - 11_000 } }])).toMatchObject({ status: 'stale' });
  });
});

describe('an order spends the edge, with a reason, when', () => {
  const spent = (ticks: readonly Tick[], settings: Settings = {}) => {
    const later = [...ticks, { a: true }, { a: true }];
    expect(fires(settings, later)).toEqual(later.map(() => 0));
    const state = orderState(settings, later);
    expect(state.firedCount).toBe(0);
    return [state.status, state.reason?.code];
  };

  test('an order of its own is live', () => {
    expect(spent([{ a: true, over: { orders: new Map([['order', live('o1')]]) } }])).toEqual([
      'blocked',
      'order_live',
    ]);
  });
  test('its last order was denied less than 60 s ago, with the message of the receipt', () => {
    const denied = ended('o1', {
      status: 'denied',
      filledAmount: '0',
      endedAt: T0 - 59_000,
      message: 'Too large.',
    });
    const tick: Tick = { a: true, over: { orders: new Map([['order', denied]]) } };
    expect(spent([tick])).toEqual(['blocked', 'denied']);
    expect(orderState({}, [tick]).reason?.message).toBe('Too large.');
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

describe('an order that was refused blocks its node, with the message of the refusal', () => {
  const refused = (status: string, message: string | null = 'Too large.', endedAt = T0 + 1_000) => ({
    orders: new Map([['order', ended('o1', { status, filledAmount: '0', endedAt, message })]]),
  });
  const seen = (ticks: readonly Tick[]) => {
    const { status, reason } = orderState({}, ticks);
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
  test('a raised order counts all the same', () => {
    expect(orderState({}, [{ a: true }, { a: true, over: refused('denied') }])).toMatchObject({
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
  test('not an older one, nor while the next order is under way, nor one that ended otherwise', () => {
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

test('the state of an order shows how its last edge ended, until the condition is over', () => {
  const states = play({}, signalsOf('0110')).map((evaluation) => stateOf(evaluation, 'order'));
  expect(states.map(({ status }) => status)).toEqual(['idle', 'fired', 'fired', 'idle']);
  expect(states.at(-1)).toMatchObject({ firedCount: 1, lastFiredAt: T0 + TICK_MS });
});

describe('order.result', () => {
  const resultOf = (field: string, orders: NodeOrders | null) => {
    const { nodes, edges } = conditionInput('a');
    const visual = draw(
      {
        ...nodes,
        one: ['constant', { value: 1 }],
        buy: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }],
        node: ['order.result', { field }],
      },
      [...edges, 'a -> buy.when', 'one -> buy.amount', 'buy -> node.of'],
    );
    const seen = signals({ a: false }, T0, orders === null ? {} : { orders: new Map([['buy', orders]]) });
    return new Player(visual).state('node', T0, seen).value;
  };
  const partly = ended('o', { status: 'canceled', filledAmount: '4', filledNotional: '410', fees: '0.4' });

  test('reads amount, average price, fees and status of the newest order', () => {
    const fields = ['filledAmount', 'averagePrice', 'fees', 'live', 'filled', 'refused'];
    const all = (orders: NodeOrders | null) => fields.map((field) => resultOf(field, orders));
    expect(all(null)).toEqual([null, null, null, null, null, null]);
    expect(all(partly)).toEqual([4, 102.5, 0.4, false, false, false]);
    expect(all(ended('o'))).toEqual([1, 100, 0.1, false, true, false]);
    expect(all({ ...partly, live: live('n').live })).toEqual([0, null, 0, true, false, false]);
    const denied = ended('o', { status: 'denied', filledAmount: '0', filledNotional: '0', fees: '0' });
    expect(all(denied)).toEqual([0, null, 0, false, false, true]);
  });

  test('belongs to an action: the output of anything else is an error', () => {
    const { nodes, edges } = conditionInput('a');
    const visual = draw({ ...nodes, node: ['order.result', { field: 'fees' }] }, [...edges, 'a -> node.of']);
    expect(onlyError(visual).code).toBe('not_an_action');
  });
});
