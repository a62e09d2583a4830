import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FUNCTIONS, OPERATORS, OUTLINES } from '../../client/src/strategy-text/functions.ts';
import { partId } from '../../client/src/strategy-text/graph.ts';
import { formatStrategy, parseStrategy, writeStrategy } from '../../client/src/strategy-text/index.ts';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { TEMPLATES } from '../../engine/strategy/graph/templates/index.ts';
import { DRAWN_TYPES, graph, graphWith } from '../engine/strategy/graph/arbitraries.ts';
import type { Visual } from '../engine/strategy/graph/graph-fixtures.ts';
import { expectBoundedGrowth } from '../support/growth.ts';

type Drawn = {
  nodes: { id: string; type: string; data?: { config?: unknown } }[];
  edges: { source: string; target: string; targetHandle?: string | null }[];
};

/** Nodes in order with all that they carry, and the sources of each port in order. */
function meaningOf(visual: unknown) {
  const { nodes = [], edges = [], ...rest } = visual as Drawn;
  const inputs: Record<string, string[]> = {};
  for (const { source, target, targetHandle } of edges) {
    const { inputs: ports = [] } = OUTLINES.get(nodes.find(({ id }) => id === target)?.type ?? '') ?? {};
    const port = `${target}.${targetHandle ?? ports[0]?.name}`;
    inputs[port] = [...(inputs[port] ?? []), source];
  }
  return { rest, nodes: nodes.map((node) => ({ ...node, data: { ...node.data } })), inputs };
}

function textOf(visual: unknown): string {
  const written = writeStrategy(visual);
  if (!written.ok) throw new Error(written.message);
  return written.text;
}
function visualOf(text: string) {
  const read = parseStrategy(text);
  if (!read.ok) throw new Error(`${text}\n${JSON.stringify(read.errors)}`);
  return read.visual;
}
function errorsOf(text: string) {
  const read = parseStrategy(text);
  return read.ok ? [] : read.errors;
}

function expectRoundTrip(visual: unknown): void {
  const text = textOf(visual);
  const read = visualOf(text);
  expect(meaningOf(read)).toEqual(meaningOf(visual));
  expect(textOf(read)).toBe(text);
  expect(compile(read).issues.map(({ code, nodeId }) => [code, nodeId])).toEqual(
    compile(visual).issues.map(({ code, nodeId }) => [code, nodeId]),
  );
}

/** The same graph with the ids and the order of parts wherever a node is read once: text nests these. */
function withParts({ nodes, edges }: Visual): Visual {
  const ids = new Map<string, string>();
  const into = (target: string) => edges.filter((edge) => edge.target === target);
  const idOf = (id: string): string => ids.get(id) ?? id;
  const isReadOnce = (id: string) => edges.filter(({ source }) => source === id).length === 1;
  const ordered: Visual['nodes'] = [];
  const done = new Set<string>();
  const add = (node: Visual['nodes'][number]): void => {
    if (done.has(node.id)) return;
    done.add(node.id);
    const counts = new Map<string | null, number>();
    for (const { source, targetHandle } of into(node.id)) {
      const count = counts.get(targetHandle) ?? 0;
      counts.set(targetHandle, count + 1);
      const id = partId(idOf(node.id), targetHandle ?? 'in', count);
      const part = nodes.find((each) => each.id === source);
      if (part === undefined || done.has(source) || !isReadOnce(source) || id.length > 60) continue;
      ids.set(source, id);
      add(part);
    }
    ordered.push({ ...node, id: idOf(node.id) });
  };
  for (const node of nodes.toReversed()) add(node);
  return {
    nodes: ordered,
    edges: edges.map((edge) => ({ ...edge, source: idOf(edge.source), target: idOf(edge.target) })),
  };
}

const INSTRUMENTS = {
  outcomeA: 'KXELONMARS-99:yes',
  outcomeB: '1100000000000001234567890',
};

