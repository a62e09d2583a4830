import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import { readCatalogue } from '../../routers/console/strategies/node-types.ts';
import { formatClipboard, parseClipboard } from '../../web/src/editor/drawing/clipboard.ts';
import { compareGraphs } from '../../web/src/editor/drawing/compare.ts';
import { readGraph, writeGraph } from '../../web/src/editor/drawing/json.ts';
import { catalogueOf, type EditorGraph } from '../../web/src/editor/drawing/model.ts';
import { withCarried } from '../../web/src/editor/drawing/modules/carry.ts';
import { dissolveModule, extractModule } from '../../web/src/editor/drawing/modules/extract.ts';
import {
  issueWithin,
  statesWithin,
  wholeGraphOf,
  withClosed,
  withModuleRenamed,
  withOpened,
} from '../../web/src/editor/drawing/modules/open.ts';
import {
  moduleNameFault,
  modulesBehind,
  modulesOf,
  newModuleName,
  withModules,
} from '../../web/src/editor/drawing/modules/types.ts';
import { moduleVersion } from '../../web/src/editor/drawing/modules/version.ts';
import { portsOf } from '../../web/src/editor/drawing/ports.ts';
import { graph, randomOf } from '../engine/strategy/graph/arbitraries.ts';
import { draw, type Visual } from '../engine/strategy/graph/graph-fixtures.ts';

/** As the browser reads it. */
const CATALOGUE = catalogueOf(JSON.parse(JSON.stringify(readCatalogue())));

/** Makes a module of nodes and writes it into the graph. */
function extracted(drawing: EditorGraph, ids: readonly string[]): { made: EditorGraph; id: string } | null {
  const found = extractModule(drawing, ids, { catalogue: CATALOGUE, taken: {} });
  if (found === null) return null;
  const { nodes, edges, rest, name, module, use } = found;
  return { made: { nodes, edges, rest: { ...rest, modules: { [name]: module } } }, id: use.id };
}
const read = (visual: Visual) => readGraph(JSON.parse(JSON.stringify(visual)));
const errorsOf = (visual: unknown) =>
  compile(visual).issues.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));

const CROSSING = read({
  ...draw(
    {
      close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }],
      quick: ['indicator', { kind: 'sma', period: { parameter: 'fast' } }],
      calm: ['indicator', { kind: 'sma', period: 9 }],
      up: ['compare', { op: 'crossesAbove' }],
      say: ['notify', { text: 'Up' }],
    },
    ['close -> quick', 'close -> calm', 'quick -> up.a', 'calm -> up.b', 'up -> say'],
  ),
  ...{ parameters: { fast: { value: 3, min: 2 } } },
});

