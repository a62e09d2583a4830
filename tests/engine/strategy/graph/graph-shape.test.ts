import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile, compileExits } from '../../../../engine/strategy/graph/compile/compile.ts';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import { draw, EMPTY_WORLD, errorsOf, onlyError, T0 } from './graph-fixtures.ts';

describe('any JSON value gets a sensible answer', () => {
  test('never throws, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (visual) => {
        const { plan, issues } = compile(visual);
        expect(plan === null).toBe(issues.some(({ severity }) => severity === 'error'));
        compileExits(visual);
      }),
      { numRuns: 300 },
    );
  });

  test('never throws on a near-graph', () => {
    const id = fc.oneof(
      fc.constantFrom('a', 'b', '', '__proto__', 'constructor'),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const type = fc.constantFrom(
      'order',
      'compare',
      'memory',
      'math',
      'crypto.price',
      'exit',
      'group',
      'toString',
      '',
      3,
      null,
    );
    const config = fc.oneof(
      fc.constantFrom(
        { symbol: 'BTCUSDT' },
        { op: 'add' },
        { mode: 'latch' },
        { instrument: 'BTCUSDT', stopLoss: 0.1 },
      ),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const node = fc.oneof(
      fc.record({ id, type, data: fc.oneof(fc.record({ config }), fc.jsonValue({ maxDepth: 1 })) }),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const handle = fc.constantFrom('a', 'b', 'in', 'out', 'when', 'constructor', null, 7);
    const edge = fc.oneof(
      fc.record({ source: id, target: id, sourceHandle: handle, targetHandle: handle }),
      fc.jsonValue({ maxDepth: 1 }),
    );
    fc.assert(
      fc.property(fc.array(node, { maxLength: 12 }), fc.array(edge, { maxLength: 20 }), (nodes, edges) => {
        const { plan, issues } = compile({ nodes, edges });
        for (const issue of issues) {
          expect(issue.message).toMatch(/^\S.*[.!]$/s);
          expect(issue.path).toMatch(/^(\/|$)/);
        }
        if (plan !== null) evaluate(plan, EMPTY_WORLD, null, T0);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [null],
    [undefined],
    [{}],
    [[]],
    [5],
    ['x'],
    [true],
    [{ nodes: [] }],
    [{ nodes: [{ type: 'note', id: 'n' }, { id: 'm' }] }],
  ])('%j has nothing to execute: it compiles and idles', (visual) => {
    const { plan, issues } = compile(visual);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(evaluate(plan as NonNullable<typeof plan>, EMPTY_WORLD, null, T0).nodeStates).toEqual({});
  });

  test('never throws on deep values', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = i % 2 === 0 ? [deep] : { deep };
    for (const visual of [
      deep,
      { nodes: deep },
      {
        nodes: [
          deep,
          { id: deep, type: 'constant' },
          { id: 'a', type: deep },
          { id: 'b', type: 'constant', data: deep },
        ],
      },
      {
        nodes: [
          { id: 'a', type: 'constant', data: { config: { value: deep } } },
          { id: 'b', type: 'notify', data: { config: deep } },
        ],
      },
      { nodes: [], edges: [deep, { source: 'a', target: 'a', sourceHandle: deep }] },
    ])
      expect(compile(visual).issues.length).toBeGreaterThan(0);
  });

  test('a list of thousands of wrong entries gives a bounded list of issues', () => {
    const { issues } = compile({ nodes: Array(50_000).fill(1), edges: [] });
    expect(issues.length).toBeLessThanOrEqual(301);
    expect(issues.at(-1)).toMatchObject({ code: 'more_issues', severity: 'error' });
  });
});

describe('the shape of a graph', () => {
  test('a graph sent as text is an error with the remedy; any other text is nothing to execute', () => {
    const graph = { nodes: [{ id: 'a', type: 'constant', data: { config: { value: 1 } } }], edges: [] };
    expect(errorsOf(JSON.stringify(graph))[0]).toMatchObject({
      code: 'graph_is_text',
      message: expect.stringContaining('Send the object itself'),
    });
    for (const text of ['', 'draft', '7', '{}', '[]', '{"nodes":7}']) expect(errorsOf(text)).toEqual([]);
  });

  test.each([
    ['beside the data', { id: 'a', type: 'compare', config: { op: 'gt' } }],
    ['beside data of another kind', { id: 'a', type: 'compare', data: { label: 'A' }, config: { op: 'gt' } }],
    ['in the data', { id: 'a', type: 'compare', data: { label: 'A', op: 'gt' } }],
  ])('misplaced settings that stand %s are an error that names their place', (_, node) => {
    expect(errorsOf({ nodes: [node], edges: [] })).toContainEqual({
      nodeId: 'a',
      path: '/nodes/0/data/config',
      code: 'misplaced_settings',
      severity: 'error',
      message: 'The settings of a node stand in “data.config”. Move there: op.',
    });
  });

  test.each([
    ['rsi', 'Write the type “indicator” with “kind”: “rsi”.'],
    ['RSI', 'Write the type “indicator” with “kind”: “rsi”.'],
    ['gt', 'Write the type “compare” with “op”: “gt”.'],
    ['cryptoPrice', '“crypto.price”'],
    ['buy_order', '“order”'],
    ['stopwatch', '“notify”'],
    ['x'.repeat(10_000), '“notify”'],
  ])('an unknown type %s is answered with the probable one', (type, hint) => {
    const [issue] = errorsOf({ nodes: [{ id: 'a', type }], edges: [] });
    expect(issue).toMatchObject({ code: 'unknown_type' });
    expect(issue?.message).toContain(hint);
    expect(issue?.message.length).toBeLessThan(600);
  });

  test.each([
    ['not_a_list', { nodes: 7 }, '/nodes'],
    ['not_a_list', { nodes: [], edges: {} }, '/edges'],
    ['not_a_node', { nodes: [3] }, '/nodes/0'],
    ['not_a_type', { nodes: [{ id: 'a', type: 5 }] }, '/nodes/0/type'],
    ['unknown_type', { nodes: [{ id: 'a', type: 'buy' }] }, '/nodes/0/type'],
    ['bad_id', { nodes: [{ type: 'constant' }] }, '/nodes/0/id'],
    ['bad_id', { nodes: [{ id: '__proto__', type: 'constant' }] }, '/nodes/0/id'],
    ['not_data', { nodes: [{ id: 'a', type: 'logic', data: 3 }] }, '/nodes/0/data'],
    ['not_an_edge', { nodes: [], edges: [1] }, '/edges/0'],
    ['loose_edge', { nodes: [], edges: [{ source: 'a' }] }, '/edges/0'],
    ['bad_handle', { nodes: [], edges: [{ source: 'a', target: 'b', targetHandle: 3 }] }, '/edges/0'],
    [
      'unknown_node',
      {
        nodes: [{ id: 'a', type: 'constant', data: { config: { value: 1 } } }],
        edges: [{ source: 'a', target: 'b' }],
      },
      '/edges/0',
    ],
  ])('%s', (code, visual, path) => {
    const issue = errorsOf(visual)[0];
    expect(issue).toMatchObject({ code, path, severity: 'error' });
  });

  test('a duplicate id is named', () => {
    const node = { id: 'a', type: 'constant', data: { config: { value: 1 } } };
    expect(onlyError({ nodes: [node, node] })).toMatchObject({
      nodeId: 'a',
      code: 'duplicate_id',
      path: '/nodes/1/id',
    });
  });

  test('200 nodes are allowed, 201 are not; annotations do not count', () => {
    const node = (i: number) => ({ id: `n${i}`, type: 'constant', data: { config: { value: i } } });
    const nodes = (count: number) => Array.from({ length: count }, (_, i) => node(i));
    expect(errorsOf({ nodes: [...nodes(200), { id: 'x', type: 'note' }] })).toEqual([]);
    expect(onlyError({ nodes: nodes(201) })).toMatchObject({ code: 'too_many_nodes', path: '/nodes' });
  });

  test('an edge to an annotation carries nothing and is only warned of', () => {
    const { plan, issues } = compile({
      nodes: [
        { id: 'n', type: 'note' },
        { id: 'a', type: 'constant', data: { config: { value: 1 } } },
      ],
      edges: [{ source: 'a', target: 'n' }],
    });
    expect(plan).not.toBe(null);
    expect(issues).toMatchObject([{ code: 'annotation_edge', severity: 'warning' }]);
  });
});

describe('settings', () => {
  const ofConfig = (type: string, config: unknown) =>
    errorsOf({ nodes: [{ id: 'n', type, data: { config } }] }).filter(({ code }) => code.endsWith('setting'));
  test.each([
    ['market.price', 'instrument', 'is no instrument.'],
    ['crypto.price', 'symbol', 'is no crypto symbol.'],
  ])('an objection to a %s stays short, however long the %s is', (type, setting, complaint) => {
    const messages = ofConfig(type, { [setting]: 'x'.repeat(200_000) }).map(({ message }) => message);
    expect(messages.some((message) => message.includes(`x… ${complaint}`))).toBe(true);
    for (const message of messages) expect(message.length).toBeLessThan(400);
  });

  test.each([
    ['constant', {}, 'missing_setting', '/value', '“value” is missing.'],
    ['constant', { value: '12' }, 'bad_setting', '/value', '“value” must be a number; it is "12".'],
    ['constant', { value: null }, 'bad_setting', '/value', '“value” must be a number; it is null.'],
    [
      'constant',
      { value: 1, valeu: 2 },
      'unknown_setting',
      '/valeu',
      'This node has no setting "valeu". It has value.',
    ],
    [
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'market', timeInForce: 'gtc' },
      'unknown_setting',
      '/timeInForce',
      'This node has no setting "timeInForce". It has instrument, side, ifTrueAtDeploy, type and slippageCap.',
    ],
    [
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'limit', slippageCap: 0.1 },
      'unknown_setting',
      '/slippageCap',
      'This node has no setting "slippageCap". It has instrument, side, ifTrueAtDeploy, type, priceOffset, timeInForce, zone and expireAfterSec.',
    ],
    [
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'market', expireAfterSec: 60 },
      'unknown_setting',
      '/expireAfterSec',
      'This node has no setting "expireAfterSec". It has instrument, side, ifTrueAtDeploy, type and slippageCap.',
    ],
    [
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'ioc', expireAfterSec: 60 },
      'bad_setting',
      '/expireAfterSec',
      'Only a gtc or gtx order expires after seconds: leave “expireAfterSec” out, or use gtc.',
    ],
    ...[{ timeInForce: 'day' }, { zone: 'UTC' }].map((settings): [string, object, string, string, string] => [
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'limit', ...settings },
      'bad_setting',
      '/zone',
      'A day order needs a “zone”, such as America/New_York; no other order takes one.',
    ]),
    [
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'day', zone: 'Mars' },
      'bad_setting',
      '/zone',
      'Write a time zone as in Europe/Zurich or UTC.',
    ],
    [
      'constant',
      5,
      'bad_setting',
      '',
      'The config of this node must be an object with the settings of this node; it is 5.',
    ],
    [
      'compare',
      { op: 'equals' },
      'bad_setting',
      '/op',
      '“op” cannot be "equals". Choose gt, gte, lt, lte, between, crossesAbove or crossesBelow.',
    ],
    [
      'compare',
      {},
      'missing_setting',
      '/op',
      '“op” is missing. Choose gt, gte, lt, lte, between, crossesAbove or crossesBelow.',
    ],
    [
      'math',
      { op: 'pow' },
      'bad_setting',
      '/op',
      '“op” cannot be "pow". Choose add, multiply, min, max, subtract, divide, power, modulo, abs, floor, ceil, sign, sqrt, log, exp, clamp or round.',
    ],
    [
      'math',
      { op: 'clamp', low: 2, high: 1 },
      'bad_setting',
      '/high',
      'The upper bound lies below the lower one. Swap them.',
    ],
    [
      'indicator',
      { kind: 'rsi', period: 1 },
      'bad_setting',
      '/period',
      '“period” must be at least 2; it is 1.',
    ],
    [
      'indicator',
      { kind: 'rsi', period: 101 },
      'bad_setting',
      '/period',
      '“period” must be at most 100; it is 101.',
    ],
    [
      'indicator',
      { kind: 'rsi', period: 2.5 },
      'bad_setting',
      '/period',
      '“period” must be a whole number; it is 2.5.',
    ],
    [
      'size',
      { mode: 'equity', fraction: 0 },
      'bad_setting',
      '/fraction',
      '“fraction” must be above 0; it is 0.',
    ],
    [
      'schedule',
      { mode: 'daily', from: '8:00', to: '09:00' },
      'bad_setting',
      '/from',
      'A time of day is written HH:MM, from 00:00 to 23:59.',
    ],
    [
      'schedule',
      { mode: 'daily', from: '08:00', to: '09:00', days: ['monday'] },
      'bad_setting',
      '/days/0',
      '“days.0” cannot be "monday". Choose sun, mon, tue, wed, thu, fri or sat.',
    ],
    [
      'exit',
      { instrument: 'BTCUSDT' },
      'bad_setting',
      '',
      'An exit needs at least one of “takeProfit”, “stopLoss”, “trailing”, “maxHoldSec” and “beforeCloseSec”.',
    ],
    [
      'cooldown',
      { maxCount: 3 },
      'bad_setting',
      '/windowSec',
      '“maxCount” and “windowSec” belong together. Give both or neither.',
    ],
    [
      'crypto.price',
      { symbol: 'btc-usdt' },
      'bad_setting',
      '/symbol',
      '"btc-usdt" is no crypto symbol. Write it as the venue does: BTCUSDT.',
    ],
  ])('%s %j: %s', (type, config, code, path, message) => {
    expect(ofConfig(type, config)).toEqual([
      { nodeId: 'n', code, severity: 'error', path: `/nodes/0/data/config${path}`, message },
    ]);
  });

  test.each(['KXBTC:maybe', 'kxbtc:yes', '12x', 'BTC/USDT', '', 'btcusdt', '12'])(
    '%j is no instrument',
    (instrument) => {
      expect(ofConfig('market.price', { instrument })[0]).toMatchObject({ code: 'bad_setting' });
    },
  );
  test.each(['KXFED-26DEC-H0:no', '105426373826369935595603860663411604', 'BTCUSDT'])(
    '%s is an instrument',
    (instrument) => {
      expect(ofConfig('market.price', { instrument })).toEqual([]);
    },
  );

  test('names every wrong setting of every node at once', () => {
    const visual = draw({
      a: ['order', { instrument: 'x', side: 'hold', type: 'limit', tif: 'day' }],
      b: ['constant', {}],
    });
    expect(
      errorsOf(visual)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      '/nodes/0/data/config/instrument',
      '/nodes/0/data/config/side',
      '/nodes/0/data/config/tif',
      '/nodes/1/data/config/value',
    ]);
  });
});
