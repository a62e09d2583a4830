import { describe, expect, test } from 'vitest';
import { inheritedMemory } from '../../../../engine/strategy/deployments/inherited-memory.ts';
import { nodeOrdersOf, WITHOUT_ORDER } from '../../../../engine/strategy/deployments/node-orders.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { explainGraph } from '../../../../engine/strategy/graph/story/explain-graph.ts';
import type { NodeOrder, NodeOrders, World } from '../../../../engine/strategy/graph/types.ts';
import {
  conditionInput,
  draw,
  facts,
  held,
  marketOf,
  numberInput,
  Player,
  signals,
  stateOf,
  T0,
} from './graph-fixtures.ts';

const TICK_MS = 2_000;
const when = conditionInput('a');

function quoteGraph(settings: Record<string, unknown> = {}, more: Record<string, [string, object]> = {}) {
  const quote = { instrument: 'BTCUSDT', side: 'buy', refreshMinSec: 10, ...settings };
  return draw(
    { ...when.nodes, ...numberInput('units'), ...numberInput('price'), quote: ['quote', quote], ...more },
    [...when.edges, 'a -> quote.when', 'units -> quote.amount', 'price -> quote.price'],
  );
}

const order = (id: string, over: Partial<NodeOrder> = {}): NodeOrder => ({
  id,
  status: 'open',
  amount: '5',
  limitPrice: '100',
  isCanceling: false,
  filledAmount: '0',
  filledNotional: '0',
  fees: '0',
  endedAt: null,
  message: null,
  ...over,
});
const rests = (id: string, over: Partial<NodeOrder> = {}): NodeOrders => ({
  live: order(id, over),
  last: null,
});
const over = (
  id: string,
  filledAmount: string,
  atTick: number,
  more: Partial<NodeOrder> = {},
): NodeOrders => ({
  live: null,
  last: order(id, { status: 'canceled', filledAmount, endedAt: T0 + TICK_MS * atTick, ...more }),
});

type Seen = {
  a?: boolean | null;
  units?: number | null;
  price?: number | null;
  orders?: NodeOrders;
  more?: Partial<World>;
};

/** Steps a quote, and sees what it does at a tick. */
class Trial {
  readonly player: Player;

  constructor(settings: Record<string, unknown> = {}, more: Record<string, [string, object]> = {}) {
    this.player = new Player(quoteGraph(settings, more));
  }

  /** The same strategy with other settings, which replaces this one while it runs. */
  redeployed(settings: Record<string, unknown> = {}): Trial {
    const next = new Trial(settings);
    next.player.memory = inheritedMemory(this.player.memory, quoteGraph(settings));
    return next;
  }

  at(tick: number, { a = true, units = 5, price = 100, orders, more }: Seen = {}) {
    const now = T0 + TICK_MS * tick;
    const market = marketOf(
      'BTCUSDT',
      now,
      {},
      {
        ...(orders === undefined ? {} : { orders: new Map([['quote', orders]]) }),
        ...more,
      },
    );
    const evaluation = this.player.at(now, signals({ a, units, price }, now, market));
    const [intent] = evaluation.intents.filter(({ nodeId }) => nodeId === 'quote');
    const [cancellation] = evaluation.cancellations;
    return {
      raised: intent === undefined ? null : `${intent.side} ${intent.amount} at ${intent.limitPrice}`,
      canceled: cancellation?.orderId ?? null,
      state: stateOf(evaluation, 'quote'),
    };
  }
}

