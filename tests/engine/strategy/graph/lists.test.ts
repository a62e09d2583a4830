/** Nodes that run once for each instrument of a list. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphDifference } from '../../../../engine/research/backtests/graph-difference.ts';
import { compileCombinations } from '../../../../engine/research/search/compile-combinations.ts';
import { inheritedMemory } from '../../../../engine/strategy/deployments/inherited-memory.ts';
import { lostMemory } from '../../../../engine/strategy/deployments/lost-memory.ts';
import { chartIndicatorsOf } from '../../../../engine/strategy/graph/chart-indicators.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { graphPartOf } from '../../../../engine/strategy/graph/compile/graph-part.ts';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import { explainGraph } from '../../../../engine/strategy/graph/story/explain-graph.ts';
import type { Evaluation, Memory, NodeOrder, World } from '../../../../engine/strategy/graph/types.ts';
import { actionsOf, graph, moments, randomOf } from './arbitraries.ts';
import {
  conditionInput,
  draw,
  facts,
  live,
  type NodeConfig,
  onlyError,
  Player,
  planOf,
  quote,
  signals,
  T0,
  type Visual,
  world,
} from './graph-fixtures.ts';

const COINS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
const EACH = { parameter: 'coins' };

type WithList = Visual & { parameters: Record<string, unknown> };
const withList = (visual: Visual, instruments: unknown = COINS, more: object = {}): WithList => ({
  ...visual,
  parameters: { coins: { value: instruments }, ...more },
});

/** Buys the strongest of the coins, and sells what is not. */
const ROTATION: Record<string, NodeConfig> = {
  close: ['crypto.candle', { symbol: EACH, interval: '1m' }],
  momentum: ['indicator', { kind: 'change', period: 5 }],
  best: ['top', { k: 1 }],
  ask: ['crypto.price', { symbol: EACH, field: 'ask' }],
  size: ['size', { mode: 'notional', notional: 25 }],
  buy: ['order', { instrument: EACH, side: 'buy', type: 'market' }],
  worse: ['logic', { op: 'not' }],
  sell: ['close', { instrument: EACH }],
  stop: ['exit', { instrument: EACH, trailing: 0.1 }],
};
const WIRES = [
  'close -> momentum',
  'momentum -> best.in',
  'ask -> size.price',
  'size -> buy.amount',
  'best -> buy.when',
  'best -> worse',
  'worse -> sell',
];
const rotation = (instruments: unknown = COINS): WithList => withList(draw(ROTATION, WIRES), instruments);

const hasAmong = (type: string | undefined): boolean => type === 'top' || type === 'weight';

/** The same graph drawn by hand: nodes, then edges, of each instrument. Written apart from the compiler, on purpose. */
function byHand({ nodes, edges }: Visual, coins: readonly string[]): Visual {
  const reaches = (id: string, seen: readonly string[] = []): boolean => {
    if (seen.includes(id)) return false;
    const node = nodes.find((each) => each.id === id);
    if (JSON.stringify(node?.data.config).includes('{"parameter":"coins"}')) return true;
    return edges.some(
      ({ source, target, targetHandle }) =>
        target === id &&
        node?.type !== 'aggregate' &&
        !(hasAmong(node?.type) && targetHandle === 'among') &&
        reaches(source, [...seen, id]),
    );
  };
  const spread = new Set(nodes.map(({ id }) => id).filter((id) => reaches(id)));
  const idsOf = (id: string) => (spread.has(id) ? coins.map((coin) => `${id}/${coin}`) : [id]);
  const drawn: Visual['edges'] = [];
  const join = (source: string, target: string, edge: Visual['edges'][number]) =>
    drawn.push({ ...edge, id: `e${drawn.length}`, source, target });
  const all = (edge: Visual['edges'][number]) => {
    for (const target of idsOf(edge.target))
      for (const source of idsOf(edge.source)) join(source, target, edge);
  };
  for (const edge of edges) {
    const to = nodes.find(({ id }) => id === edge.target)?.type;
    if (to === 'aggregate' || (hasAmong(to) && edge.targetHandle === 'among')) all(edge);
    else if (!spread.has(edge.target)) join(edge.source, edge.target, edge);
    else
      for (const coin of coins)
        join(
          spread.has(edge.source) ? `${edge.source}/${coin}` : edge.source,
          `${edge.target}/${coin}`,
          edge,
        );
  }
  for (const { id } of nodes.filter(({ type }) => hasAmong(type))) {
    if (edges.some(({ target, targetHandle }) => target === id && targetHandle === 'among')) continue;
    for (const edge of edges.filter(({ target, source }) => target === id && spread.has(source)))
      all({ ...edge, targetHandle: 'among' });
  }
  return {
    edges: drawn,
    nodes: nodes.flatMap((node) =>
      idsOf(node.id).map((id, index) => {
        const text = JSON.stringify(node.data.config).replaceAll(
          '{"parameter":"coins"}',
          `"${coins[index]}"`,
        );
        const config = JSON.parse(
          spread.has('n0') && spread.has(node.id) ? text.replaceAll('{n0}', `{n0/${coins[index]}}`) : text,
        );
        if (spread.has(node.id) && 'oneCancelsOther' in config) config.oneCancelsOther += `/${coins[index]}`;
        return { ...node, id, data: { ...node.data, config } };
      }),
    ),
  };
}