describe('a graph as text', () => {
  test('reads back as the same graph, whatever nodes it has', () => {
    fc.assert(fc.property(graph, expectRoundTrip), { numRuns: 25 });
  });

  test('reads back as the same graph, with parts inside each other', () => {
    let nested = 0;
    fc.assert(
      fc.property(graph, (visual) => {
        const parts = withParts(visual);
        expectRoundTrip(parts);
        nested += parts.nodes.length - textOf(parts).trimEnd().split('\n').length;
      }),
      { numRuns: 100 },
    );
    expect(nested).toBeGreaterThan(5);
  });

  test.each(DRAWN_TYPES)('reads back as the same graph, with nodes of type %s', (type) => {
    fc.assert(fc.property(graphWith(type), expectRoundTrip), { numRuns: 8 });
  });

  test.each(TEMPLATES.map(({ key, visual }) => [key, visual] as const))(
    'the template %s reads back with its notes, labels and places',
    (_key, visual) => expectRoundTrip(visual(INSTRUMENTS)),
  );

  test('a list of instruments stands where one does, before texts too', () => {
    const text = [
      'param coins = ["BTCUSDT", "ETHUSDT"] "What to choose from."',
      '',
      'close = crypto.candle(coins, 1h)',
      'best = top(change(close, 24), k: 1)',
      'mean = aggregate(close, "mean")',
      'open = guard(best, coins)',
      'buy = order(coins, "buy", "market", amount: size(mean, "notional", 25)) when open',
      'exit(coins, trailing: 0.08)',
      '',
    ].join('\n');
    const read = parseStrategy(text);
    const { visual } = read.ok ? read : { visual: { nodes: [] } };
    const configs = Object.fromEntries(visual.nodes.map(({ id, data }) => [id, Object(data).config]));
    const coins = { parameter: 'coins' };
    expect(configs).toMatchObject({
      close: { symbol: coins, interval: '1h' },
      open: { instrument: coins },
      buy: { instrument: coins, side: 'buy' },
      exit: { instrument: coins },
    });
    expect(compile(visual).plan?.nodeIds).toContain('buy/ETHUSDT');
    expect(formatStrategy(text)).toEqual({ ok: true, text });
  });

  test('every node type of the catalogue is a function, and no port is called as a setting of its node', () => {
    for (const { type } of describeCatalogue()) expect(FUNCTIONS.get(type)?.node.type).toBe(type);
    for (const { node } of FUNCTIONS.values()) {
      const settings = node.variants.flatMap((variant) => Object.keys(variant.settings));
      expect(node.inputs.filter(({ name }) => settings.includes(name))).toEqual([]);
    }
    for (const { type, op } of Object.values(OPERATORS)) {
      const values = OUTLINES.get(type)?.variants.flatMap(({ settings }) => settings['op']?.values ?? []);
      expect(values).toContain(op);
    }
  });

  test('keeps what only an editor knows: ids of any form, groups, sizes and the view', () => {
    expectRoundTrip({
      viewport: { x: 1, y: -2, zoom: 0.5 },
      parameters: {
        when: { value: 5, min: 1 },
        'coin-of': { value: '5m', help: '5m' },
        odd: { value: 1, max: 2, unit: '% of `x`' },
      },
      nodes: [
        {
          id: 'a note',
          type: 'note',
          position: { x: 0, y: 0 },
          width: 200,
          data: { label: 'One\n\n//@ two', color: 'red' },
        },
        { id: 'g', type: 'group', position: { x: 0, y: 0 }, data: {} },
        { id: 'no type', data: { label: ' x ' } },
        {
          id: 'not',
          type: 'constant',
          position: { x: 1.5, y: 1e21 },
          parentId: 'g',
          data: { label: '//@ 1 2', config: { value: -0.1 } },
        },
        {
          id: 'ä `b`\\',
          type: 'constant',
          data: { label: 'a // b', config: { value: { parameter: 'when' } } },
        },
        { id: 'when', type: 'constant', data: { config: { value: 1e-9 } } },
        { id: 'up.a', type: 'constant', data: { disabled: true, config: { value: 3 } } },
        { id: 'up', type: 'compare', data: { config: { op: 'gt' } } },
        { id: 'notify', type: 'notify', data: { disabled: false, config: { text: 'a"\n\\ ' } } },
      ],
      edges: [
        { id: '1', source: 'up.a', target: 'up', targetHandle: 'a' },
        { id: '2', source: 'when', target: 'up', targetHandle: 'b' },
        { id: '3', source: 'up', target: 'notify' },
      ],
    });
  });

  test('a part that text cannot say is named', () => {
    const of = (visual: unknown) => writeStrategy(visual);
    expect(of({ nodes: [{ id: 'a', type: 'magic' }] })).toEqual({
      ok: false,
      message: 'There is no node type "magic".',
    });
    const modules = { part: { nodes: [], edges: [] } };
    expect(of({ nodes: [{ id: 'a', type: 'module.part' }], edges: [], modules })).toEqual({
      ok: false,
      message:
        'The node "a" uses a module, which text cannot say. Dissolve it, or keep this strategy as JSON.',
    });
    const unused = of({ nodes: [], edges: [], modules });
    expect(unused.ok && parseStrategy(unused.text)).toMatchObject({ ok: true, visual: { modules } });
    const twice = { id: 'a', type: 'constant', data: { config: { value: 1 } } };
    expect(of({ nodes: [twice, twice] })).toEqual({ ok: false, message: 'Two nodes have the same id.' });
    expect(of({ nodes: [twice], edges: [{ source: 'a', target: 'b' }] })).toMatchObject({ ok: false });
    expect(of([])).toMatchObject({ ok: false });
    expect(of(null)).toEqual({ ok: true, text: '' });
  });

  test('a graph of any JSON is written or refused, without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(...OUTLINES.keys()), (value, type) => {
        for (const node of [
          value,
          { id: 'a', type, data: value },
          { id: 'a', type, data: { config: value } },
        ]) {
          const written = writeStrategy({ nodes: [node] });
          if (written.ok) expect(textOf(visualOf(written.text))).toBe(written.text);
        }
      }),
      { numRuns: 200 },
    );
  });
});

