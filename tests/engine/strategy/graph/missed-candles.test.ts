/** Nodes without candles while missed candles are stepped. */
import { describe, expect, test } from 'vitest';
import type { World } from '../../../../engine/strategy/graph/types.ts';
import {
  draw,
  ended,
  facts,
  held,
  MINUTE_MS,
  minuteCandles,
  type NodeConfig,
  Player,
  quote,
  series,
  stateOf,
  T0,
  world,
} from './graph-fixtures.ts';

const CANDLE: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }];
const TEN: NodeConfig = ['constant', { value: 10 }];
const ONE: NodeConfig = ['constant', { value: 1 }];
const GT: NodeConfig = ['compare', { op: 'gt' }];
const MARKET: NodeConfig = ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }];
const minute = (n: number) => T0 + n * MINUTE_MS;

function worldAt(now: number, closes: readonly number[], over: Partial<World> = {}): World {
  const closed = minuteCandles(closes).filter(({ closeTimeMs }) => closeTimeMs < now);
  return world({
    candles: new Map([['BTCUSDT@1m', series(closed)]]),
    quotes: new Map([['BTCUSDT', quote({ asOf: now })]]),
    instruments: new Map([['BTCUSDT', facts('BTCUSDT')]]),
    ...over,
  });
}

describe('while missed candles are stepped', () => {
  test('an action on the tick clock only follows: it neither acts on the past nor reports it as missed', () => {
    const visual = draw(
      {
        close: CANDLE,
        ten: TEN,
        up: GT,
        price: ['crypto.price', { symbol: 'BTCUSDT' }],
        high: GT,
        any: ['logic', { op: 'or' }],
        one: ONE,
        buy: MARKET,
      },
      [
        'close -> up.a',
        'ten -> up.b',
        'price -> high.a',
        'ten -> high.b',
        'up -> any.in',
        'high -> any.in',
        'any -> buy.when',
        'one -> buy.amount',
      ],
    );
    const closes = [9, 11, 11, 9];
    const cheap = (now: number) =>
      worldAt(now, closes, { quotes: new Map([['BTCUSDT', quote({ last: 1, asOf: now })]]) });
    const player = new Player(visual);
    player.at(minute(1), cheap(minute(1)));
    // `any` is known to be true in the steps of minutes 2 and 3, even without a quote.
    const after = player.at(minute(4), cheap(minute(4)));
    expect(after.intents).toEqual([]);
    expect(stateOf(after, 'buy').status).toBe('idle');
  });

  test('positions are unknown, so a hold starts again', () => {
    const visual = draw(
      {
        close: CANDLE,
        amount: ['position', { instrument: 'BTCUSDT' }],
        zero: ['constant', { value: 0 }],
        up: GT,
        lasting: ['hold', { seconds: 30 }],
      },
      ['amount -> up.a', 'zero -> up.b', 'up -> lasting'],
    );
    const seen = (now: number) =>
      worldAt(now, [1, 2, 3, 4], { positions: new Map([['BTCUSDT', held('1')]]) });
    const player = new Player(visual);
    const at = (now: number) => player.state('lasting', now, seen(now)).value;
    expect([minute(1), minute(1) + 30_000, minute(4), minute(4) + 30_000].map(at)).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('a beat of the schedule is not used up', () => {
    const visual = draw(
      { close: CANDLE, beat: ['schedule', { mode: 'every', everySec: 60 }], one: ONE, buy: MARKET },
      ['beat -> buy.when', 'one -> buy.amount'],
    );
    const player = new Player(visual);
    const closes = [1, 2, 3, 4];
    player.at(minute(1) + 1_000, worldAt(minute(1) + 1_000, closes));
    const { intents } = player.at(minute(4) + 1_000, worldAt(minute(4) + 1_000, closes));
    expect(intents.map(({ stepAt }) => stepAt)).toEqual([minute(4) + 1_000]);
  });

  test('the result of an order is not used up, and moves with the tick', () => {
    const visual = draw(
      { close: CANDLE, ten: TEN, up: GT, one: ONE, buy: MARKET, say: ['notify', { text: 'Filled.' }] },
      ['close -> up.a', 'ten -> up.b', 'up -> buy.when', 'one -> buy.amount', 'buy -> say'],
    );
    const closes = [9, 9, 9, 9];
    const player = new Player(visual);
    player.at(minute(1), worldAt(minute(1), closes));
    const now = minute(4) + 2_000;
    const { notifications } = player.at(
      now,
      worldAt(now, closes, { orders: new Map([['buy', ended('o1')]]) }),
    );
    expect(notifications).toEqual([{ nodeId: 'say', stepAt: now, severity: 'info', text: 'Filled.' }]);
  });

  test('a close sells its fraction once, though its condition was off within the pause', () => {
    const visual = draw(
      { close: CANDLE, ten: TEN, up: GT, sell: ['close', { instrument: 'BTCUSDT', fraction: 0.5 }] },
      ['close -> up.a', 'ten -> up.b', 'up -> sell'],
    );
    const closes = [11, 9, 9, 11];
    const player = new Player(visual);
    const holding = (amount: string) => ({ positions: new Map([['BTCUSDT', held(amount)]]) });
    expect(player.at(minute(1), worldAt(minute(1), closes, holding('4'))).intents[0]?.amount).toBe('2');
    expect(player.at(minute(4), worldAt(minute(4), closes, holding('2'))).intents).toEqual([]);
  });

  test("a message of a missed step is not the node's message now", () => {
    const visual = draw({ close: CANDLE, ten: TEN, up: GT, lasting: ['hold', { seconds: 120 }] }, [
      'close -> up.a',
      'ten -> up.b',
      'up -> lasting',
    ]);
    const player = new Player(visual);
    const closes = [9, 11, 11, 11, 11];
    player.at(minute(1), worldAt(minute(1), closes));
    const state = player.state('lasting', minute(5), worldAt(minute(5), closes));
    expect(state).toMatchObject({ status: 'ok', value: true });
    expect(state.reason).toBe(undefined);
    expect(state.distance).toBe(undefined);
  });

  test('a sell in one step and a buy in the next are no conflict', () => {
    const limit = (side: string): NodeConfig => [
      'order',
      { instrument: 'BTCUSDT', side, type: 'limit', ifTrueAtDeploy: 'wait' },
    ];
    const slow: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '3m' }];
    const visual = draw(
      { fast: CANDLE, slow, ten: TEN, up: GT, slowUp: GT, one: ONE, buy: limit('buy'), sell: limit('sell') },
      [
        'fast -> up.a',
        'ten -> up.b',
        'slow -> slowUp.a',
        'ten -> slowUp.b',
        'up -> buy.when',
        'one -> buy.amount',
        'one -> buy.price',
        'slowUp -> sell.when',
        'one -> sell.amount',
        'one -> sell.price',
      ],
    );
    const threeMinutes = (closes: readonly number[]) =>
      closes.map((close, i) => ({
        openTimeMs: minute(3 * i),
        closeTimeMs: minute(3 * (i + 1)) - 1,
        open: close,
        high: close,
        low: close,
        close,
        volume: 1,
      }));
    const seen = (now: number, fast: readonly number[], slowCloses: readonly number[]) =>
      worldAt(now, fast, {
        candles: new Map([
          ['BTCUSDT@1m', series(minuteCandles(fast))],
          ['BTCUSDT@3m', series(threeMinutes(slowCloses))],
        ]),
        positions: new Map([['BTCUSDT', held('5')]]),
      });
    const player = new Player(visual);
    player.at(minute(3) + 1, seen(minute(3) + 1, [9, 9, 9], [9]));
    player.at(minute(6) + 1, seen(minute(6) + 1, [9, 9, 9, 9, 9, 9], [9]));
    // The slow candle of minute 6 arrives late, together with the fast one of minute 7.
    const { intents } = player.at(minute(7), seen(minute(7), [9, 9, 9, 9, 9, 9, 11], [9, 11]));
    expect(intents.map(({ nodeId, stepAt }) => [nodeId, (stepAt - T0) / MINUTE_MS])).toEqual([
      ['sell', 6],
      ['buy', 7],
    ]);
  });
});

