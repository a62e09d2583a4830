import { describe, expect, test } from 'vitest';
import { compile, compileExits } from '../../../../engine/strategy/graph/compile/compile.ts';
import { wouldFireNow } from '../../../../engine/strategy/graph/compile/review-warnings.ts';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { KnownInstruments } from '../../../../engine/strategy/graph/types.ts';
import {
  conditionInput,
  draw,
  errorsOf,
  facts,
  held,
  marketOf,
  type NodeConfig,
  onlyError,
  planOf,
  signals,
  T0,
} from './graph-fixtures.ts';

const codesOf = (visual: unknown, known?: KnownInstruments) =>
  errorsOf(visual, known).map(({ code }) => code);

const PRICE: NodeConfig = ['crypto.price', { symbol: 'BTCUSDT' }];
const TEN: NodeConfig = ['constant', { value: 10 }];
const UP: NodeConfig = ['compare', { op: 'gt' }];
const ORDER: NodeConfig = ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }];
const when = { nodes: { price: PRICE, ten: TEN, up: UP }, edges: ['price -> up.a', 'ten -> up.b'] };

describe('edges and ports', () => {
  test('a missing input is named with its purpose', () => {
    expect(onlyError(draw({ ten: TEN, up: UP }, ['ten -> up.a']))).toMatchObject({
      nodeId: 'up',
      code: 'missing_input',
      message: 'Connect something to input “b” of “up”: What it is compared with.',
    });
  });
  test('an input takes one edge unless it declares many', () => {
    expect(onlyError(draw(when.nodes, [...when.edges, 'ten -> up.a'])).code).toBe('doubly_connected');
    expect(
      codesOf(draw({ a: TEN, b: TEN, sum: ['math', { op: 'add' }] }, ['a -> sum.in', 'b -> sum.in'])),
    ).toEqual([]);
  });
  test('a number does not fit a condition', () => {
    const issue = errorsOf(draw({ price: PRICE, not: ['logic', { op: 'not' }] }, ['price -> not']))[0];
    expect(issue).toMatchObject({
      code: 'kind_mismatch',
      message: '“price” gives a number, but “a” of “not” takes true or false.',
    });
  });
  test.each([
    [
      'an input that is not there',
      ['ten -> up.c'],
      'There is no input "c": “up” (Compare) has the inputs “a”, “b”.',
    ],
    [
      'no input named where there are two',
      ['ten -> up'],
      'Say with “targetHandle” where this edge ends: “up” (Compare) has the inputs “a”, “b”.',
    ],
    ['an output that is not there', ['say -> up.a'], '“say” (Notify) has no output.'],
  ])('%s', (_, edges, message) => {
    const issues = errorsOf(draw({ ten: TEN, up: UP, say: ['notify', { text: 'x' }] }, edges));
    expect(issues).toContainEqual(expect.objectContaining({ code: 'unknown_port', message }));
  });
  test('ports depend on the settings', () => {
    const between = draw({ a: PRICE, b: TEN, x: ['compare', { op: 'between' }] }, [
      'a -> x.a',
      'b -> x.low',
      'b -> x.high',
    ]);
    expect(codesOf(between)).toEqual([]);
    const limit = {
      ...when.nodes,
      buy: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }] as NodeConfig,
    };
    expect(
      codesOf(draw(limit, [...when.edges, 'up -> buy.when', 'ten -> buy.amount', 'ten -> buy.price'])),
    ).toEqual(['unknown_port']);
  });
  test('editors leave handles out where there is one', () => {
    const visual = draw({ ...when.nodes, held: ['hold', { seconds: 5 }] }, [...when.edges, 'up -> held']);
    const bare = { ...visual, edges: visual.edges.map(({ sourceHandle: _, ...edge }) => edge) };
    expect(codesOf(bare)).toEqual([]);
  });
});

