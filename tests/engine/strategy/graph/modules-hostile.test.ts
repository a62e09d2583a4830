/** Modules that are hostile, or mistaken. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { draw, errorsOf, type NodeConfig, onlyError } from './graph-fixtures.ts';

const IN: NodeConfig = ['module.input', { kind: 'number' }];
const OUT: NodeConfig = ['module.output', { kind: 'boolean' }];
const ABOVE = draw(
  { price: IN, ten: ['constant', { value: 10 }], high: ['compare', { op: 'gt' }], up: OUT },
  [...['price -> high.a', 'ten -> high.b', 'high -> up.in']],
);
const using = (modules: unknown, nodes: Record<string, NodeConfig>, wires: string[] = []) => ({
  ...draw(nodes, wires),
  modules,
});
const PRICE: NodeConfig = ['crypto.price', { symbol: 'BTCUSDT' }];
const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `m${i + 1}`,
      i + 1 === length
        ? ABOVE
        : draw({ price: IN, in: [`module.m${i + 2}`], up: OUT }, ['price -> in.price', 'in -> up.in']),
    ]),
  );
/** Renames the output of the node `in`, which `draw` calls `out`. */
const named = (visual: ReturnType<typeof using>) =>
  JSON.parse(
    JSON.stringify(visual).replaceAll(
      '"source":"in","sourceHandle":"out"',
      '"source":"in","sourceHandle":"up"',
    ),
  );