describe('a quote keeps one order at its price while its condition holds', () => {
  test('it raises a resting limit order, and leaves it alone while the price stays within its ticks', () => {
    const trial = new Trial();
    expect(trial.at(0, { a: false })).toMatchObject({ raised: null, state: { status: 'idle' } });
    expect(trial.at(1)).toMatchObject({ raised: 'buy 5 at 100', state: { status: 'fired', firedCount: 1 } });
    for (let tick = 2; tick < 30; tick++)
      expect(trial.at(tick, { price: 100.01, orders: rests('o1') })).toMatchObject({
        raised: null,
        canceled: null,
        state: { status: 'fired', reason: { code: 'order_live' } },
      });
  });

  test.each([
    ['false', { a: false }],
    ['unknown', { a: null }],
    ['true but the price is unknown', { price: null }],
    ['true but the market is closed', { more: { quotes: new Map() } }],
    ['true but the price cannot be ordered', { price: -1 }],
  ])('it cancels the order in the step in which its condition is %s', (_, seen) => {
    const trial = new Trial();
    trial.at(0);
    expect(trial.at(1, { ...seen, orders: rests('o1') })).toMatchObject({ raised: null, canceled: 'o1' });
    expect(trial.at(2, { ...seen, orders: rests('o1', { isCanceling: true }) })).toMatchObject({
      raised: null,
      canceled: null,
    });
  });

  test('a cancel that was lost is requested again', () => {
    const trial = new Trial();
    trial.at(0);
    for (const tick of [1, 2, 3])
      expect(trial.at(tick, { a: false, orders: rests('o1') })).toMatchObject({ canceled: 'o1' });
  });

  test('it replaces the order once the price has moved, only after the cancel is confirmed, for the rest', () => {
    const trial = new Trial();
    trial.at(0);
    const moved = { price: 101 };
    expect(trial.at(4, { ...moved, orders: rests('o1') })).toMatchObject({ canceled: null });
    expect(trial.at(5, { ...moved, orders: rests('o1', { filledAmount: '1' }) })).toMatchObject({
      raised: null,
      canceled: 'o1',
      state: { status: 'waiting', reason: { code: 'canceling' } },
    });
    const unsure = rests('o1', { isCanceling: true, status: 'unknown' });
    for (const tick of [6, 7, 100]) expect(trial.at(tick, { ...moved, orders: unsure }).raised).toBeNull();
    expect(trial.at(101, { ...moved, orders: over('o1', '2', 101) })).toMatchObject({
      raised: 'buy 3 at 101',
    });
  });

  test('its next order waits until `refreshMinSec` is over', () => {
    const trial = new Trial();
    trial.at(0);
    trial.at(1, { a: false, orders: rests('o1') });
    expect(trial.at(2, { orders: over('o1', '0', 2) })).toMatchObject({
      raised: null,
      state: { status: 'waiting', reason: { code: 'backing_off' }, distance: 6 },
    });
    expect(trial.at(5, { orders: over('o1', '0', 2) }).raised).toBe('buy 5 at 100');
  });

  test('the price is never worse than requested', () => {
    expect(new Trial().at(0, { price: 100.019 }).raised).toBe('buy 5 at 100.01');
    const more = { positions: new Map([['BTCUSDT', held('9')]]) };
    expect(new Trial({ side: 'sell' }).at(0, { price: 100.011, more }).raised).toBe('sell 5 at 100.02');
  });
});

