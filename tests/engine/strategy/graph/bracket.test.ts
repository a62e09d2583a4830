import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inheritedMemory } from '../../../../engine/strategy/deployments/inherited-memory.ts';
import { nodeOrdersOf, type OrderFacts } from '../../../../engine/strategy/deployments/node-orders.ts';
import { nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import { explainGraph } from '../../../../engine/strategy/graph/story/explain-graph.ts';
import type { Intent, NodeOrders, Position } from '../../../../engine/strategy/graph/types.ts';
import {
  conditionInput,
  draw,
  held,
  live,
  marketOf,
  Player,
  signals,
  stateOf,
  T0,
} from './graph-fixtures.ts';

const TICK_MS = 2_000;
const TOKEN = { instrument: 'BTCUSDT' };
const BRACKET = draw({
  near: ['target', { ...TOKEN, takeProfit: 0.02, part: 0.5 }],
  far: ['target', { ...TOKEN, takeProfit: 0.05, part: 0.5 }],
  stop: ['exit', { ...TOKEN, stopLoss: 0.03 }],
});

type Seen = {
  position?: Position;
  bid?: number;
  orders?: Record<string, NodeOrders>;
  isQuoted?: boolean;
  isHalted?: boolean;
};

class Trial {
  readonly player = new Player(BRACKET);

  at(tick: number, { position, bid = 100, orders = {}, isQuoted = true, isHalted = false }: Seen = {}) {
    const now = T0 + TICK_MS * tick;
    const positions = new Map(position === undefined ? [] : [['BTCUSDT', position]]);
    const seen = marketOf(
      'BTCUSDT',
      now,
      { bid },
      { positions, orders: new Map(Object.entries(orders)), isHalted },
    );
    const evaluation = this.player.at(now, isQuoted ? seen : { ...seen, quotes: new Map() });
    return {
      raised: evaluation.intents.map(
        ({ nodeId, side, amount, limitPrice }) => `${nodeId}: ${side} ${amount} at ${limitPrice}`,
      ),
      canceled: evaluation.cancellations.map(({ orderId }) => orderId),
      state: stateOf(evaluation, 'near'),
    };
  }
}

const rests = (id: string, amount: string, limitPrice: string, over: object = {}): NodeOrders => {
  const { live: order } = live(id);
  return { live: order === null ? null : { ...order, amount, limitPrice, ...over }, last: null };
};
const BOTH = { near: rests('o1', '5', '102'), far: rests('o2', '5', '105') };
const reserved = held('10', { free: '0' });

describe('a bracket: targets for parts of a position, and the stop of an exit', () => {
  test('each target rests at its profit above the cost, for its part', () => {
    const trial = new Trial();
    expect(trial.at(0)).toMatchObject({ raised: [], state: { status: 'idle' } });
    expect(trial.at(1, { position: held('10') }).raised).toEqual([
      'near: sell 5 at 102',
      'far: sell 5 at 105',
    ]);
    for (let tick = 2; tick < 30; tick++)
      expect(trial.at(tick, { position: reserved, orders: BOTH })).toMatchObject({
        raised: [],
        canceled: [],
      });
  });

  test('a target grows with the position, and moves with its cost', () => {
    const trial = new Trial();
    trial.at(0, { position: held('4') });
    const orders = { near: rests('o1', '2', '102'), far: rests('o2', '2', '105') };
    const bought = { orders, position: held('10', { free: '6' }) };
    expect(trial.at(1, bought).canceled).toEqual([]);
    expect(trial.at(5, bought).canceled).toEqual(['o1', 'o2']);
    expect(trial.at(12, { position: held('10', { averageCost: '200' }), bid: 200 }).raised).toEqual([
      'near: sell 5 at 204',
      'far: sell 5 at 210',
    ]);
  });

  test('what one target has sold is not sold by it again while the position lasts', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    const { last } = { last: { ...live('o1').live, status: 'filled', filledAmount: '5', endedAt: T0 } };
    const orders = { near: { live: null, last: last as never }, far: BOTH.far };
    const half = { orders, position: held('5', { free: '0' }) };
    expect(trial.at(1, half).state).toMatchObject({ value: true, reason: { code: 'amount_filled' } });
    for (const tick of [2, 50]) expect(trial.at(tick, half)).toMatchObject({ raised: [], canceled: [] });
    trial.at(51);
    expect(trial.at(52, { position: held('4') }).raised).toContain('near: sell 2 at 102');
  });

  test('a rest too small to order is no end: with what is bought later it is offered', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    const last = { ...live('o1').live, status: 'filled', filledAmount: '4.99999', endedAt: T0 } as never;
    const orders = { near: { live: null, last }, far: BOTH.far };
    const rest = { orders, position: held('5.00001', { free: '0.00001' }) };
    expect(trial.at(6, rest).state).toMatchObject({ status: 'blocked', reason: { code: 'below_minimum' } });
    const more = { orders, position: held('15.00001', { free: '10.00001' }) };
    expect(trial.at(12, more).raised).toEqual(['near: sell 5 at 102']);
  });

  test('a position that was sold and opened again between two steps has its target', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    const last = { ...live('o1').live, status: 'filled', filledAmount: '5', endedAt: T0 } as never;
    const again = {
      orders: { near: { live: null, last } },
      position: held('10', { openedAt: T0 + TICK_MS }),
    };
    expect(trial.at(10, again).raised).toContain('near: sell 5 at 102');
  });

  test('what is bought while a target sells is offered too, and nothing twice', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    const partly = { near: rests('o1', '5', '102', { filledAmount: '2' }), far: BOTH.far };
    expect(trial.at(1, { orders: partly, position: held('10', { free: '2' }) })).toMatchObject({
      raised: [],
    });
    const last = { ...live('o1').live, status: 'filled', filledAmount: '5', endedAt: T0 } as never;
    const orders = { near: { live: null, last }, far: BOTH.far };
    const again = { orders, position: held('10', { free: '5' }) };
    expect(trial.at(10, again).raised).toEqual(['near: sell 2.5 at 102']);
    const resting = { near: { ...rests('o3', '2.5', '102'), last }, far: BOTH.far };
    const still = { orders: resting, position: held('10', { free: '2.5' }) };
    for (const tick of [20, 30]) expect(trial.at(tick, still).raised).toEqual([]);
  });

  test('what is bought between two steps counts whole, also after sales by hand and beside its own', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    trial.at(1, { position: held('6', { free: '0' }), orders: BOTH });
    // 3 are sold by the target and 4 bought: of 14 in all, it sells 7.
    const last = { ...live('o1').live, status: 'filled', filledAmount: '3', endedAt: T0 } as never;
    const orders = { near: { live: null, last }, far: BOTH.far };
    expect(trial.at(10, { orders, position: held('7', { free: '4' }) }).raised).toEqual([
      'near: sell 4 at 102',
    ]);
  });

  test('in error no target rests: the stop needs its units', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    const halted = { position: reserved, orders: BOTH, isHalted: true };
    expect(trial.at(1, halted)).toMatchObject({ raised: [], canceled: ['o1', 'o2'] });
    expect(trial.at(90, { position: held('10'), isHalted: true }).raised).toEqual([]);
  });

  test('a stop that is reached cancels the targets, sells what is free, and then what they release', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    expect(trial.at(1, { position: held('12', { free: '2' }), orders: BOTH, bid: 97 })).toMatchObject({
      raised: ['stop: sell 2 at null'],
      canceled: ['o1', 'o2'],
      state: { status: 'blocked', reason: { code: 'conflict' } },
    });
    expect(trial.at(10, { position: held('10'), bid: 97 }).raised).toEqual(['stop: sell 10 at null']);
  });

  test('no target rests in a market that is not known', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    const blind = trial.at(1, { position: reserved, orders: BOTH, isQuoted: false });
    expect(blind).toMatchObject({ raised: [], canceled: ['o1', 'o2'] });
  });

  test('a redeploy continues with what is sold', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    const last = { ...live('o1').live, status: 'filled', filledAmount: '5', endedAt: T0 } as never;
    const orders = { near: { live: null, last }, far: BOTH.far };
    trial.at(1, { orders, position: held('5', { free: '0' }) });
    const next = new Trial();
    next.player.memory = inheritedMemory(trial.player.memory, BRACKET);
    expect(next.at(9, { orders, position: held('5', { free: '0' }) })).toMatchObject({ raised: [] });
  });

  test('a redeploy counts what is bought during the change, also beside a sale of the target', () => {
    const trial = new Trial();
    trial.at(0, { position: held('10') });
    trial.at(1, { position: reserved, orders: BOTH });
    const next = new Trial();
    next.player.memory = inheritedMemory(trial.player.memory, BRACKET);
    // 3 are sold by the target and 4 bought: of 14 in all, it sells 7.
    const last = { ...live('o1').live, status: 'filled', filledAmount: '3', endedAt: T0 } as never;
    const orders = { near: { live: null, last }, far: BOTH.far };
    expect(next.at(90, { orders, position: held('11', { free: '6' }) }).raised).toContain(
      'near: sell 4 at 102',
    );
  });

  test('it is said in words', () => {
    expect(explainGraph(BRACKET).map(({ text }) => text)).toEqual([
      'Offers 50 % of the BTCUSDT it holds at a profit of 2 %.',
      'Offers 50 % of the BTCUSDT it holds at a profit of 5 %.',
      'Sells all of the BTCUSDT it holds at a loss of 3 %.',
    ]);
  });
});

