import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  GraphQuote,
  InstrumentFacts,
  NodeOrders,
  Position,
  World,
} from '../../../../engine/strategy/graph/types.ts';
import {
  conditionInput,
  draw,
  ended,
  facts,
  held,
  live,
  marketOf,
  Player,
  signals,
  stateOf,
  T0,
} from './graph-fixtures.ts';

const SECOND_MS = 1_000;

function exitPlayer(config: Record<string, unknown>) {
  return new Player(draw({ exit: ['exit', { instrument: 'BTCUSDT', ...config }] }));
}

type Seen = {
  quote?: Partial<GraphQuote>;
  position?: Position | null;
  orders?: NodeOrders;
  facts?: Partial<InstrumentFacts>;
  isHalted?: boolean;
};

function worldAt(
  now: number,
  id: string,
  { quote, position = held('2'), orders, facts: known, isHalted = false }: Seen,
): World {
  return marketOf('BTCUSDT', now, quote, {
    positions: position === null ? new Map() : new Map([['BTCUSDT', position]]),
    orders: orders === undefined ? new Map() : new Map([[id, orders]]),
    instruments: new Map([['BTCUSDT', facts('BTCUSDT', known)]]),
    isHalted,
  });
}

const at = (player: Player, now: number, seen: Seen) => player.at(now, worldAt(now, 'exit', seen));
const exitAt = (config: Record<string, unknown>, seen: Seen, now = T0) => at(exitPlayer(config), now, seen);

describe('an exit sells everything when a barrier is reached', () => {
  test.each([
    ['take_profit', { takeProfit: 0.1 }, { quote: { bid: 110 } }, { quote: { bid: 109.99 } }],
    ['stop_loss', { stopLoss: 0.1 }, { quote: { bid: 90 } }, { quote: { bid: 90.01 } }],
    [
      'max_hold',
      { maxHoldSec: 60 },
      { position: held('2', { openedAt: T0 - 60_000 }) },
      { position: held('2', { openedAt: T0 - 59_999 }) },
    ],
    [
      'before_close',
      { beforeCloseSec: 60 },
      { facts: { closesAt: T0 + 60_000 } },
      { facts: { closesAt: T0 + 60_001 } },
    ],
  ] as const)('%s', (code, config, reached, notYet) => {
    expect(exitAt(config, notYet).intents).toEqual([]);
    const { intents, nodeStates } = exitAt(config, reached);
    expect(intents).toMatchObject([
      {
        origin: 'exit',
        side: 'sell',
        type: 'market',
        timeInForce: 'ioc',
        amount: '2',
        stepAt: T0,
        reason: { code },
      },
    ]);
    expect(intents[0]?.inputs.map(({ name }) => name)).toContain('bid');
    expect(nodeStates['exit']).toMatchObject({ status: 'fired', firedCount: 1 });
  });

  test('trailing: it follows the peak and sells on the fall from it, also after a restart', () => {
    const player = exitPlayer({ trailing: 0.1 });
    const bids = [100, 120, 110, 109, 108];
    const raised = bids.map((bid, i) => at(player, T0 + SECOND_MS * i, { quote: { bid } }).intents.length);
    expect(raised).toEqual([0, 0, 0, 0, 1]);
    const restarted = exitPlayer({ trailing: 0.1 });
    at(restarted, T0, { quote: { bid: 120 } });
    const later = exitPlayer({ trailing: 0.1 });
    later.memory = restarted.memory;
    expect(at(later, T0 + SECOND_MS, { quote: { bid: 108 } }).intents).toHaveLength(1);
  });

  test('a new position starts with a peak of its own', () => {
    const player = exitPlayer({ trailing: 0.1 });
    at(player, T0, { quote: { bid: 200 } });
    at(player, T0 + SECOND_MS, { position: null });
    const next = { quote: { bid: 100 }, position: held('1', { openedAt: T0 + 2_000 }) };
    expect(at(player, T0 + 3_000, next).intents).toEqual([]);
    const reopened = exitPlayer({ trailing: 0.1 });
    at(reopened, T0, { quote: { bid: 200 } });
    expect(at(reopened, T0 + 3_000, next).intents).toEqual([]);
  });

  test('the peak of any walk is the highest bid, and it sells exactly when the bid is 10 % below', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 50, max: 150 }), { minLength: 1, maxLength: 30 }), (bids) => {
        const player = exitPlayer({ trailing: 0.1 });
        let peak = 0;
        for (const [i, bid] of bids.entries()) {
          peak = Math.max(peak, bid);
          const sells = at(player, T0 + SECOND_MS * i, { quote: { bid } }).intents.length === 1;
          expect(sells).toBe(bid <= peak * 0.9 + 1e-9);
          if (sells) return;
        }
      }),
      { numRuns: 60 },
    );
  });

  test('states the distance to the nearest barrier', () => {
    const { nodeStates } = exitAt({ takeProfit: 0.2, stopLoss: 0.1 }, { quote: { bid: 95 } });
    expect(nodeStates['exit']).toMatchObject({ status: 'ok', distance: 5 });
  });

  test('flat, it idles', () => {
    expect(exitAt({ stopLoss: 0.1 }, { position: null }).nodeStates['exit']).toMatchObject({
      status: 'idle',
    });
  });
});

