import { describe, expect, test } from 'vitest';
import {
  conditionInput,
  draw,
  errorsOf,
  held,
  MINUTE_MS,
  minuteCandles,
  type NodeConfig,
  numberInput,
  Player,
  series,
  signals,
  T0,
  type Visual,
  world,
} from './graph-fixtures.ts';

const CLOSE: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }];
const DAY_MS = 86_400_000;

/** A node behind the closes of candles, or behind whether they are above 100. */
const onCandles = (node: NodeConfig, from: 'close' | 'high' = 'close'): Visual =>
  draw({ close: CLOSE, level: ['constant', { value: 100 }], high: ['compare', { op: 'gt' }], node }, [
    'close -> high.a',
    'level -> high.b',
    `${from} -> node`,
  ]);

/** Values of the node after each candle. */
function perCandle(visual: Visual, closes: readonly number[]) {
  const player = new Player(visual);
  const candles = minuteCandles(closes);
  return candles.map((_, index) => {
    const closed = series(candles.slice(0, index + 1));
    const seen = world({ candles: new Map([['BTCUSDT@1m', closed]]) });
    return player.state('node', T0 + MINUTE_MS * (index + 1), seen).value;
  });
}

/** Values of a node behind a condition on quotes, at instants in seconds from the first. */
function atSeconds(
  node: NodeConfig,
  steps: readonly (readonly [sec: number, a: boolean | null])[],
  start = T0,
) {
  const { nodes, edges } = conditionInput('a');
  const player = new Player(draw({ ...nodes, node }, [...edges, 'a -> node']));
  return steps.map(
    ([sec, a]) => player.state('node', start + sec * 1000, signals({ a }, start + sec * 1000)).value,
  );
}

describe('lag', () => {
  test('is the value `period` candles ago, at once after the deploy', () => {
    expect(perCandle(onCandles(['lag', { period: 2 }]), [101, 102, 103, 104])).toEqual([
      null,
      null,
      101,
      102,
    ]);
    const late = new Player(onCandles(['lag', { period: 2 }]));
    const closed = series(minuteCandles([101, 102, 103, 104]));
    const seen = world({ candles: new Map([['BTCUSDT@1m', closed]]) });
    expect(late.state('node', T0 + 4 * MINUTE_MS, seen).value).toBe(102);
    expect(late.memory?.nodes).toEqual({});
  });

  test('delays conditions as well as numbers', () => {
    const visual = onCandles(['lag', { kind: 'boolean', period: 1 }], 'high');
    expect(perCandle(visual, [101, 99, 101, 101])).toEqual([null, true, false, true]);
  });

  test('stores values that only the blueprint knows in its memory, step by step, as far as needed', () => {
    const visual = draw(
      {
        close: CLOSE,
        level: ['constant', { value: 100 }],
        up: ['compare', { op: 'crossesAbove' }],
        node: ['lag', { kind: 'boolean', period: 2 }],
      },
      ['close -> up.a', 'level -> up.b', 'up -> node'],
    );
    expect(perCandle(visual, [99, 101, 99, 101, 102])).toEqual([null, null, false, true, false]);
    const player = new Player(visual);
    const candles = minuteCandles([99, 101, 99, 101, 102, 103]);
    for (const index of candles.keys()) {
      const closed = series(candles.slice(0, index + 1));
      player.at(T0 + MINUTE_MS * (index + 1), world({ candles: new Map([['BTCUSDT@1m', closed]]) }));
    }
    expect(player.memory?.nodes['node']).toEqual({ samples: [1, 0, 0] });
  });

  test('samples values that move with every quote, and restarts after a gap', () => {
    const node: NodeConfig = ['lag', { period: 2, sampleSec: 30 }];
    const player = new Player(draw({ ...numberInput('a'), node }, ['a -> node']));
    const said = [0, 30, 60, 90, 400, 430, 460].map((sec, index) => {
      const now = T0 + sec * 1000;
      return player.state('node', now, signals({ a: index }, now)).value;
    });
    expect(said).toEqual([null, null, 0, 1, null, null, 4]);
    const codes = (config: Record<string, unknown>, visual: (node: NodeConfig) => Visual) =>
      errorsOf(visual(['lag', config])).map(({ code }) => code);
    expect(codes({ period: 2 }, (lag) => draw({ ...numberInput('a'), node: lag }, ['a -> node']))).toEqual([
      'needs_sampling',
    ]);
    expect(codes({ period: 2, sampleSec: 5 }, onCandles)).toEqual(['needless_sampling']);
    expect(codes({ period: 1_000 }, onCandles)).toContain('bad_setting');
  });
});

describe('count', () => {
  test('counts the true steps among the last ones', () => {
    const visual = onCandles(['count', { period: 3 }], 'high');
    expect(perCandle(visual, [101, 99, 101, 101, 101, 99])).toEqual([null, null, 2, 2, 3, 2]);
  });
});

describe('since', () => {
  test('counts candles, or the seconds between their closes', () => {
    const closes = [99, 101, 102, 99, 98, 101];
    expect(perCandle(onCandles(['since', { unit: 'steps' }], 'high'), closes)).toEqual([null, 0, 0, 1, 2, 0]);
    expect(perCandle(onCandles(['since'], 'high'), closes)).toEqual([null, 0, 0, 60, 120, 0]);
  });

  test('on quotes counts from the first time it was known to be over, time without evaluation included', () => {
    const steps = [
      [0, false],
      [2, true],
      [4, true],
      [6, false],
      [66, false],
      [70, null],
      [80, false],
    ] as const;
    expect(atSeconds(['since'], steps)).toEqual([null, 0, 0, 0, 60, null, 74]);
  });
});