const NODES = ['near', 'far', 'stop'] as const;
const EVENTS = [
  ...['decide', 'decide', 'decide', 'deny', 'buy', 'fill', 'fill all', 'fill all at once'],
  ...['confirm cancel', 'confirm cancel', 'cancel elsewhere', 'expire', 'lose answer', 'find'],
] as const;
const step = fc.record({
  events: fc.array(fc.tuple(fc.constantFrom(...EVENTS), fc.constantFrom(...NODES)), { maxLength: 5 }),
  bid: fc.constantFrom(100, 100, 100, 103, 97, 90, null),
  isCancelLost: fc.boolean(),
  ticks: fc.integer({ min: 1, max: 8 }),
});

type Row = { -readonly [Key in keyof OrderFacts]: OrderFacts[Key] };

/** A venue with a holding, which every live sell reserves a part of, and which fills whatever it likes. */
class Venue {
  bought = 0;
  sold = 0;
  readonly rows = new Map<string, Row[]>(NODES.map((id) => [id, []]));
  readonly undecided = new Map<string, Intent>();

  get live(): Row[] {
    return [...this.rows.values()].flat().filter(({ endedAtMs }) => endedAtMs === null);
  }
  get free(): number {
    const open = this.live.map(({ amount, filledAmount }) => Number(amount) - Number(filledAmount));
    return this.bought - this.sold - open.reduce((sum, units) => sum + units, 0);
  }
  get positions(): Map<string, Position> {
    const amount = this.bought - this.sold;
    return new Map(amount === 0 ? [] : [['BTCUSDT', held(String(amount), { free: String(this.free) })]]);
  }
  orders(nowMs: number) {
    const orders = new Map([...this.rows].map(([id, rows]) => [id, rows.slice(-2).toReversed()]));
    const outcomes = { orders, undecided: this.undecided, refusals: new Map() };
    return nodeOrdersOf(outcomes, { nowMs, toFeed: (ms) => ms });
  }