describe('an exit continues until flat', () => {
  const stop = { stopLoss: 0.1 };
  const low: Seen = { quote: { bid: 80 } };

  test('it raises again after 1, 2, 4 and then every 5 s while nothing is sold, without limit', () => {
    const player = exitPlayer(stop);
    const raisedAt: number[] = [];
    for (let now = T0; now <= T0 + 200 * SECOND_MS; now += SECOND_MS)
      if (at(player, now, low).intents.length > 0) raisedAt.push((now - T0) / SECOND_MS);
    expect(raisedAt.slice(0, 6)).toEqual([0, 1, 3, 7, 12, 17]);
    expect(raisedAt.at(-1)).toBe(197);
  });

  test('not beside a live order of its own', () => {
    const player = exitPlayer(stop);
    at(player, T0, low);
    const state = stateOf(at(player, T0 + 10_000, { ...low, orders: live('o1') }), 'exit');
    expect(state).toMatchObject({ status: 'fired', reason: { code: 'order_live' } });
    expect(at(player, T0 + 20_000, { ...low, orders: live('o1') }).intents).toEqual([]);
    expect(at(player, T0 + 30_000, low).intents).toHaveLength(1);
  });

  test('after a partial fill it sells the rest, and the pauses start over', () => {
    const player = exitPlayer(stop);
    for (const sec of [0, 1, 3]) at(player, T0 + sec * SECOND_MS, low);
    const rest = { ...low, position: held('0.5') };
    expect(at(player, T0 + 4 * SECOND_MS, rest).intents[0]?.amount).toBe('0.5');
    expect(at(player, T0 + 5 * SECOND_MS, rest).intents).toHaveLength(1);
    expect(at(player, T0 + 6 * SECOND_MS, rest).intents).toEqual([]);
  });

  test('a denial shows the message of the receipt while it pauses', () => {
    const player = exitPlayer(stop);
    at(player, T0, low);
    at(player, T0 + SECOND_MS, low);
    const denied = ended('o1', {
      status: 'denied',
      filledAmount: '0',
      message: 'Too many orders this minute.',
    });
    expect(stateOf(at(player, T0 + 2_000, { ...low, orders: denied }), 'exit')).toMatchObject({
      status: 'blocked',
      reason: { code: 'denied', message: 'Too many orders this minute.' },
      distance: 1,
    });
  });

  test('an order that ended without a fill is followed by another', () => {
    const player = exitPlayer(stop);
    at(player, T0, low);
    const expired = ended('o1', { status: 'expired', filledAmount: '0' });
    expect(stateOf(at(player, T0 + 500, { ...low, orders: expired }), 'exit')).toMatchObject({
      status: 'waiting',
      reason: { code: 'backing_off' },
    });
    expect(at(player, T0 + SECOND_MS, { ...low, orders: expired }).intents).toHaveLength(1);
  });

  test('while the blueprint is in error it keeps guarding', () => {
    expect(exitAt(stop, { ...low, isHalted: true }).intents).toHaveLength(1);
  });

  test('through a gap of the feed it waits, and sells at the first fresh quote without a pause', () => {
    const player = exitPlayer(stop);
    expect(stateOf(at(player, T0, { quote: { bid: 80, asOf: T0 - 10_001 } }), 'exit').status).toBe('stale');
    expect(stateOf(at(player, T0 + 2_000, { quote: { bid: null } }), 'exit')).toMatchObject({
      status: 'waiting',
      reason: { code: 'no_quote' },
    });
    expect(
      stateOf(at(player, T0 + 4_000, { quote: { bid: 80, marketStatus: 'paused' } }), 'exit').reason?.code,
    ).toBe('market_closed');
    expect(at(player, T0 + 6_000, low).intents).toHaveLength(1);
  });

  test('it sells the free amount, and reports when there is none', () => {
    expect(exitAt(stop, { ...low, position: held('2', { free: '0.7005' }) }).intents[0]?.amount).toBe(
      '0.7005',
    );
    expect(exitAt(stop, { ...low, position: held('2', { free: '0' }) }).nodeStates['exit']).toMatchObject({
      status: 'blocked',
      reason: { code: 'nothing_to_sell' },
    });
  });

  test('a condition that is over ends the pauses: the next one acts at once', () => {
    const player = exitPlayer(stop);
    for (const sec of [0, 1, 3, 7]) at(player, T0 + sec * SECOND_MS, low);
    at(player, T0 + 8 * SECOND_MS, { quote: { bid: 95 } });
    expect(at(player, T0 + 9 * SECOND_MS, low).intents).toHaveLength(1);
  });

  test('a position that ended otherwise ends the pauses, too', () => {
    const player = exitPlayer(stop);
    for (const sec of [0, 1, 3, 7]) at(player, T0 + sec * SECOND_MS, low);
    at(player, T0 + 8 * SECOND_MS, { position: null });
    expect(at(player, T0 + 9 * SECOND_MS, low).intents).toHaveLength(1);
  });

  test('whatever the result of its orders, it ends flat and never requests more than the free amount', () => {
    const outcome = fc.constantFrom('denied', 'expired', 'lost', 'partial', 'filled');
    fc.assert(
      fc.property(fc.infiniteStream(outcome), fc.integer({ min: 1, max: 5 }), (outcomes, restartEvery) => {
        let player = exitPlayer(stop);
        let amount = 8;
        let orders: NodeOrders | undefined;
        for (let i = 0; i < 4_000 && amount > 0; i++) {
          const now = T0 + SECOND_MS * i;
          if (i % restartEvery === 0) {
            const restarted = exitPlayer(stop);
            restarted.memory = player.memory;
            player = restarted;
          }
          const gap = i % 17 === 5;
          const seen: Seen = { quote: gap ? { bid: null } : { bid: 80 }, position: held(String(amount)) };
          const { intents } = at(player, now, orders === undefined ? seen : { ...seen, orders });
          for (const intent of intents) {
            expect(Number(intent.amount)).toBeLessThanOrEqual(amount);
            const result = outcomes.next().value;
            const filled = result === 'filled' ? amount : result === 'partial' ? Math.min(1, amount) : 0;
            amount -= filled;
            orders = ended(`o${i}`, {
              status: result === 'filled' ? 'filled' : result,
              filledAmount: String(filled),
            });
          }
        }
        expect(amount).toBe(0);
      }),
      { numRuns: 20 },
    );
  });
});