describe('modules that cannot be', () => {
  test('four of them may be within each other, and five may not', () => {
    expect(errorsOf(named(using(chain(4), { p: PRICE, use: ['module.m1'] }, ['p -> use.price'])))).toEqual(
      [],
    );
    expect(
      onlyError(named(using(chain(5), { p: PRICE, use: ['module.m1'] }, ['p -> use.price']))),
    ).toMatchObject({
      code: 'modules_too_deep',
      path: '/modules/m4/nodes/1',
      message: expect.stringContaining('“m1” → “m2” → “m3” → “m4” → “m5”'),
    });
  });

  test('one within itself, directly or through others, is refused with its trail', () => {
    const modules = {
      a: draw({ in: ['module.b'] }),
      b: draw({ in: ['module.a'] }),
      c: draw({ in: ['module.c'] }),
    };
    expect(onlyError(using(modules, { use: ['module.a'] }))).toMatchObject({
      code: 'recursive_module',
      message: 'A module cannot contain itself: “a” → “b” → “a”.',
    });
    expect(onlyError(using(modules, { use: ['module.c'] })).code).toBe('recursive_module');
  });

  test('a bomb of uses, of nodes, of edges or of text is refused before it is expanded', () => {
    const uses = (name: string, count: number) =>
      draw(
        Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`u${i}`, [`module.${name}`] as NodeConfig]),
        ),
      );
    const codeOf = (visual: unknown) => [...new Set(errorsOf(visual).map(({ code }) => code))];
    expect(codeOf({ ...uses('a', 10_000), modules: { a: ABOVE } })).toContain('too_many_nodes');
    expect(codeOf({ ...uses('a', 10_000), modules: { a: { nodes: [] } } })).toEqual(['too_many_nodes']);
    const powers = { a: uses('b', 500), b: uses('c', 500), c: uses('d', 500), d: ABOVE };
    expect(codeOf({ ...uses('a', 500), modules: powers })).toContain('too_many_nodes');
    const wide = { nodes: ABOVE.nodes, edges: Array.from({ length: 3_000 }, () => ABOVE.edges[0]) };
    expect(codeOf({ ...uses('a', 60), modules: { a: wide } })).toContain('missing_input');
    const fed = using({ a: wide }, { p: PRICE, use: ['module.a'] });
    const feeds = Array.from({ length: 3_000 }, () => ({
      source: 'p',
      target: 'use',
      targetHandle: 'price',
    }));
    expect(codeOf({ ...fed, edges: feeds })).toContain('too_many_edges');
    const long = draw({ say: ['notify', { text: '{a}'.repeat(30_000) }] });
    expect(codeOf({ ...uses('a', 150), modules: { a: long } })).toEqual(['modules_too_large']);
  });

  test('names of every object are names like others', () => {
    const modules = JSON.parse(
      `{ "constructor": ${JSON.stringify(ABOVE)}, "toString": ${JSON.stringify(ABOVE)} }`,
    );
    const use: NodeConfig = ['module.constructor'];
    const nodes = Object.fromEntries([
      ['p', PRICE],
      ['constructor', use],
    ]);
    expect(errorsOf(using(modules, nodes, ['p -> constructor.price']))).toEqual([]);
    for (const name of ['__proto__', 'valueOf', 'input.x', ''])
      expect(onlyError(using(modules, { use: [`module.${name}`] }))).toMatchObject({
        code: 'unknown_module',
        path: '/nodes/0/type',
      });
    const proto = JSON.parse(`{ "__proto__": ${JSON.stringify(ABOVE)}, "a b": ${JSON.stringify(ABOVE)} }`);
    expect(onlyError(using(proto, { use: ['module.__proto__'] })).code).toBe('bad_module');
    expect(onlyError(using(proto, { use: ['module.a b'] })).code).toBe('bad_module');
  });

  test('each mistake is named once, at its place in the graph as written', () => {
    const at = (visual: unknown) => errorsOf(visual).map(({ code, path, nodeId }) => [code, path, nodeId]);
    const use: Record<string, NodeConfig> = { p: PRICE, one: ['module.a'], two: ['module.a'] };
    const both = ['p -> one.price', 'p -> two.price'];
    const bad = draw({ price: IN, mean: ['indicator', { kind: 'sma', period: 0 }] }, ['price -> mean']);
    expect(at(using({ a: bad }, use, both))).toContainEqual([
      ...['bad_setting', '/modules/a/nodes/1/data/config/period', 'one/mean'],
    ]);
    expect(at(using({ a: bad }, use, both)).filter(([code]) => code === 'bad_setting')).toHaveLength(1);
    expect(at(using({ a: ABOVE }, use, ['p -> one.price']))).toEqual([['missing_input', '/nodes/2', 'two']]);
    expect(at(using({ a: ABOVE }, use, [...both, 'p -> one.prize']))).toEqual([
      ['unknown_port', '/edges/2', 'one'],
    ]);
    const say: Record<string, NodeConfig> = { ...use, say: ['notify', { text: 'x' }] };
    expect(at(using({ a: ABOVE }, say, [...both, 'one -> say']))).toContainEqual([
      ...['unknown_port', '/edges/2', 'one'],
    ]);
    expect(at(using({ a: ABOVE }, { p: PRICE, u: ['module.a', { period: 3 }] }, ['p -> u.price']))).toEqual([
      ['unknown_setting', '/nodes/1/data/config/period', 'u'],
    ]);
    const bounded = { ...ABOVE, parameters: { level: { value: 3, min: 2, max: 5 } } };
    for (const level of [7, 'x', null, [1]])
      expect(at(using({ a: bounded }, { p: PRICE, u: ['module.a', { level }] }, ['p -> u.price']))).toEqual([
        ['bad_setting', '/nodes/1/data/config/level', 'u'],
      ]);
    expect(onlyError(using({ a: { ...ABOVE, nodes: 7 } }, { u: ['module.a'] })).code).toBe('bad_module');
    expect(onlyError(using(7, { p: PRICE })).code).toBe('not_modules');
    expect(onlyError(using({}, { x: ['module.output', { kind: 'number' }] })).code).toBe(
      'port_outside_module',
    );
    const loose = draw({ price: IN, up: OUT }, ['price -> up.in']);
    expect(onlyError(using({ a: loose }, { p: PRICE, u: ['module.a'] }, ['p -> u.price'])).code).toBe(
      'bad_output',
    );
    const kind = draw({ price: ['module.input', { kind: 'text' }] });
    expect(onlyError(using({ a: kind }, { u: ['module.a'] })).code).toBe('bad_port');
  });

  test('the kinds of ports hold on both sides of them', () => {
    const wires = ['p -> u.price'];
    const lies = {
      ...ABOVE,
      nodes: ABOVE.nodes.map((node) =>
        node.id === 'price' ? { ...node, data: { ...node.data, config: { kind: 'boolean' } } } : node,
      ),
    };
    expect(errorsOf(using({ a: lies }, { p: PRICE, u: ['module.a'] }, wires))[0]).toMatchObject({
      code: 'kind_mismatch',
      message: '“p” gives a number, but the port “price” takes true or false.',
    });
  });

  test('an id that is too long, or that of another node, is refused', () => {
    const long = 'x'.repeat(62);
    expect(
      errorsOf(using({ a: ABOVE }, { p: PRICE, [long]: ['module.a'] }, [`p -> ${long}.price`]))[0],
    ).toMatchObject({
      code: 'bad_id',
    });
    expect(
      errorsOf(using({ a: ABOVE }, { p: PRICE, 'u/high': PRICE, u: ['module.a'] }, ['p -> u.price'])).map(
        ({ code }) => code,
      ),
    ).toContain('duplicate_id');
    expect(compile(using({ a: ABOVE }, { p: PRICE })).issues).toMatchObject([
      { code: 'unused_module', severity: 'warning' },
    ]);
  });
});