describe('modules of a drawing', () => {
  test('are made of any nodes, run as these did, and are dissolved again', () => {
    fc.assert(
      fc.property(graph, fc.nat(), (visual, seed) => {
        const random = randomOf(seed);
        const ids = visual.nodes.map(({ id }) => id).filter(() => random() < 0.5);
        const drawing = read(visual);
        const made = extracted(drawing, ids);
        if (made === null) return;
        const { plan, issues } = compile(writeGraph(made.made));
        // Baskets and alternatives across the border of a module are no longer the same.
        if (/"(basket|oneCancelsOther)"/.test(JSON.stringify(visual))) return;
        expect(plan?.nodeIds.length, JSON.stringify(issues)).toBe(visual.nodes.length);
        const back = dissolveModule(made.made, made.id, modulesOf(made.made.rest));
        if (back === null) throw new Error('There is no module.');
        const again = compile(writeGraph({ ...back, rest: {} }));
        expect(new Set(again.plan?.nodeIds)).toEqual(new Set(visual.nodes.map(({ id }) => id)));
        expect(again.plan?.reads.flat().length).toBe(compile(visual).plan?.reads.flat().length);
      }),
      { numRuns: 100 },
    );
  });

  test('take the parameters along that their nodes refer to', () => {
    const found = extracted(CROSSING, ['quick', 'calm', 'up']);
    const use = found?.made.nodes.find(({ id }) => id === found.id);
    expect(use).toMatchObject({ type: 'module.part', data: { config: { fast: { parameter: 'fast' } } } });
    expect(modulesOf(found?.made.rest ?? {})['part']).toMatchObject({
      parameters: { fast: { value: 3, min: 2 } },
    });
    expect(errorsOf(found && writeGraph(found.made))).toEqual([]);
    const types = withModules(CATALOGUE, modulesOf(found?.made.rest ?? {}), []).types;
    const { inputs, outputs } = portsOf(types.get('module.part'), {});
    expect(inputs.map(({ name, kind }) => [name, kind])).toEqual([['in', 'number']]);
    expect(outputs.map(({ name, kind }) => [name, kind])).toEqual([['out', 'boolean']]);
  });

  test('are opened and edited in place, and an open one that is not edited changes nothing', () => {
    const { made, id } = extracted(CROSSING, ['quick', 'calm', 'up']) ?? { made: CROSSING, id: '' };
    const opened = withOpened({ ...made, trail: [] }, id);
    if (opened === null) throw new Error('There is no module.');
    expect(wholeGraphOf(opened)).toBe(opened.trail[0]?.graph);
    const edited = { ...opened, nodes: opened.nodes.filter((node) => node.id !== 'calm') };
    const closed = withClosed(edited, 0);
    expect(closed.trail).toEqual([]);
    expect(JSON.stringify(modulesOf(closed.rest)['part'])).not.toContain('"id":"calm"');
    const { steps } = compareGraphs(made, closed, CATALOGUE);
    expect(steps).toMatchObject([
      {
        id,
        change: 'changed',
        details: [expect.stringMatching(/^Version of its module: [0-9a-f]{8} → [0-9a-f]{8}$/)],
      },
    ]);
    expect(statesWithin({ 'part/up': 1, close: 2 }, opened.trail)).toEqual({ up: 1 });
    const issue = { code: 'x', severity: 'error' as const, message: '', nodeId: 'part/up' };
    const index = opened.nodes.findIndex((node) => node.id === 'up');
    const path = `/modules/part/nodes/${index}/data`;
    expect(issueWithin({ ...issue, path }, opened).nodeId).toBe('up');
    expect(issueWithin({ ...issue, path }, { nodes: made.nodes, trail: [] }).nodeId).toBe('part');
  });

  test('keep the mentions of their nodes in texts, on both sides of their border, and give them back', () => {
    const drawing = read(
      draw(
        {
          ...{ a: ['constant', { value: 1 }], b: ['constant', { value: 2 }], up: ['compare', { op: 'gt' }] },
          ...{ say: ['notify', { text: '{a} {b} {up}' }], other: ['notify', { text: '{a} {b} {gone}' }] },
        },
        ['a -> up.a', 'b -> up.b', 'up -> say', 'up -> other'],
      ),
    );
    const textsOf = ({ nodes }: EditorGraph) => nodes.flatMap(({ data }) => data.config?.['text'] ?? []);
    const found = extracted(drawing, ['b', 'up', 'say']);
    const modules = modulesOf(found?.made.rest ?? {});
    expect(found && textsOf(found.made)).toEqual(['{a} {part/b} {gone}']);
    expect(textsOf(readGraph(modules['part']))).toEqual(['{a} {b} {up}']);
    const codes = errorsOf(found && writeGraph(found.made));
    expect(codes).toEqual(errorsOf(writeGraph(drawing)));
    const back = found && dissolveModule(found.made, found.id, modules);
    expect(back && textsOf(back)).toEqual(textsOf(drawing));
  });

  test('get names of their own, which the service allows', () => {
    expect(newModuleName('part', {})).toBe('part');
    expect(newModuleName('part', { part: 1, part2: 1 })).toBe('part3');
    const long = 'x'.repeat(40);
    expect(newModuleName(long, { [long]: 1 })).toBe(`${'x'.repeat(39)}2`);
    expect(newModuleName('constructor', {})).toBe('constructor');
    for (const name of [
      'part',
      'P_2',
      long,
      'constructor',
      'input',
      'output',
      '2x',
      'a b',
      `${long}x`,
      'ä',
      '',
    ])
      expect(moduleNameFault(name, []) === null, name).toBe(
        !errorsOf({
          nodes: [{ id: 'u', type: `module.${name}` }],
          edges: [],
          modules: { [name]: { nodes: [], edges: [] } },
        }).some((code) => code === 'bad_module' || code === 'port_outside_module'),
      );
    expect(moduleNameFault('part', ['part'])).toContain('another module');
  });

  test('are renamed with every node that uses them, while they are open', () => {
    const { made, id } = extracted(CROSSING, ['quick', 'calm', 'up']) ?? { made: CROSSING, id: '' };
    const outer = { nodes: [{ id: 'in', type: 'module.part' }], edges: [] };
    const both = { ...made, rest: { ...made.rest, modules: { ...modulesOf(made.rest), outer } } };
    const opened = withOpened({ ...both, trail: [] }, id);
    if (opened === null) throw new Error('There is no module.');
    const renamed = withModuleRenamed(opened, 'part', 'trend');
    expect(renamed.trail.map(({ name }) => name)).toEqual(['trend']);
    expect(renamed.nodes.map((node) => node.id)).toEqual(opened.nodes.map((node) => node.id));
    const whole = wholeGraphOf(renamed);
    expect(JSON.stringify(whole)).not.toContain('module.part');
    expect(Object.keys(modulesOf(whole.rest))).toEqual(['trend', 'outer']);
    expect(errorsOf(writeGraph(whole))).toEqual([]);
  });

  test('have a version by content: that of what is within, and not of its layout or name', () => {
    const inner = draw({ one: ['constant', { value: 1 }] });
    const outer = draw({ use: ['module.inner'] });
    const modules = JSON.parse(JSON.stringify({ inner, outer }));
    const version = moduleVersion('outer', modules);
    expect(version).toMatch(/^[0-9a-f]{8}$/);
    const changed = (from: string, to: string) => JSON.parse(JSON.stringify(modules).replaceAll(from, to));
    expect(moduleVersion('outer', changed('"value":1', '"value":2'))).not.toBe(version);
    expect(moduleVersion('outer', changed('"y":', '"y":7'))).toBe(version);
    expect(moduleVersion('outside', changed('"outer"', '"outside"'))).toBe(version);
    expect(moduleVersion('constructor', modules)).toBeNull();
  });

  test('come along with copied nodes, under a new name where theirs is another module', () => {
    const modules = JSON.parse(
      JSON.stringify({
        inner: draw({ one: ['constant', { value: 1 }] }),
        outer: draw({ use: ['module.inner'] }),
        unused: draw({}),
      }),
    );
    const node = (type: string) => read(draw({ u: [type] })).nodes;
    const carried = modulesBehind(node('module.outer'), modules);
    expect(Object.keys(carried).sort()).toEqual(['inner', 'outer']);
    const clip = { nodes: node('module.outer'), edges: [], groups: [], modules: carried };
    expect(parseClipboard(formatClipboard(clip))).toEqual(clip);
    const into = (present: object) => withCarried(clip.nodes, carried, { ...present });
    expect(into({})).toEqual({ nodes: clip.nodes, modules: carried });
    expect(into(modules)).toEqual({ nodes: clip.nodes, modules: {} });
    const other = { ...modules, inner: draw({ one: ['constant', { value: 7 }] }) };
    const pasted = into(other);
    expect(pasted.nodes.map(({ type }) => type)).toEqual(['module.outer2']);
    expect(pasted.modules).toEqual({
      inner2: modules.inner,
      outer2: { ...modules.outer, nodes: [{ ...modules.outer.nodes[0], type: 'module.inner2' }] },
    });
  });
});