const said = ({ memory, intents, notifications, failures, behind, nodeStates }: Evaluation): string =>
  JSON.stringify({ memory, intents, notifications, failures, behind, nodeStates });

describe('a list of instruments', () => {
  test('gives each instrument its own nodes, and each node an id that names both', () => {
    const { nodeIds, needs } = planOf(rotation());
    expect(nodeIds.slice(0, 4)).toEqual([
      'close/BTCUSDT',
      'close/ETHUSDT',
      'close/SOLUSDT',
      'momentum/BTCUSDT',
    ]);
    expect(nodeIds).toHaveLength(27);
    expect(needs.traded).toEqual(COINS);
  });

  test('trades as the graph drawn by hand for each instrument, byte for byte, in any graph', () => {
    const tail = draw(
      {
        price: ['market.price', { instrument: EACH }],
        first: ['top', { k: 1 }],
        few: ['constant', { value: 3 }],
        enter: ['order', { instrument: EACH, side: 'buy', type: 'market' }],
        leave: ['exit', { instrument: EACH, stopLoss: 0.05 }],
      },
      ['price -> first.in', 'first -> enter.when', 'few -> enter.amount'],
    );
    let compared = 0;
    let raised = 0;
    fc.assert(
      fc.property(graph, fc.nat(), fc.integer({ min: 2, max: 3 }), (visual, seed, count) => {
        const coins = ['ETHUSDT', 'BTCUSDT', 'SOLUSDT'].slice(0, count);
        const random = randomOf(seed);
        const nodes = visual.nodes.map((node) => {
          const some = random() < 0.6 ? JSON.stringify(EACH) : '"BTCUSDT"';
          const text = JSON.stringify(node.data.config).replaceAll('"BTCUSDT"', some);
          return { ...node, data: { ...node.data, config: JSON.parse(text) as unknown } };
        });
        const edges = [...visual.edges, ...tail.edges];
        const listed = withList({ nodes: [...nodes, ...tail.nodes], edges }, coins);
        const { plan } = compile(listed);
        const hand = byHand(listed, coins);
        // The compiler refuses both or none.
        if (plan === null) {
          expect(compile(hand).plan).toBeNull();
          return;
        }
        const drawn = planOf(hand);
        expect(plan.nodeIds).toEqual(drawn.nodeIds);
        let memory: Memory | null = null;
        for (const { now, seen } of moments(seed, 8, actionsOf(hand))) {
          const evaluation: Evaluation = evaluate(plan, seen, memory, now);
          expect(said(evaluation)).toBe(said(evaluate(drawn, seen, memory, now)));
          compared++;
          raised += evaluation.intents.length;
          memory = evaluation.memory;
        }
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(100);
    expect(raised).toBeGreaterThan(20);
  });

  test('ends at an aggregate, whose one value every instrument may read', () => {
    const visual = withList(
      draw(
        {
          price: ['crypto.price', { symbol: EACH }],
          mean: ['aggregate', { statistic: 'mean' }],
          above: ['compare', { op: 'gt' }],
          count: ['aggregate', { statistic: 'count' }],
          two: ['constant', { value: 2 }],
          broad: ['compare', { op: 'gte' }],
          say: ['notify', { text: '{mean}' }],
          each: ['notify', { text: '{coins} is at {price}, the mean is {mean}' }],
        },
        ['price -> mean', 'price -> above.a', 'mean -> above.b', 'above -> count', 'count -> broad.a'].concat(
          ['two -> broad.b', 'broad -> say', 'above -> each'],
        ),
      ),
    );
    expect(planOf(visual).nodeIds.filter((id) => !id.includes('/'))).toEqual([
      'mean',
      'count',
      'two',
      'broad',
      'say',
    ]);
    expect(explainGraph(visual).map(({ nodeId }) => nodeId)).toEqual(['say', 'each']);
    const prices = { BTCUSDT: 10, ETHUSDT: 20, SOLUSDT: 60 };
    const quotes = new Map(Object.entries(prices).map(([coin, last]) => [coin, quote({ last })]));
    const { notifications } = evaluate(planOf(visual), world({ quotes }), null, T0);
    expect(notifications).toMatchObject([
      { nodeId: 'each/SOLUSDT', text: 'SOLUSDT is at 60, the mean is 30' },
    ]);
  });

  test('works with the other parameters, in a sweep too', () => {
    const visual = withList(
      draw(
        { ...ROTATION, momentum: ['indicator', { kind: 'change', period: { parameter: 'length' } }] },
        WIRES,
      ),
      COINS,
      { length: { value: 5, min: 2, max: 50 } },
    );
    const space = {
      dimensions: [{ pointer: '/parameters/length/value', values: [5, 9, 99] }],
      constraints: [],
    };
    const { trials, refused } = compileCombinations(visual, { space, search: { kind: 'grid' } });
    expect(trials.map(({ needs }) => needs.candles.map(({ window }) => window))).toEqual([
      [6, 6, 6],
      [10, 10, 10],
    ]);
    expect(refused).toHaveLength(1);
  });

  test('is compared with another: the nodes that refer to it have changed', () => {
    const { changed, added } = graphDifference(rotation(), rotation(['BTCUSDT', 'ETHUSDT']));
    expect([changed, added]).toEqual([['close', 'ask', 'buy', 'sell', 'stop'], []]);
    expect(graphDifference(rotation(), rotation()).changed).toEqual([]);
  });

  test('is explained by one sentence an action, with the names of all', () => {
    expect(explainGraph(rotation()).map(({ text }) => text)).toEqual([
      'Buys 25 USD of BTCUSDT at the market when change 5 of BTCUSDT 1m close is among the 1 highest of 3; the same for ETHUSDT and SOLUSDT.',
      'Sells all of the BTCUSDT it holds while not (change 5 of BTCUSDT 1m close is among the 1 highest of 3); the same for ETHUSDT and SOLUSDT.',
      'Sells all of the BTCUSDT it holds 10 % below its peak; the same for ETHUSDT and SOLUSDT.',
    ]);
  });

  test('keeps the memory of an instrument that stays in it across a redeploy', () => {
    const node = { last: true, peak: 9, opened: 3, n: 4 };
    const memory: Memory = {
      startedAt: T0,
      candles: {},
      nodes: { 'buy/BTCUSDT': node, 'stop/BTCUSDT': node, 'stop/SOLUSDT': node, 'best/BTCUSDT': node },
    };
    const inherited = { last: true, peak: 9, opened: 3 };
    expect(inheritedMemory(memory, rotation(['ETHUSDT', 'BTCUSDT']))?.nodes).toEqual({
      'buy/BTCUSDT': inherited,
      'stop/BTCUSDT': inherited,
    });
  });

  test('a redeploy that turns an action into a list, or back, warns once that its memory is lost', () => {
    const single = draw({ stop: ['exit', { instrument: 'BTCUSDT', trailing: 0.1 }] });
    const list = withList(draw({ stop: ['exit', { instrument: EACH, trailing: 0.1 }] }));
    const after = (visual: object) => evaluate(planOf(visual), world(), null, T0).memory;
    const memoryOf = (...ids: string[]): Memory => ({
      ...after(single),
      nodes: Object.fromEntries(ids.map((id) => [id, { peak: 1 }])),
    });
    const warning = { code: 'memory_lost', nodeId: 'stop', severity: 'warning' };
    expect(lostMemory(memoryOf('stop'), list)).toMatchObject([warning]);
    expect(lostMemory(memoryOf('stop/BTCUSDT', 'stop/ETHUSDT'), single)).toMatchObject([warning]);
    expect(lostMemory(memoryOf('stop'), single)).toEqual([]);
    expect(lostMemory(memoryOf('stop/BTCUSDT', 'stop/XRPUSDT'), list)).toEqual([]);
    expect(lostMemory(memoryOf('other/BTCUSDT'), single)).toEqual([]);
    expect(lostMemory(null, list)).toEqual([]);
  });

  test('a part of a graph and a chart of an instrument follow its own nodes', () => {
    const part = graphPartOf(JSON.parse(JSON.stringify(rotation())), 'buy');
    expect(part).toMatchObject({
      ids: ['buy/BTCUSDT', 'buy/ETHUSDT', 'buy/SOLUSDT'],
      conditions: ['best/BTCUSDT', 'best/ETHUSDT', 'best/SOLUSDT'],
    });
    expect(compile(part?.visual).plan?.nodeIds).toHaveLength(18);
    const averages = withList(
      draw({ close: ROTATION['close'] as NodeConfig, mean: ['indicator', { kind: 'sma', period: 3 }] }, [
        'close -> mean',
      ]),
    );
    expect(chartIndicatorsOf(averages, 'ETHUSDT')).toMatchObject([{ nodeId: 'mean/ETHUSDT', name: 'sma 3' }]);
  });

  test('a node that is switched off silences all instruments, with one warning', () => {
    const visual = rotation();
    const nodes = visual.nodes.map((node) =>
      node.id === 'momentum' ? { ...node, data: { ...node.data, disabled: true } } : node,
    );
    const { issues, plan } = compile({ ...visual, nodes });
    expect(plan?.needs.traded).toEqual(COINS);
    const warnings = issues.filter(({ code }) => code === 'switched_off');
    expect(warnings.map(({ message }) => message)).toEqual([
      '“momentum” is switched off: it has no value and does nothing. Neither do 4 steps that depend on it: “best”, “buy”, “worse” and 1 more.',
    ]);
  });
});

describe('mistakes with a list are reported once, by node and instrument', () => {
  const parameterErrors = (instruments: unknown) =>
    compile(rotation(instruments)).issues.filter(({ code }) => code === 'bad_parameter');

  test.each([
    ['no list of instruments', ['BTCUSDT', 'not one'], /“?"not one" in the list "coins" is no instrument/],
    ['an instrument twice', ['BTCUSDT', 'ETHUSDT', 'BTCUSDT'], /holds "BTCUSDT" twice/],
    ['none', [], /has 0 entries; it takes 1 to 50/],
    ['too many', Array.from({ length: 51 }, (_, i) => `C${i}USDT`), /has 51 entries/],
    ['numbers', [1, 2], /has 2 entries; it takes 1 to 50 instruments, as texts/],
  ])('%s', (_, instruments, message) => {
    expect(parameterErrors(instruments)).toMatchObject([
      { path: '/parameters/coins', message: expect.stringMatching(message) },
    ]);
  });

  test('a setting that takes one value', () => {
    const visual = withList(draw({ close: ['crypto.candle', { symbol: 'BTCUSDT', interval: EACH }] }));
    expect(compile(visual).issues).toContainEqual(
      expect.objectContaining({ code: 'list_not_allowed', path: '/nodes/0/data/config/interval' }),
    );
  });

  test('an instrument that the venue does not know, and one that a node cannot read', () => {
    const known = new Map([['ETHUSDT', null]]);
    const errors = compile(rotation(), known).issues.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ nodeId, message }) => [nodeId, message])).toEqual(
      ['close', 'ask', 'buy', 'sell', 'stop'].map((id) => [
        id,
        'The venue knows no "ETHUSDT". Check how it is written.',
      ]),
    );
    expect(
      onlyError(withList(draw({ close: ROTATION['close'] as NodeConfig }), ['BTCUSDT', 'KXBTC:yes'])),
    ).toMatchObject({
      nodeId: 'close',
      path: '/nodes/0/data/config/symbol',
      message: expect.stringContaining('"KXBTC:yes" is no crypto symbol'),
    });
  });

  test('a mistake in a setting of a node, and an input that is missing', () => {
    const visual = withList(
      draw({ ...ROTATION, size: ['size', { mode: 'notional', notional: -1 }] }, WIRES.slice(1)),
    );
    const errors = compile(visual).issues.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, nodeId }) => [code, nodeId])).toContainEqual(['bad_setting', 'size']);
    expect(new Set(errors.map(({ code, path }) => code + path)).size).toBe(errors.length);
  });

  test('a node between two lists', () => {
    const visual = withList(
      draw(
        {
          one: ['crypto.price', { symbol: EACH }],
          other: ['crypto.price', { symbol: { parameter: 'others' } }],
          both: ['compare', { op: 'gt' }],
        },
        ['one -> both.a', 'other -> both.b'],
      ),
      COINS,
      { others: { value: ['XRPUSDT'] } },
    );
    expect(onlyError(visual)).toMatchObject({ code: 'two_lists', nodeId: 'both' });
  });

  test('more nodes or longer ids than a graph may have, and an id that is taken', () => {
    const coins = Array.from({ length: 50 }, (_, i) => `C${i}USDT`);
    expect(onlyError(rotation(coins))).toMatchObject({
      code: 'too_many_nodes',
      message: expect.stringContaining('450 nodes'),
    });
    const price: NodeConfig = ['crypto.price', { symbol: EACH }];
    expect(onlyError(withList(draw({ ['a'.repeat(60)]: price })))).toMatchObject({ code: 'bad_id' });
    expect(onlyError(withList(draw({ price, 'price/BTCUSDT': ['constant', { value: 1 }] })))).toMatchObject({
      code: 'duplicate_id',
      nodeId: 'price',
    });
  });

  test('a text outside the list that mentions a value of it', () => {
    const visual = (text: string) =>
      withList(
        draw(
          {
            price: ['crypto.price', { symbol: EACH }],
            often: ['schedule', { mode: 'every', everySec: 60 }],
            say: ['notify', { text }],
          },
          ['often -> say'],
        ),
      );
    expect(onlyError(visual('{price}'))).toMatchObject({
      code: 'unknown_mention',
      message: expect.stringContaining('{price/BTCUSDT}'),
    });
    expect(compile(visual('{price/ETHUSDT}')).plan).not.toBeNull();
  });

  test('a comparison without others, and one that all pass', () => {
    const visual = (k: number) =>
      draw({ price: ['crypto.price', { symbol: EACH }], best: ['top', { k }] }, ['price -> best.in']);
    expect(onlyError(withList(visual(3)))).toMatchObject({ code: 'always_true', nodeId: 'best' });
    expect(compile(withList(visual(2))).plan).not.toBeNull();
    const alone = draw({ n: ['constant', { value: 1 }], best: ['top', { k: 1 }] }, ['n -> best.in']);
    expect(onlyError(alone).message).toMatch(/nothing to compare/);
  });

  test('a graph of any size is refused before it is copied', () => {
    const prices = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i): [string, NodeConfig] => [
        `n${i}`,
        ['crypto.price', { symbol: EACH }],
      ]),
    );
    const coins = Array.from({ length: 50 }, (_, i) => `C${i}USDT`);
    expect(onlyError(withList(draw(prices), coins)).code).toBe('too_many_nodes');
    const edges = Array.from({ length: 60 }, () => 'price -> best.among');
    const dense = draw({ price: ['crypto.price', { symbol: EACH }], best: ['top', { k: 1 }] }, [
      'price -> best.in',
      ...edges,
    ]);
    expect(onlyError(withList(dense, coins)).code).toBe('too_many_edges');
    const drawn = draw({ price: ['crypto.price', { symbol: EACH }], best: ['top', { k: 1 }] }, [
      'price -> best.in',
      ...Array.from({ length: 2_000 }, () => 'price -> best.among'),
    ]);
    expect(onlyError(withList(drawn, coins)).message).toMatch(/2001 edges; 2000 are allowed/);
  });
});