describe('the graph as a whole', () => {
  test('a cycle is named node by node; a memory node closes it', () => {
    const nodes: Record<string, NodeConfig> = {
      price: PRICE,
      a: ['math', { op: 'add' }],
      b: ['math', { op: 'abs' }],
    };
    const issue = onlyError(draw(nodes, ['price -> a.in', 'b -> a.in', 'a -> b.a']));
    expect(issue.code).toBe('cycle');
    expect(issue.message).toMatch(/“(a|b)” → “(a|b)” → “(a|b)”/);
    expect(
      codesOf(
        draw({ ...nodes, b: ['memory', { mode: 'number' }] }, ['price -> a.in', 'b -> a.in', 'a -> b']),
      ),
    ).toEqual([]);
  });

  test('nodes behind a cycle are not blamed', () => {
    const visual = draw(
      {
        price: PRICE,
        a: ['math', { op: 'add' }],
        b: ['math', { op: 'abs' }],
        up: UP,
        held: ['hold', { seconds: 1 }],
      },
      ['price -> a.in', 'b -> a.in', 'a -> b.a', 'a -> up.a', 'b -> up.b', 'up -> held'],
    );
    expect(codesOf(visual)).toEqual(['cycle']);
  });

  test('nodes behind one with an invalid setting are not blamed', () => {
    const visual = draw(
      {
        close: ['crypto.candle', { symbol: 'btcusdt', interval: '5m' }],
        mean: ['indicator', { kind: 'sma', period: 3 }],
        up: UP,
        buy: ORDER,
        ten: TEN,
      },
      ['close -> mean', 'close -> up.a', 'mean -> up.b', 'up -> buy.when', 'ten -> buy.amount'],
    );
    expect(onlyError(visual)).toMatchObject({ nodeId: 'close', code: 'bad_setting' });
  });

  test('an indicator of candles of two symbols says how to sample them', () => {
    const candles = { symbol: 'BTCUSDT', interval: '1h' };
    const visual = draw(
      {
        a: ['crypto.candle', candles],
        b: ['crypto.candle', { ...candles, symbol: 'ETHUSDT' }],
        ratio: ['math', { op: 'divide' }],
        z: ['indicator', { kind: 'zscore', period: 48 }],
      },
      ['a -> ratio.a', 'b -> ratio.b', 'ratio -> z'],
    );
    expect(onlyError(visual)).toMatchObject({
      nodeId: 'z',
      code: 'needs_sampling',
      message: expect.stringContaining('candles of several series'),
    });
  });

  test('an action that only constants trigger never acts', () => {
    const visual = draw({ ten: TEN, up: UP, buy: ORDER }, [
      'ten -> up.a',
      'ten -> up.b',
      'up -> buy.when',
      'ten -> buy.amount',
    ]);
    expect(onlyError(visual)).toMatchObject({ nodeId: 'buy', code: 'never_triggers' });
  });

  test('an instrument that is not quoted in USD is data only', () => {
    const buy = (instrument: string) =>
      draw({ ...when.nodes, buy: ['order', { instrument, side: 'buy', type: 'market' }] }, [
        ...when.edges,
        'up -> buy.when',
        'ten -> buy.amount',
      ]);
    expect(codesOf(buy('ETHBTC'))).toEqual(['not_in_dollars']);
    expect(codesOf(buy('ETHUSDC'))).toEqual([]);
    expect(codesOf(buy('BTCFDUSD'))).toEqual(['not_in_dollars']);
    const known = (over: Parameters<typeof facts>[1] | null) =>
      new Map([['ETHUSDT', over === null ? null : facts('ETHUSDT', over)]]);
    expect(codesOf(buy('ETHUSDT'), known({}))).toEqual([]);
    expect(onlyError(buy('ETHUSDT'), known({ quoteCurrency: 'EUR' })).message).toContain(
      'It is quoted in EUR.',
    );
    expect(codesOf(buy('ETHUSDT'), known({ tradable: false }))).toEqual(['not_tradable']);
    expect(onlyError(buy('ETHUSDT'), known(null))).toMatchObject({
      code: 'unknown_instrument',
      path: '/nodes/3/data/config/instrument',
    });
    expect(codesOf(draw({ p: ['crypto.price', { symbol: 'ETHBTC' }] }))).toEqual([]);
  });

  const candle: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }];
  const forming: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m', closedOnly: false }];
  const sma: NodeConfig = ['indicator', { kind: 'sma', period: 3 }];
  test.each([
    ['constant_input', { x: TEN, i: sma }, ['x -> i']],
    [
      'forming_candle',
      { x: forming, i: ['indicator', { kind: 'sma', period: 3, sampleSec: 10 }] },
      ['x -> i'],
    ],
    [
      'needs_candle',
      { x: candle, y: ['math', { op: 'abs' }], i: ['indicator', { kind: 'atr', period: 3 }] },
      ['x -> y.a', 'y -> i'],
    ],
    ['needs_candle', { x: PRICE, i: ['indicator', { kind: 'atr', period: 3, sampleSec: 5 }] }, ['x -> i']],
    ['needs_sampling', { x: PRICE, i: sma }, ['x -> i']],
    [
      'needless_sampling',
      { x: candle, i: ['indicator', { kind: 'sma', period: 3, sampleSec: 5 }] },
      ['x -> i'],
    ],
    ['not_historical', { x: candle, y: ['memory', { mode: 'number' }], i: sma }, ['x -> y', 'y -> i']],
    [
      'window_too_long',
      {
        x: candle,
        y: ['indicator', { kind: 'rsi', period: 60 }],
        i: ['indicator', { kind: 'ema', period: 60 }],
      },
      ['x -> y', 'y -> i'],
    ],
    ['never_true', { ...when.nodes, i: ['logic', { op: 'atLeast', k: 2 }] }, [...when.edges, 'up -> i']],
    ['missing_input', { i: ['size', { mode: 'amount', amount: 1, capByHeadroom: true }] }, []],
    [
      'unknown_mention',
      { ...when.nodes, i: ['notify', { text: 'At {nowhere}.' }] },
      [...when.edges, 'up -> i'],
    ],
  ] as [string, Record<string, NodeConfig>, string[]][])('%s', (code, nodes, edges) => {
    expect(onlyError(draw(nodes, edges))).toMatchObject({ nodeId: 'i', code });
  });
});