describe('a quote never fills more than its amount', () => {
  const filled = over('o1', '5', 6, { status: 'filled' });

  test('it stops once the amount is filled, until its condition was false', () => {
    const trial = new Trial();
    trial.at(0);
    expect(trial.at(6, { orders: filled })).toMatchObject({
      raised: null,
      state: { status: 'ok', value: true, reason: { code: 'amount_filled' } },
    });
    expect(trial.at(50, { orders: filled, units: 8 })).toMatchObject({
      raised: null,
      state: { value: false },
    });
    trial.at(51, { orders: filled, a: false });
    expect(trial.at(52, { orders: filled }).raised).toBe('buy 5 at 100');
  });

  test('with `repeat` it quotes the amount again', () => {
    const trial = new Trial({ afterFill: 'repeat' });
    trial.at(0);
    expect(trial.at(6, { orders: filled, units: 7 }).raised).toBe('buy 7 at 100');
    expect(trial.at(12, { orders: over('o2', '3', 12, { status: 'expired' }) }).raised).toBe('buy 4 at 100');
  });

  test('the amount is fixed when its condition turns true, also while its first order waits', () => {
    const trial = new Trial({ side: 'sell' });
    trial.at(0, { a: false });
    expect(trial.at(1, { units: 5 })).toMatchObject({ raised: null, state: { status: 'blocked' } });
    const more = { positions: new Map([['BTCUSDT', held('9')]]) };
    expect(trial.at(2, { units: 3, more }).raised).toBe('sell 5 at 100');
  });

  test('an unknown condition in between does not start the count again', () => {
    const trial = new Trial();
    trial.at(0);
    trial.at(5, { a: null, orders: rests('o1', { filledAmount: '4' }) });
    trial.at(6, { a: null, orders: over('o1', '4', 6) });
    expect(trial.at(7, { orders: over('o1', '4', 6) }).raised).toBe('buy 1 at 100');
  });

  test('a fill that is reported after the end counts, and withdraws an order that now asks for too much', () => {
    const trial = new Trial();
    trial.at(0);
    expect(trial.at(6, { orders: over('o1', '2', 6, { status: 'expired' }) }).raised).toBe('buy 3 at 100');
    const { last } = over('o1', '3', 6, { status: 'expired' });
    expect(trial.at(7, { orders: { live: order('o2', { amount: '3' }), last } }).canceled).toBe('o2');
  });

  test('a fill that is reported after a later intent was refused counts, in this round and not in the next', () => {
    const refusedAfter = (filledAmount: string, atTick: number) => {
      const { endedAt: endedAtMs, limitPrice: _, ...ended } = order('o1', { filledAmount, endedAt: T0 });
      const refusal = { ...order('refused'), ...WITHOUT_ORDER, status: 'denied' as const };
      const outcomes = {
        orders: new Map([
          ['quote', [{ ...ended, status: 'expired' as const, limitPrice: '100', endedAtMs }]],
        ]),
        undecided: new Map(),
        refusals: new Map([['quote', { ...refusal, endedAt: T0 + TICK_MS * atTick }]]),
      };
      return nodeOrdersOf(outcomes, { nowMs: T0, toFeed: (ms) => ms }).get('quote') ?? rests('');
    };
    const trial = new Trial();
    trial.at(0);
    expect(trial.at(6, { orders: over('o1', '2', 0, { status: 'expired' }) }).raised).toBe('buy 3 at 100');
    expect(trial.at(12, { orders: refusedAfter('2', 7) })).toMatchObject({ state: { status: 'blocked' } });
    expect(trial.at(60, { orders: refusedAfter('4', 7) }).raised).toBe('buy 1 at 100');
    trial.at(66, { a: false, orders: refusedAfter('4', 61) });
    expect(trial.at(100, { orders: refusedAfter('4', 61) }).raised).toBe('buy 5 at 100');
  });

  test('a fill that comes while its condition is false does not count towards the next amount', () => {
    const trial = new Trial();
    trial.at(0);
    trial.at(1, { a: false, orders: rests('o1') });
    expect(trial.at(6, { orders: over('o1', '2', 2) }).raised).toBe('buy 5 at 100');
    const { last } = over('o1', '2', 2);
    expect(trial.at(7, { orders: { live: order('o2'), last } }).canceled).toBeNull();
  });

  test('a rest below the venue’s minimum ends it', () => {
    const trial = new Trial();
    const known = { more: { instruments: new Map([['BTCUSDT', facts('BTCUSDT', { minSize: '2' })]]) } };
    trial.at(0, known);
    expect(trial.at(6, { ...known, orders: over('o1', '4', 6, { status: 'expired' }) })).toMatchObject({
      raised: null,
      state: { status: 'ok', reason: { code: 'amount_filled' } },
    });
  });

  test('orders of an earlier deployment neither count nor show as filled, and are waited for', () => {
    const trial = new Trial();
    const { live } = rests('old', { isCanceling: true });
    expect(trial.at(0, { orders: { live, last: filled.last } })).toMatchObject({
      raised: null,
      canceled: null,
      state: { value: false },
    });
    expect(trial.at(1, { orders: over('old', '0', 1) }).raised).toBe('buy 5 at 100');
  });
});

describe('a quote pauses for 60 seconds', () => {
  test.each(['denied', 'declined', 'rejected', 'canceled'])(
    'after its order ended as %s by another hand',
    (status) => {
      const trial = new Trial();
      trial.at(0);
      const orders = over('o1', '0', 5, { status, message: 'The kill switch is on.' });
      expect(trial.at(34, { orders })).toMatchObject({
        raised: null,
        state: { status: 'blocked', reason: { code: 'denied', message: 'The kill switch is on.' } },
      });
      expect(trial.at(35, { orders }).raised).toBe('buy 5 at 100');
    },
  );

  test('not after its own cancel, nor after its order has expired', () => {
    const trial = new Trial();
    trial.at(0);
    trial.at(5, { price: 101, orders: rests('o1') });
    expect(trial.at(6, { price: 101, orders: over('o1', '0', 6) }).raised).toBe('buy 5 at 101');
    const orders = over('o2', '0', 12, { status: 'expired' });
    expect(trial.at(12, { price: 101, orders }).raised).toBe('buy 5 at 101');
  });
});

test('a quote is explained in a sentence, and a graph whose buys could pass the usual limit a minute is warned of', () => {
  const graph = quoteGraph({ afterFill: 'repeat', refreshMinSec: 5 });
  expect(explainGraph(graph)).toEqual([
    {
      nodeId: 'quote',
      text: 'Keeps a bid for UNITSUSDT last of BTCUSDT at PRICEUSDT last, moved at most every 5 seconds once it is over 1 tick off, while AUSDT last is above 0.5, again and again.',
    },
  ]);
  const many = (refreshMinSec: number, side = 'buy') =>
    compile(quoteGraph({ refreshMinSec, side })).issues.filter(({ code }) => code === 'many_orders');
  expect(many(5)).toMatchObject([
    { nodeId: 'quote', path: '/nodes/5/data/config/refreshMinSec', severity: 'warning' },
  ]);
  expect(many(6)).toEqual([]);
  expect(many(5, 'sell')).toEqual([]);
});