describe('close', () => {
  const when = conditionInput('a');
  const closer = (config: Record<string, unknown> = {}) =>
    new Player(
      draw({ ...when.nodes, close: ['close', { instrument: 'BTCUSDT', ...config }] }, [
        ...when.edges,
        'a -> close',
      ]),
    );
  const closeAt = (player: Player, now: number, a: boolean | null, seen: Seen = {}) =>
    player.at(now, signals({ a }, now, worldAt(now, 'close', seen)));

  test('sells all while its condition holds, again and again', () => {
    const player = closer();
    expect(closeAt(player, T0, false).intents).toEqual([]);
    expect(closeAt(player, T0 + SECOND_MS, true).intents).toMatchObject([
      { origin: 'close', side: 'sell', amount: '2' },
    ]);
    expect(closeAt(player, T0 + 2 * SECOND_MS, true).intents).toHaveLength(1);
    expect(closeAt(player, T0 + 3 * SECOND_MS, true).intents).toEqual([]);
    expect(closeAt(player, T0 + 4 * SECOND_MS, null).intents).toEqual([]);
    expect(closeAt(player, T0 + 5 * SECOND_MS, true).intents).toHaveLength(1);
  });

  test('sells the fraction of the holding when the condition turned true, once', () => {
    const player = closer({ fraction: 0.25 });
    expect(closeAt(player, T0, true, { position: held('2') }).intents[0]?.amount).toBe('0.5');
    expect(closeAt(player, T0 + 5_000, true, { position: held('1.8') }).intents[0]?.amount).toBe('0.3');
    expect(closeAt(player, T0 + 10_000, true, { position: held('1.5') }).intents).toEqual([]);
    closeAt(player, T0 + 15_000, false, { position: held('1.5') });
    expect(closeAt(player, T0 + 20_000, true, { position: held('1.5') }).intents[0]?.amount).toBe('0.375');
  });

  test('flat, it idles; without a fresh quote it states that it waits for one', () => {
    expect(closeAt(closer(), T0, true, { position: null }).nodeStates['close']).toMatchObject({
      status: 'idle',
    });
    expect(closeAt(closer(), T0, true, { quote: { asOf: T0 - 60_000 } }).nodeStates['close']).toMatchObject({
      status: 'stale',
    });
  });
});