  happen(event: (typeof EVENTS)[number], id: (typeof NODES)[number], nowMs: number): void {
    if (event === 'buy') this.bought += 4;
    if (event === 'decide' || event === 'deny') this.#decide(id, event === 'deny', nowMs);
    if (event === 'fill all at once') for (const row of this.live) this.#fill(row, Number(row.amount), nowMs);
    const row = this.rows.get(id)?.find(({ endedAtMs }) => endedAtMs === null);
    if (row === undefined) return;
    if (event === 'lose answer') row.status = 'unknown';
    if (event === 'find' && row.status === 'unknown') row.status = 'open';
    if (event === 'fill') this.#fill(row, 1, nowMs);
    if (event === 'fill all') this.#fill(row, Number(row.amount), nowMs);
    if (event === 'confirm cancel' && row.isCanceling) this.#end(row, 'canceled', nowMs);
    if (event === 'cancel elsewhere') this.#end(row, 'canceled', nowMs);
    if (event === 'expire') this.#end(row, 'expired', nowMs);
  }

  /** The one entry: it takes at most what is free. */
  #decide(id: string, isDenied: boolean, nowMs: number): void {
    const intent = this.undecided.get(id);
    if (intent === undefined) return;
    this.undecided.delete(id);
    const amount = Math.min(Number(intent.amount), this.free);
    const isRefused = isDenied || amount <= 0;
    this.rows.get(id)?.push({
      id: `${id} ${this.rows.get(id)?.length}`,
      status: isRefused ? 'denied' : 'open',
      amount: String(isRefused ? intent.amount : amount),
      limitPrice: intent.limitPrice ?? '0',
      isCanceling: false,
      filledAmount: '0',
      filledNotional: '0',
      fees: '0',
      endedAtMs: isRefused ? nowMs : null,
      message: null,
    });
  }
  #fill(row: Row, most: number, nowMs: number): void {
    if (row.endedAtMs !== null) return;
    const units = Math.min(most, Number(row.amount) - Number(row.filledAmount));
    row.filledAmount = String(Number(row.filledAmount) + units);
    this.sold += units;
    if (row.filledAmount === row.amount) this.#end(row, 'filled', nowMs);
  }
  #end(row: Row, status: 'filled' | 'canceled' | 'expired', nowMs: number): void {
    if (row.endedAtMs !== null) return;
    row.status = status;
    row.endedAtMs = nowMs;
  }
}