describe('indicators that would delay every deployment', () => {
  const candle: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }];
  /** A candle, `maths` nodes behind each other that read it `edgesEach` times more, and then the indicators. */
  function chain(indicators: readonly Record<string, unknown>[], maths = 0, edgesEach = 0) {
    const nodes: Record<string, NodeConfig> = { k: candle };
    const edges: string[] = [];
    let end = 'k';
    const then = (id: string, node: NodeConfig) => {
      nodes[id] = node;
      edges.push(`${end} -> ${id}.in`);
      end = id;
    };
    for (let i = 0; i < maths; i++) {
      then(`m${i}`, ['math', { op: 'max' }]);
      for (let j = 0; j < edgesEach; j++) edges.push(`k -> m${i}.in`);
    }
    for (const [i, config] of indicators.entries()) then(`i${i}`, ['indicator', config]);
    return draw(nodes, edges);
  }
  const times = (count: number, kind: string, period: number) =>
    Array.from({ length: count }, () => ({ kind, period }));

  test.each([
    ['long averages over many nodes', chain(times(10, 'sma', 100), 186, 9), 'i0'],
    ['a long chain of short averages', chain(times(196, 'sma', 6)), 'i96'],
    ['averages of averages over a long calculation', chain(times(3, 'ema', 33), 20), 'i0'],
  ])('%s: an error at the one that costs most', (_, visual, nodeId) => {
    expect(onlyError(visual)).toMatchObject({ nodeId, code: 'too_heavy' });
  });

  test('the message states which part is too heavy and the remedy', () => {
    expect(onlyError(chain(times(10, 'sma', 100), 186, 9)).message).toBe(
      'The indicators of this drawing are too heavy. “i0” costs most: it is computed at each of 892 candles, because others look back over it, from 100 candles through 187 nodes before it. Shorten the periods, put fewer indicators behind each other, or fewer nodes before it.',
    );
  });

  test.each([
    ['the longest average of all', chain(times(1, 'sma', 1_000), 50)],
    ['an average of an average, as long as allowed', chain(times(2, 'ema', 50))],
    ['a triple exponential average', chain(times(3, 'ema', 30))],
    [
      'bands around an RSI',
      chain([
        { kind: 'rsi', period: 14 },
        { kind: 'bollinger', band: 'upper' },
      ]),
    ],
    ['a MACD of an average', chain([{ kind: 'ema', period: 50 }, { kind: 'macd' }])],
    [
      'a hundred averages side by side',
      draw(
        Object.fromEntries([
          ['k', candle],
          ...times(100, 'ema', 100).map((config, i) => [`i${i}`, ['indicator', config]]),
        ]),
        times(100, '', 0).map((_, i) => `k -> i${i}`),
      ),
    ],
  ])('%s is fine', (_, visual) => {
    expect(errorsOf(visual)).toEqual([]);
  });
});

