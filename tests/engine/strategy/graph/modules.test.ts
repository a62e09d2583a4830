/** Modules: graphs within a graph, inlined by the compiler. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphDifference } from '../../../../engine/research/backtests/graph-difference.ts';
import { chartIndicatorsOf } from '../../../../engine/strategy/graph/chart-indicators.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { graphPartOf } from '../../../../engine/strategy/graph/compile/graph-part.ts';
import { Issues } from '../../../../engine/strategy/graph/compile/issues.ts';
import { labelsOfGraph } from '../../../../engine/strategy/graph/compile/labels-of-graph.ts';
import { parseGraph } from '../../../../engine/strategy/graph/compile/parse.ts';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import { explainGraph } from '../../../../engine/strategy/graph/story/explain-graph.ts';
import type { Evaluation, Memory } from '../../../../engine/strategy/graph/types.ts';
import { actionsOf, graph, moments, randomOf } from './arbitraries.ts';
import { draw, errorsOf, type NodeConfig, planOf } from './graph-fixtures.ts';
import { type ModularGraph as Graph, withModule } from './with-module.ts';

const IN = (kind = 'number'): NodeConfig => ['module.input', { kind }];
const OUT = (kind = 'number'): NodeConfig => ['module.output', { kind }];

/** Whether a price is above its average. */
const TREND = {
  ...draw(
    {
      price: IN(),
      mean: ['indicator', { kind: 'sma', period: { parameter: 'period' } }],
      above: ['compare', { op: 'gt' }],
      up: OUT('boolean'),
      average: OUT(),
    },
    ['price -> mean', 'price -> above.a', 'mean -> above.b', 'above -> up.in', 'mean -> average.in'],
  ),
  parameters: { period: { value: 5, min: 2, max: 50 } },
};

const OUTER: Record<string, NodeConfig> = {
  close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }],
  quick: ['module.trend', { period: 3 }],
  calm: ['module.trend'],
  both: ['logic', { op: 'and' }],
  say: ['notify', { text: 'Up' }],
};
const WIRES = ['close -> quick.price', 'close -> calm.price', 'quick -> both', 'calm -> both', 'both -> say'];

const strategy = (
  modules: Record<string, unknown> = { trend: TREND },
  outer = OUTER,
  wires = WIRES,
): Graph => {
  const drawn = draw(outer, wires);
  const edges = drawn.edges.map((edge) =>
    outer[edge.source]?.[0].startsWith('module.') && edge.sourceHandle === 'out'
      ? { ...edge, sourceHandle: 'up' }
      : edge,
  );
  return { nodes: drawn.nodes, edges, modules };
};

const said = ({ memory, intents, notifications, failures, behind, nodeStates }: Evaluation): string =>
  JSON.stringify({ memory, intents, notifications, failures, behind, nodeStates });