const CROSSING = `param fast = 12 in 2..50 candles "Period of the quick average."
param budget = 40 in 1..1000 USD

// Two averages of five-minute closes.
close = crypto.candle("BTCUSDT", 5m)
up = crossesAbove(ema(close, fast), ema(close, 26)) // Crosses above //@ 520 0
ask = crypto.price("BTCUSDT", field: "ask")
order("BTCUSDT", "buy", "market", amount: size(ask, "notional", budget)) when once(up, "day") and not ask > 99000
exit("BTCUSDT", stopLoss: 0.03, trailing: 0.02)
off notify("Up: {close}") when up
`;

describe('text', () => {
  test('says a list that is a series, byte for byte, whatever the order of its fields', () => {
    const text =
      'param markets = series("KXBTC15M", "venue-a", "yes") "Each quarter."\n\nask = market.price(markets, field: "ask")\n';
    const value = { outcome: 'yes', venue: 'venue-a', series: 'KXBTC15M' };
    expect(visualOf(text)).toMatchObject({ parameters: { markets: { value, help: 'Each quarter.' } } });
    expect(formatStrategy(text)).toEqual({ ok: true, text });
    const { nodes, edges } = visualOf(text);
    expect(textOf({ parameters: { markets: { value, help: 'Each quarter.' } }, nodes, edges })).toBe(text);
    expect(errorsOf('param markets = series("KXBTC15M", "venue-a")')[0]).toMatchObject({ line: 1 });
    expect(
      writeStrategy({ parameters: { markets: { value: { ...value, more: 1 } } }, nodes, edges }).ok,
    ).toBe(false);
  });

  test('compiles to the graph that it says', () => {
    const { nodes, edges, parameters } = visualOf(CROSSING);
    expect(parameters).toMatchObject({ fast: { value: 12, min: 2, max: 50, unit: 'candles' } });
    const types = nodes.map(({ id, type }) => `${id} ${type}`);
    expect(types).toEqual([
      'note note',
      'close crypto.candle',
      'up.a indicator',
      'up.b indicator',
      'up compare',
      'ask crypto.price',
      'order.amount size',
      'order.when.in once',
      'order.when.in2.a.b constant',
      'order.when.in2.a compare',
      'order.when.in2 logic',
      'order.when logic',
      'order order',
      'exit exit',
      'notify notify',
    ]);
    expect(nodes[2]).toEqual({
      id: 'up.a',
      type: 'indicator',
      data: { config: { kind: 'ema', period: { parameter: 'fast' } } },
    });
    expect(nodes[4]).toMatchObject({ position: { x: 520, y: 0 }, data: { label: 'Crosses above' } });
    expect(nodes.at(-1)).toMatchObject({ data: { disabled: true } });
    expect(edges).toContainEqual({
      id: 'up-order.when.in-in',
      source: 'up',
      sourceHandle: 'out',
      target: 'order.when.in',
      targetHandle: 'in',
    });
    expect(compile(visualOf(CROSSING)).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('formatted text stays as it is, byte for byte', () => {
    expect(formatStrategy(CROSSING)).toEqual({ ok: true, text: CROSSING });
    const untidy = CROSSING.replaceAll(' = ', '=').replaceAll(', ', '  ,').replaceAll('\n', '\r\n');
    expect(formatStrategy(untidy)).toEqual({ ok: true, text: CROSSING });
  });

  test.each([
    ['x = emma(close, 3)', 1, 5, 'There is no function “emma”. Did you mean “ema”?'],
    ['close = 1\nx = ema(clse, 3)', 2, 9, 'There is no line and no parameter “clse”. Did you mean “close”?'],
    ['close = 1\nx = ema(close, perod: 3)', 2, 16, 'Did you mean “period”?'],
    ['x = crypto.price("B", field: "lats")', 1, 30, 'Did you mean “last”?'],
    ['x = crypto.price("B" 3)', 1, 22, 'Expected “,” or “)”, but there is "3".'],
    ['x = 1 + ', 1, 9, 'Expected a name, a value or a call, but the line ends.'],
    ['x = "a', 1, 5, 'The quote that opens here is not closed'],
    ['x = 1\nx = 2', 2, 1, 'Another line is called “x”, too.'],
    ['x = 1\ny = not x', 2, 9, '“x” gives a number, but “a” of “y” takes true or false.'],
    ['x = 1 when 2 > 1', 1, 14, '“constant” is no action: only an action has “when”.'],
    ['x = ema(1, 2, 3)', 1, 15, '“ema” takes no further value without a name. Name it: sampleSec: ….'],
    ['param fast = 1 // twice', 1, 7, 'Write the sentence of a parameter in quotes, at its end.'],
    ['x = 1 //@ left', 1, 10, 'A layout is two numbers, x and y, and an object of JSON.'],
    [`x = ${'('.repeat(41)}1`, 1, 45, 'This is more than 40 levels deep.'],
    [`x = ${Array(70).fill('1').join(' - ')}`, 1, 151, 'Give this part a short name on a line of its own.'],
  ])('an error names its place and what helps: %j', (text, line, column, message) => {
    expect(errorsOf(text)).toEqual([
      { line, column, code: expect.any(String), message: expect.stringContaining(message) },
    ]);
  });

  test('a line without a name is called as its function, past names that are taken', () => {
    const text = 'exit2 = 1\nexit("A")\nexit("B")\nclose = exit2 + 1\nclose("C") when close > 1\n';
    const ids = visualOf(text).nodes.map(({ id }) => id);
    expect(ids.filter((id) => !String(id).includes('.'))).toEqual([
      'exit2',
      'exit',
      'exit3',
      'close',
      'close2',
    ]);
    expect(formatStrategy(text)).toEqual({ ok: true, text });
  });

  test('errors of several lines are listed at once, up to twenty', () => {
    expect(errorsOf('a = b\nc = d(\ne = 1\nf = g(e)').map(({ line }) => line)).toEqual([2, 1, 4]);
    expect(errorsOf('?\n'.repeat(500))).toHaveLength(20);
    expect(errorsOf('\n'.repeat(6_000))).toMatchObject([{ code: 'too_long' }]);
    expect(errorsOf('/'.repeat(300_000))).toMatchObject([{ code: 'too_long' }]);
  });

  test('any text is compiled or refused, without an exception, and what is compiled stays formatted', () => {
    const piece = fc.oneof(
      fc.constantFrom(...FUNCTIONS.keys(), ...Object.keys(OPERATORS)),
      fc.constantFrom(
        ...'( ) [ ] , : = .. " ` \\ // //@ param off when in true null a b 1 2.5 5m -'.split(' '),
      ),
      fc.constantFrom(
        ' ',
        '\n',
        '{"parts":{"a":{}}}',
        '0 0',
        'node {}',
        'graph {}',
        '__proto__',
        'constructor',
      ),
      fc.string({ maxLength: 3, unit: 'binary-ascii' }),
      fc.constantFrom('\u2028', '\ud800', 'ä', '𝄞'),
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    const spaced = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' '));
    fc.assert(
      fc.property(fc.oneof(text, spaced), (written) => {
        const first = formatStrategy(written);
        if (first.ok) expect(formatStrategy(first.text)).toEqual(first);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['sums', 1_000, (n: number) => `x = ${Array(n).fill('1').join(' + ')}`],
    ['calls', 200, (n: number) => `x = fallback(${Array(n).fill('ema(1, 2)').join()})`],
    ['open parentheses', 20_000, (n: number) => `x = ${'('.repeat(n)}`],
    ['quotes', 20_000, (n: number) => `x = ${'"a\\'.repeat(n)}`],
    ['comments', 1_000, (n: number) => '// a\n'.repeat(n)],
    [
      'names',
      300,
      (n: number) => Array.from({ length: n }, (_, i) => `x${i} = ema(x${i + 1}, 2)`).join('\n'),
    ],
    ['layout', 20_000, (n: number) => `x = 1 //@ 0 0 {"a":${'['.repeat(n)}`],
  ] as const)('work grows no faster than the text: %s', async (name, size, unit) => {
    await expectBoundedGrowth(name, size, (n) => formatStrategy(unit(n)));
  });
});