describe('once', () => {
  const hour = (hours: number, a: boolean | null) => [3_600 * hours, a] as const;
  // Thursday, 1 January 2026, noon.
  const steps = [
    hour(0, true),
    hour(1, false),
    hour(2, true),
    hour(11.9, false),
    hour(12, true),
    hour(13, true),
  ];

  test('lets the first signal of a day, a week, a month or a deploy through, as long as it lasts', () => {
    expect(atSeconds(['once', { per: 'day' }], steps)).toEqual([true, false, false, false, true, true]);
    const weeks = [hour(0, true), hour(1, false), hour(83.9, true), hour(83.95, false), hour(84, true)];
    expect(atSeconds(['once', { per: 'week' }], weeks)).toEqual([true, false, false, false, true]);
    const months = [hour(0, true), hour(1, false), hour(24 * 30, true), hour(24 * 31 - 13, false)];
    const february = [...months, hour(24 * 31 - 12, true)];
    expect(atSeconds(['once', { per: 'month' }], february)).toEqual([true, false, false, false, true]);
    expect(atSeconds(['once', { per: 'deploy' }], february)).toEqual([true, false, false, false, false]);
  });

  test('true, unknown, true is one signal', () => {
    const unknown = [hour(0, true), hour(1, null), hour(2, true), hour(3, false), hour(4, true)];
    expect(atSeconds(['once', { per: 'day' }], unknown)).toEqual([true, null, true, false, false]);
  });

  test('per position lets one signal through from its first unit to its last, and none while nothing is held', () => {
    const { nodes, edges } = conditionInput('a');
    const node: NodeConfig = ['once', { per: 'position', instrument: 'BTCUSDT' }];
    const player = new Player(draw({ ...nodes, node }, [...edges, 'a -> node']));
    const at = (sec: number, a: boolean, openedAt: number | null) => {
      const positions = new Map(openedAt === null ? [] : [['BTCUSDT', held('1', { openedAt })]]);
      const now = T0 + sec * 1000;
      return player.state('node', now, signals({ a }, now, { positions })).value;
    };
    expect([at(0, true, null), at(2, false, null)]).toEqual([false, false]);
    expect([at(4, true, T0), at(6, false, T0), at(8, true, T0), at(10, false, T0)]).toEqual([
      ...[true, false, false, false],
    ]);
    expect([at(12, true, T0 + DAY_MS), at(14, true, T0 + DAY_MS)]).toEqual([true, true]);
  });
});

describe('pulse', () => {
  test('lasts its seconds from where the condition turns true, whatever that does meanwhile', () => {
    const steps = [
      [0, false],
      [2, true],
      [4, false],
      [6, true],
      [12, true],
      [14, false],
      [16, true],
    ] as const;
    expect(atSeconds(['pulse', { seconds: 10 }], steps)).toEqual([
      ...[false, true, true, true, false, false, true],
    ]);
  });

  test('begins later if set so, once, and not at all if the condition was true at the deploy', () => {
    const steps = [
      [0, true],
      [2, false],
      [4, true],
      [33, null],
      [34, null],
      [38, false],
      [44, null],
    ] as const;
    expect(atSeconds(['pulse', { seconds: 10, afterSec: 30 }], steps)).toEqual([
      ...[false, false, false, false, true, true, null],
    ]);
  });

  test('that was over while nothing was evaluated does not come later', () => {
    const steps = [
      [0, false],
      [2, true],
      [600, true],
    ] as const;
    expect(atSeconds(['pulse', { seconds: 10, afterSec: 30 }], steps)).toEqual([false, false, false]);
  });
});

describe('choices', () => {
  const select = (values: Record<string, number | boolean | null>) => {
    const { nodes, edges } = conditionInput('c');
    const inputs = { ...nodes, ...numberInput('x'), ...numberInput('y') };
    const into = ['c -> node.if', 'x -> node.yes', 'y -> node.no'];
    return new Player(draw({ ...inputs, node: ['select'] }, [...edges, ...into])).state(
      'node',
      T0,
      signals(values, T0),
    ).value;
  };

  test('select takes one of two values, and needs only the one it takes', () => {
    expect(select({ c: true, x: 1, y: 2 })).toBe(1);
    expect(select({ c: false, x: null, y: 2 })).toBe(2);
    expect(select({ c: true, x: null, y: 2 })).toBeNull();
    expect(select({ c: null, x: 1, y: 2 })).toBeNull();
    expect(select({ c: null, x: 3 * 0.1, y: 0.3 })).toBe(3 * 0.1);
  });

  test('fallback takes the first known value, in the order of the edges', () => {
    const inputs = { ...numberInput('x'), ...numberInput('y') };
    const node = draw({ ...inputs, node: ['fallback'] }, ['y -> node', 'x -> node']);
    const of = (values: Record<string, number | null>) =>
      new Player(node).state('node', T0, signals(values, T0));
    expect(of({ x: 1, y: 2 }).value).toBe(2);
    expect(of({ x: 1, y: null }).value).toBe(1);
    expect(of({ x: null, y: null }).reason?.message).toContain('YUSDT');
  });

  test('a condition is 1 or 0 as a number', () => {
    expect(
      atSeconds(
        ['number'],
        [
          [0, true],
          [2, false],
          [4, null],
        ],
      ),
    ).toEqual([1, 0, null]);
  });
});