describe('a module', () => {
  test('gives each use nodes of its own, with the values it is used with', () => {
    const { nodeIds, needs } = planOf(strategy());
    expect(nodeIds).toEqual([
      ...['close', 'quick/mean', 'quick/above', 'calm/mean', 'calm/above', 'both', 'say'],
    ]);
    expect(needs.candles).toEqual([{ symbol: 'BTCUSDT', interval: '1m', window: 5, open: false }]);
    expect(labelsOfGraph(strategy())).toContainEqual({ nodeId: 'quick/mean', label: 'quick › mean' });
  });

  test('acts as the same graph drawn by hand, byte for byte, in any graph, used twice and nested', () => {
    let compared = 0;
    let raised = 0;
    fc.assert(
      fc.property(graph, fc.nat(), fc.integer({ min: 1, max: 4 }), (visual, seed, depth) => {
        const { modular, hand } = withModule(visual, randomOf(seed), depth);
        const { plan, issues } = compile(modular);
        const drawn = compile(hand);
        // The compiler refuses both or none.
        if (plan === null) {
          expect(drawn.plan, JSON.stringify(issues)).toBeNull();
          return;
        }
        if (drawn.plan === null) throw new Error(JSON.stringify(drawn.issues));
        expect(plan.nodeIds).toEqual(drawn.plan.nodeIds);
        let memory: Memory | null = null;
        for (const { now, seen } of moments(seed, 8, actionsOf(hand))) {
          const evaluation: Evaluation = evaluate(plan, seen, memory, now);
          expect(said(evaluation)).toBe(said(evaluate(drawn.plan, seen, memory, now)));
          compared++;
          raised += evaluation.intents.length + evaluation.notifications.length;
          memory = evaluation.memory;
        }
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(100);
    expect(raised).toBeGreaterThan(10);
  });

  test('runs once for each instrument of a list that it is used with', () => {
    const modules = {
      entry: {
        ...draw(
          {
            ask: ['crypto.price', { symbol: { parameter: 'coin' }, field: 'ask' }],
            when: IN('boolean'),
            size: ['size', { mode: 'notional', notional: 25 }],
            buy: ['order', { instrument: { parameter: 'coin' }, side: 'buy', type: 'market' }],
            say: ['notify', { text: 'Buys {coin} at {ask}' }],
          },
          ['ask -> size.price', 'size -> buy.amount', 'when -> buy.when', 'when -> say'],
        ),
        parameters: { coin: { value: 'BTCUSDT' } },
      },
    };
    const visual = {
      ...strategy(
        modules,
        {
          price: ['crypto.price', { symbol: { parameter: 'coins' } }],
          low: ['compare', { op: 'lt', hysteresis: 0 }],
          level: ['constant', { value: 5 }],
          entry: ['module.entry', { coin: { parameter: 'coins' } }],
        },
        ['price -> low.a', 'level -> low.b', 'low -> entry.when'],
      ),
      parameters: { coins: { value: ['BTCUSDT', 'ETHUSDT'] } },
    };
    expect(planOf(visual).needs.traded).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(planOf(visual).nodeIds).toContain('entry/buy/ETHUSDT');
    expect(explainGraph(visual)[0]).toEqual({
      nodeId: 'entry/buy',
      text: expect.stringContaining('the same for ETHUSDT'),
    });
  });

  test('keeps the names of baskets and alternatives to each use, and fills mentions of its own nodes', () => {
    const modules = {
      pair: draw(
        {
          price: ['market.price', { instrument: 'KXBTC:yes' }],
          one: ['constant', { value: 1 }],
          low: ['compare', { op: 'lt' }],
          bid: ['quote', { instrument: 'KXBTC:yes', side: 'buy', oneCancelsOther: 'x' }],
          say: ['notify', { text: '{price} {other}' }],
        },
        [
          'price -> low.a',
          'one -> low.b',
          'low -> bid.when',
          'one -> bid.amount',
          'price -> bid.price',
          'low -> say',
        ],
      ),
    };
    const visual = strategy(modules, { a: ['module.pair'], b: ['module.pair'] }, []);
    const error = errorsOf(visual)[0];
    expect(error).toMatchObject({
      code: 'unknown_mention',
      nodeId: 'a/say',
      path: '/modules/pair/nodes/4/data/config/text',
    });
    expect(error?.message).toContain('{other}');
    expect(graphPartOf(JSON.parse(JSON.stringify(visual)), 'b/bid')).toMatchObject({
      ids: ['b/bid'],
      conditions: ['b/low'],
      visual: {
        nodes: [
          { id: 'b/price' },
          { id: 'b/one' },
          { id: 'b/low' },
          { data: { config: { oneCancelsOther: 'b/x' } } },
        ],
      },
    });
  });

  test('fills mentions of its parameters, and of nodes in modules within it and in the graph around', () => {
    const texts = (visual: Graph) =>
      parseGraph(visual, new Issues()).nodes.flatMap(({ config }) => {
        const { text } = Object(config);
        return text === undefined ? [] : [text];
      });
    const visual = {
      ...strategy(
        {
          trend: TREND,
          mid: draw({
            ...{ deep: ['module.said', { level: { parameter: 'own' } }], x: ['constant', { value: 1 }] },
          }),
          said: {
            ...draw({
              t: ['module.trend'],
              say: ['notify', { text: '{level} {t/mean} {x} {close} {gone}' }],
            }),
            parameters: { level: { value: 1 } },
          },
        },
        {
          close: ['constant', { value: 1 }],
          a: ['module.mid'],
          b: ['module.said', { level: { parameter: 'top' } }],
        },
        [],
      ),
      parameters: { top: { value: 7 }, own: { value: 8 } },
    };
    Object.assign(visual.modules?.['mid'] ?? {}, { parameters: { own: { value: 2 } } });
    expect(texts(visual)).toEqual([
      '2 {a/deep/t/mean} {a/x} {close} {gone}',
      '7 {b/t/mean} {x} {close} {gone}',
    ]);
  });

  test('is part of what charts, comparisons and explanations see', () => {
    expect(chartIndicatorsOf(strategy(), 'BTCUSDT').map(({ name }) => name)).toEqual([
      'quick › mean',
      'calm › mean',
    ]);
    const changed = strategy({ trend: { ...TREND, parameters: { period: { value: 7 } } } });
    expect(graphDifference(strategy(), changed).changed).toEqual(['calm/mean']);
    expect(explainGraph(strategy())).toEqual([{ nodeId: 'say', text: expect.stringContaining('SMA 3') }]);
  });

  test('is silent with all its nodes while its node is switched off, and so is what depends on it', () => {
    const visual = strategy();
    Object.assign(visual.nodes[1]?.data ?? {}, { disabled: true });
    const { plan, issues } = compile(visual);
    expect(plan).not.toBeNull();
    expect(issues.filter(({ code }) => code === 'switched_off').map(({ nodeId }) => nodeId)).toEqual([
      ...['quick/mean', 'quick/above'],
    ]);
  });
});