test('whatever its venue does, also when all fill at once, a bracket never sells more than it holds', () => {
  let [sales, conflicts] = [0, 0];
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const venue = new Venue();
      const player = new Player(BRACKET);
      let now = T0;
      venue.bought = 10;
      for (const { events, bid, isCancelLost, ticks } of steps) {
        now += ticks * TICK_MS;
        for (const [event, id] of events) venue.happen(event, id, now);
        const { positions, free } = venue;
        const orders = venue.orders(now);
        const { intents, cancellations } = player.at(
          now,
          marketOf('BTCUSDT', now, { bid }, { positions, orders }),
        );
        const wanted = intents.reduce((sum, { amount }) => sum + Number(amount), 0);
        expect(wanted).toBeLessThanOrEqual(free);
        for (const { nodeId, side } of intents) {
          expect([side, orders.get(nodeId)?.live ?? null]).toEqual(['sell', null]);
          sales++;
        }
        const isStopped = bid !== null && bid <= 97 && positions.size > 0;
        if (isStopped) {
          const resting = ['near', 'far'].flatMap((id) => {
            const order = orders.get(id)?.live;
            return order?.limitPrice != null && !order.isCanceling ? [order.id] : [];
          });
          expect(cancellations.map(({ orderId }) => orderId).sort()).toEqual(resting.sort());
          expect(intents.every(({ nodeId }) => nodeId === 'stop')).toBe(true);
          conflicts += resting.length;
        }
        for (const intent of intents) venue.undecided.set(intent.nodeId, intent);
        if (!isCancelLost)
          for (const { orderId } of cancellations)
            for (const row of venue.live) if (row.id === orderId) row.isCanceling = true;
        expect(venue.free).toBeGreaterThanOrEqual(0);
        expect(venue.sold).toBeLessThanOrEqual(venue.bought);
      }
    }),
    { numRuns: 300 },
  );
  expect(Math.min(sales, conflicts)).toBeGreaterThan(0);
});