describe('warnings', () => {
  const warningsOf = (visual: unknown) =>
    compile(visual)
      .issues.filter(({ severity }) => severity === 'warning')
      .map(({ code }) => code);
  const edges = [...when.edges, 'up -> buy.when', 'ten -> buy.amount'];
  test('a buy without a guard or without an exit causes a warning, and deploys all the same', () => {
    expect(warningsOf(draw({ ...when.nodes, buy: ORDER }, edges))).toEqual(['no_exit', 'no_guard']);
    expect(planOf(draw({ ...when.nodes, buy: ORDER }, edges))).not.toBe(null);
    const safe = {
      ...when.nodes,
      buy: ORDER,
      guard: ['guard', { instrument: 'BTCUSDT' }] as NodeConfig,
      exit: ['exit', { instrument: 'BTCUSDT', stopLoss: 0.1 }] as NodeConfig,
    };
    expect(
      warningsOf(draw(safe, [...when.edges, 'up -> guard', 'guard -> buy.when', 'ten -> buy.amount'])),
    ).toEqual([]);
  });

  test('actions that would run at once are listed, with their effect', () => {
    const a = conditionInput('a');
    const visual = draw(
      {
        ...a.nodes,
        one: ['constant', { value: 1 }],
        buy: ORDER,
        wait: ['order', { ...ORDER[1], ifTrueAtDeploy: 'wait' }],
        say: ['notify', { text: 'x' }],
      },
      [...a.edges, 'a -> buy.when', 'a -> wait.when', 'one -> buy.amount', 'one -> wait.amount', 'a -> say'],
    );
    const now = (value: boolean) =>
      wouldFireNow(planOf(visual), signals({ a: value }, T0, marketOf('BTCUSDT', T0)), T0);
    expect(now(true)).toMatchObject([
      {
        nodeId: 'buy',
        path: '/nodes/4',
        code: 'fires_at_deploy',
        severity: 'warning',
        message: 'Its condition is true now: at the deploy it would buy 1 BTCUSDT at once.',
      },
      { nodeId: 'say', code: 'fires_at_deploy' },
    ]);
    expect(now(false)).toEqual([]);
  });
});

describe('the needs of a plan', () => {
  test('every list is sorted and without repeats; windows add up along the path', () => {
    const visual = draw(
      {
        c: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
        live: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m', closedOnly: false }],
        r: ['indicator', { kind: 'rsi', period: 14 }],
        m: ['indicator', { kind: 'sma', period: 10 }],
        x: UP,
        g: ['guard', { instrument: 'KX:yes', minDepth: 5, maxPosition: 9 }],
        s: ['size', { mode: 'equity', fraction: 0.1 }],
        p: ['market.price', { instrument: 'KX:yes' }],
        o: ['order', { instrument: 'KX:yes', side: 'buy', type: 'limit' }],
        e: ['exit', { instrument: 'ETHUSDT', stopLoss: 0.1 }],
      },
      ['c -> r', 'r -> m', 'r -> x.a', 'm -> x.b', 'x -> g', 'g -> o.when', 'p -> s.price', 's -> o.amount'],
    );
    expect(compile(visual).needs).toEqual({
      quotes: ['ETHUSDT', 'KX:yes'],
      books: ['KX:yes'],
      candles: [{ symbol: 'BTCUSDT', interval: '5m', window: 149, open: true }],
      instruments: ['BTCUSDT', 'ETHUSDT', 'KX:yes'],
      listings: [],
      positions: ['ETHUSDT', 'KX:yes'],
      traded: ['ETHUSDT', 'KX:yes'],
      account: true,
      signals: [],
    });
  });
  test('they are returned for a graph that does not compile, too', () => {
    const { plan, needs } = compile(draw({ p: PRICE, c: ['constant', {}] }));
    expect(plan).toBe(null);
    expect(needs.quotes).toEqual(['BTCUSDT']);
  });
});

test('the exits of a graph that no longer compiles continue to guard', () => {
  const visual = draw(
    {
      bad: ['constant', {}],
      cycle: ['math', { op: 'abs' }],
      exit: ['exit', { instrument: 'BTCUSDT', stopLoss: 0.1 }],
      broken: ['exit', {}],
    },
    ['cycle -> cycle.a'],
  );
  const plan = compileExits(visual);
  expect(plan.nodeIds).toEqual(['exit']);
  const seen = marketOf(
    'BTCUSDT',
    T0,
    { bid: 50 },
    { positions: new Map([['BTCUSDT', held('1')]]), isHalted: true },
  );
  expect(evaluate(plan, seen, null, T0).intents).toMatchObject([{ nodeId: 'exit', amount: '1' }]);
});