describe('a quote stands back', () => {
  const long = { positions: new Map([['BTCUSDT', held('5', { averageCost: '300', free: '1' })]]) };
  const exit = { exit: ['exit', { instrument: 'BTCUSDT', stopLoss: 0.1 }] } as Record<
    string,
    [string, object]
  >;

  test.each(['buy', 'sell'])('a %s is withdrawn while an exit sells its instrument', (side) => {
    const trial = new Trial({ side }, exit);
    expect(trial.at(0, { more: long })).toMatchObject({
      raised: null,
      state: { status: 'blocked', reason: { code: 'conflict' } },
    });
    expect(trial.at(1, { more: long, orders: rests('o1') })).toMatchObject({ raised: null, canceled: 'o1' });
  });

  test('nothing is quoted while the blueprint is in error: exits need what a sell would hold', () => {
    const more = { isHalted: true, positions: new Map([['BTCUSDT', held('5')]]) };
    for (const side of ['buy', 'sell'])
      expect(new Trial({ side }).at(0, { more })).toMatchObject({
        raised: null,
        state: { reason: { code: 'halted' } },
      });
  });

  test('its own resting buy does not trip the position limit of a guard before it', () => {
    const graph = quoteGraph({}, { guard: ['guard', { instrument: 'BTCUSDT', maxPosition: 5 }] });
    const edges = draw({}, ['a -> guard.in', 'guard -> quote.when']).edges;
    const player = new Player({
      nodes: graph.nodes,
      edges: [
        ...graph.edges.filter(({ target, targetHandle }) => target !== 'quote' || targetHandle !== 'when'),
        ...edges,
      ],
    });
    const at = (tick: number, seen: Partial<World>) => {
      const now = T0 + TICK_MS * tick;
      return player.at(
        now,
        signals({ a: true, units: 5, price: 100 }, now, marketOf('BTCUSDT', now, {}, seen)),
      );
    };
    expect(at(0, {}).intents).toHaveLength(1);
    const resting = { buying: new Map([['BTCUSDT', '5']]), orders: new Map([['quote', rests('o1')]]) };
    expect(at(1, resting)).toMatchObject({ intents: [], cancellations: [] });
    const full = { ...resting, positions: new Map([['BTCUSDT', held('5')]]) };
    expect(at(2, full)).toMatchObject({ intents: [], cancellations: [{ orderId: 'o1' }] });
  });
});

describe('a quote that is redeployed while it runs', () => {
  const afterTwo = () => {
    const trial = new Trial();
    trial.at(0, { a: false });
    expect(trial.at(1).raised).toBe('buy 5 at 100');
    trial.at(2, { orders: over('o1', '2', 2, { status: 'expired' }) });
    return trial;
  };

  test('continues with what is left to fill, and never above an amount that has become less', () => {
    expect(afterTwo().redeployed().at(20).raised).toBe('buy 3 at 100');
    expect(afterTwo().redeployed().at(20, { units: 4 }).raised).toBe('buy 2 at 100');
    expect(afterTwo().redeployed().at(20, { units: 500 }).raised).toBe('buy 3 at 100');
  });

  test('counts nothing of another side', () => {
    const next = afterTwo().redeployed({ side: 'sell' });
    const positions = new Map([['BTCUSDT', held('9')]]);
    expect(next.at(20, { units: 4, more: { positions } }).raised).toBe('sell 4 at 100');
  });
});

test('an order that was dated by a clock ahead holds up no replacement', () => {
  const trial = new Trial();
  trial.at(0, { a: false });
  expect(trial.at(1_000).raised).toBe('buy 5 at 100');
  expect(trial.at(2, { price: 120, orders: rests('o1') }).canceled).toBe('o1');
});

test('an order that waits for a person is not replaced because the price moved', () => {
  const trial = new Trial();
  trial.at(0, { a: false });
  trial.at(1);
  const orders = rests('o1', { status: 'pending' });
  expect(trial.at(30, { price: 120, orders }).canceled).toBeNull();
  expect(trial.at(31, { a: false, orders }).canceled).toBe('o1');
});