describe('one cancels the other', () => {
  const a = conditionInput('a');
  const entry = (price: string) =>
    ['quote', { ...TOKEN, side: 'buy', oneCancelsOther: 'entry', refreshMinSec: 2 }, price] as const;
  const [low, high] = [entry('low'), entry('high')];
  const GRAPH = draw(
    {
      ...a.nodes,
      units: ['constant', { value: 5 }],
      cheap: ['constant', { value: 95 }],
      dear: ['constant', { value: 98 }],
      low: [low[0], low[1]],
      high: [high[0], high[1]],
    },
    [
      ...a.edges,
      ...['low', 'high'].flatMap((id) => [`a -> ${id}.when`, `units -> ${id}.amount`]),
      ...['cheap -> low.price', 'dear -> high.price'],
    ],
  );

  function play() {
    const player = new Player(GRAPH);
    return (tick: number, orders: Record<string, NodeOrders> = {}, isOn = true) => {
      const now = T0 + TICK_MS * tick;
      const market = marketOf('BTCUSDT', now, {}, { orders: new Map(Object.entries(orders)) });
      const { intents, cancellations } = player.at(now, signals({ a: isOn }, now, market));
      return {
        raised: intents.map(({ nodeId }) => nodeId),
        canceled: cancellations.map(({ orderId }) => orderId),
      };
    };
  }
  const open = { low: rests('o1', '5', '95'), high: rests('o2', '5', '98') };

  test('both rest until one has filled anything, which cancels the other', () => {
    const at = play();
    expect(at(0).raised).toEqual(['low', 'high']);
    expect(at(1, open)).toEqual({ raised: [], canceled: [] });
    const filling = { ...open, high: rests('o2', '5', '98', { filledAmount: '1' }) };
    expect(at(2, filling)).toEqual({ raised: [], canceled: ['o1'] });
    const filled = {
      live: null,
      last: { ...open.high.live, status: 'filled', filledAmount: '5', endedAt: T0 },
    };
    for (const tick of [3, 100]) expect(at(tick, { high: filled as never }).raised).toEqual([]);
    at(101, { high: filled as never }, false);
    expect(at(102, { high: filled as never }).raised).toEqual(['low', 'high']);
  });

  test('it is refused for a quote that repeats: the others would order again after its next fill', () => {
    const accepts = (more: object) => nodeTypes.get('quote')?.config.safeParse({ ...settings, ...more });
    const settings = { ...TOKEN, side: 'buy', oneCancelsOther: 'entry' };
    expect(accepts({})?.success).toBe(true);
    expect(accepts({ afterFill: 'repeat' })?.error?.issues).toMatchObject([{ path: ['afterFill'] }]);
  });

  test('two that fill at the same moment stop ordering', () => {
    const at = play();
    at(0);
    const both = {
      low: rests('o1', '5', '95', { filledAmount: '2' }),
      high: rests('o2', '5', '98', { filledAmount: '1' }),
    };
    expect(at(1, both)).toEqual({ raised: [], canceled: ['o1', 'o2'] });
    const over = (order: NodeOrders) =>
      ({ live: null, last: { ...order.live, status: 'canceled', endedAt: T0 } }) as never;
    for (const tick of [2, 100])
      expect(at(tick, { low: over(both.low), high: over(both.high) }).raised).toEqual([]);
  });

  test('it is said in words', () => {
    expect(explainGraph(GRAPH)[0]?.text).toContain(', unless another order of “entry” fills first.');
  });
});