test('quotes that cancel each other do so for each instrument apart', () => {
  const bid = ['quote', { instrument: EACH, side: 'buy', oneCancelsOther: 'entry' }] as const;
  const on = conditionInput('a');
  const drawn = draw(
    {
      ...on.nodes,
      units: ['constant', { value: 5 }],
      price: ['constant', { value: 95 }],
      low: [...bid],
      high: [...bid],
    },
    [
      ...on.edges,
      ...['low', 'high'].flatMap((id) => [
        `a -> ${id}.when`,
        `units -> ${id}.amount`,
        `price -> ${id}.price`,
      ]),
    ],
  );
  const coins = ['BTCUSDT', 'ETHUSDT'];
  const player = new Player(withList(drawn, coins));
  const at = (now: number, orders: World['orders']) => {
    const quotes = new Map(coins.map((coin) => [coin, quote({ asOf: now })]));
    const instruments = new Map(coins.map((coin) => [coin, facts(coin)]));
    const seen = signals({ a: true }, now, world({ quotes, instruments, orders }));
    return player.at(now, seen).cancellations.map(({ nodeId }) => nodeId);
  };
  at(T0, new Map());
  const ids = coins.flatMap((coin) => [`low/${coin}`, `high/${coin}`]);
  const open = new Map(ids.map((id) => [id, live(id)]));
  const filled = { ...live('low/BTCUSDT').live, filledAmount: '1' } as NodeOrder;
  expect(at(T0 + 2_000, open)).toEqual([]);
  expect(at(T0 + 4_000, open.set('low/BTCUSDT', { live: filled, last: null }))).toEqual(['high/BTCUSDT']);
});

test('a text as long as allowed is notified for every instrument, however long names and ids are', () => {
  const saying = (text: string) =>
    withList(
      draw(
        {
          price: ['crypto.price', { symbol: EACH }],
          one: ['constant', { value: 1 }],
          above: ['compare', { op: 'gt' }],
          say: ['notify', { text }],
        },
        ['price -> above.a', 'one -> above.b', 'above -> say'],
      ),
      ['BTCUSDT'],
    );
  const said = (text: string) =>
    evaluate(planOf(saying(text)), world({ quotes: new Map([['BTCUSDT', quote({ last: 9 })]]) }), null, T0)
      .notifications;
  const filler = 'x'.repeat(489);
  expect(said(`${filler} is {price}`)).toMatchObject([{ text: `${filler} is 9` }]);
  expect(said(`${filler} {coins}`)).toMatchObject([{ text: `${filler} BTCUSDT` }]);
  expect(said(`${filler}${'y'.repeat(6)} {c}`.replace('{c}', '{coins}'))).toMatchObject([
    { text: `${filler}${'y'.repeat(6)} …` },
  ]);
  expect(onlyError(saying('x'.repeat(501)))).toMatchObject({ nodeId: 'say' });
});