describe('a signal that turned true during a pause', () => {
  const guard: NodeConfig = ['guard', { instrument: 'BTCUSDT', maxSpread: 50 }];
  const crossed = {
    nodes: {
      close: CANDLE,
      ten: TEN,
      up: ['compare', { op: 'crossesAbove' }] as NodeConfig,
      one: ONE,
      buy: MARKET,
    },
    edges: ['close -> up.a', 'ten -> up.b', 'one -> buy.amount'],
  };
  const behind = (nodes: Record<string, NodeConfig>) => {
    const path = ['up', ...Object.keys(nodes), 'buy.when'];
    const edges = path.slice(1).map((target, i) => `${path[i]} -> ${target}`);
    return new Player(draw({ ...crossed.nodes, ...nodes }, [...crossed.edges, ...edges]));
  };
  const bought = (player: Player, now: number, seen: World) => {
    const result = player.at(now, seen);
    return [result.intents.length, stateOf(result, 'buy').status];
  };
  /** The newest candle closed at minute 2, and is evaluated `lateSec` later for the first time. */
  const afterPause = (player: Player, lateSec: number, closes = [9, 11], over: Partial<World> = {}) => {
    player.at(minute(1), worldAt(minute(1), closes));
    const now = minute(closes.length) + lateSec * 1_000;
    return bought(player, now, worldAt(now, closes, over));
  };

  test.each<[string, Record<string, NodeConfig>]>([
    ['no guard', {}],
    ['a guard', { guard }],
    ['two guards', { first: guard, guard }],
    ['a guard and a cooldown', { guard, rarely: ['cooldown', { seconds: 60 }] }],
  ])('is missed behind %s, if that is over 60 s ago', (_, nodes) => {
    expect(afterPause(behind(nodes), 61)).toEqual([0, 'missed']);
    expect(afterPause(behind(nodes), 60)).toEqual([1, 'fired']);
  });

  test('is missed behind a guard even if it is over by now, or the market is unfit', () => {
    expect(afterPause(behind({ guard }), 10, [9, 11, 11, 11])).toEqual([0, 'missed']);
    const wide = { quotes: new Map([['BTCUSDT', quote({ ask: 200, asOf: minute(2) + 90_000 })]]) };
    expect(afterPause(behind({ guard }), 90, [9, 11], wide)).toEqual([0, 'missed']);
  });

  test('stays missed while it lasts, and the next signal acts', () => {
    const player = behind({ guard });
    const closes = [9, 11, 9, 11];
    player.at(minute(1), worldAt(minute(1), closes));
    const steps = [2 + 61 / 60, 2 + 65 / 60, 4, 4 + 1 / 60].map((n) => minute(n));
    const late = closes.slice(0, 2);
    expect(steps.map((now, i) => bought(player, now, worldAt(now, i < 2 ? late : closes)))).toEqual([
      [0, 'missed'],
      [0, 'missed'],
      [1, 'fired'],
      [0, 'fired'],
    ]);
  });

  test('a signal that the guard held up passes once the market is fit, however long that took', () => {
    const slow: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }];
    const visual = draw({ ...crossed.nodes, close: slow, up: GT, guard }, [
      ...crossed.edges,
      'up -> guard',
      'guard -> buy.when',
    ]);
    const player = new Player(visual);
    const closes = [9, 11, 11, 11, 11];
    const seen = (now: number, ask: number) =>
      worldAt(now, closes, { quotes: new Map([['BTCUSDT', quote({ ask, asOf: now })]]) });
    player.at(minute(1), seen(minute(1), 101));
    for (const n of [2, 3, 4])
      expect(bought(player, minute(n), seen(minute(n), 200))).toEqual([0, 'waiting']);
    expect(bought(player, minute(5), seen(minute(5), 101))).toEqual([1, 'fired']);
  });

  test('a condition from before the deploy is no older than the deploy', () => {
    const player = new Player(
      draw({ ...crossed.nodes, up: GT, guard }, [...crossed.edges, 'up -> guard', 'guard -> buy.when']),
    );
    const now = minute(1) + 100_000;
    expect(bought(player, now, worldAt(now, [11]))).toEqual([1, 'fired']);
  });

  test('a close behind a guard sells all the same: it uses the present condition', () => {
    const visual = draw(
      { close: CANDLE, ten: TEN, up: GT, guard, sell: ['close', { instrument: 'BTCUSDT' }] },
      ['close -> up.a', 'ten -> up.b', 'up -> guard', 'guard -> sell'],
    );
    const player = new Player(visual);
    const closes = [9, 11];
    player.at(minute(1), worldAt(minute(1), closes));
    const now = minute(2) + 90_000;
    const holding = worldAt(now, closes, { positions: new Map([['BTCUSDT', held('4')]]) });
    expect(player.at(now, holding).intents).toMatchObject([{ nodeId: 'sell', amount: '4' }]);
  });
});

test('the inputs of an intent name nodes of the graph only', () => {
  const visual = draw(
    { close: CANDLE, price: ['crypto.price', { symbol: 'BTCUSDT' }], up: GT, one: ONE, buy: MARKET },
    ['price -> up.a', 'close -> up.b', 'up -> buy.when', 'one -> buy.amount'],
  );
  const { intents } = new Player(visual).at(minute(1), worldAt(minute(1), [9]));
  expect(intents[0]?.inputs.map(({ nodeId, asOf }) => [nodeId, asOf])).toEqual([
    ['up', minute(1)],
    ['one', null],
    ['price', minute(1)],
    ['close', minute(1)],
  ]);
});
