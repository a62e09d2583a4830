import { nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import type { OutputPort } from '../../../../engine/strategy/graph/nodes/node.ts';
import type { Visual } from './graph-fixtures.ts';

export type ModularGraph = Visual & { parameters?: object; modules?: Record<string, unknown> };

/** Puts a random part of a graph into modules within each other, used twice; and draws the same by hand. */
export function withModule(
  { nodes, edges }: Visual,
  random: () => number,
  depth: number,
): { modular: ModularGraph; hand: Visual } {
  const inside = new Set(nodes.filter(() => random() < 0.5).map(({ id }) => id));
  const inner = nodes.filter(({ id }) => inside.has(id));
  const outer = nodes.filter(({ id }) => !inside.has(id));
  const kindOf = (id: string) => {
    const node = nodes.find((each) => each.id === id);
    const settings = Object(node?.data.config);
    const has = ({ when }: OutputPort) =>
      when === undefined || when.in.includes(String(settings[when.setting]));
    return nodeTypes.get(node?.type ?? '')?.outputs.find(has)?.kind ?? 'number';
  };
  const entering = edges.filter(({ source, target }) => !inside.has(source) && inside.has(target));
  const leaving = edges.filter(({ source, target }) => inside.has(source) && !inside.has(target));
  const inputs = Map.groupBy(entering, ({ source }) => source);
  const outputs = Map.groupBy(leaving, ({ source }) => source);
  const port = (type: string, id: string, kind: string) => ({
    ...{ id, type: `module.${type}`, position: { x: 0, y: 0 } },
    data: { label: id, config: { kind } },
  });
  const ports = [
    ...[...inputs.keys()].map((source) => port('input', `in-${source}`, kindOf(source))),
    ...[...outputs.keys()].map((source) => port('output', `out-${source}`, kindOf(source))),
  ];
  const withinModule = (edge: Visual['edges'][number]) => [
    ...(inside.has(edge.source) && inside.has(edge.target) ? [edge] : []),
    ...(!inside.has(edge.source) && inside.has(edge.target)
      ? [{ ...edge, source: `in-${edge.source}` }]
      : []),
  ];
  const ends = [...outputs.keys()].map((source) => ({
    ...{ id: `to-${source}`, source, sourceHandle: 'out', target: `out-${source}`, targetHandle: 'in' },
  }));
  const modules: Record<string, unknown> = {
    m1: { nodes: [...ports, ...inner], edges: [...edges.flatMap(withinModule), ...ends] },
  };
  for (let level = 2; level <= depth; level++)
    modules[`m${level}`] = {
      nodes: [...ports, { id: 'u', type: `module.m${level - 1}` }],
      edges: ports.map(({ id, type }) =>
        type === 'module.input'
          ? { source: id, target: 'u', targetHandle: id }
          : { source: 'u', sourceHandle: id, target: id },
      ),
    };
  const use = (id: string) => ({
    ...{ id, type: `module.m${depth}`, position: { x: 0, y: 0 }, data: { label: id, config: {} } },
  });
  const around = edges.flatMap((edge) => {
    if (inside.has(edge.source) && inside.has(edge.target)) return [];
    if (inside.has(edge.source)) return [{ ...edge, source: 'one', sourceHandle: `out-${edge.source}` }];
    return inside.has(edge.target) ? [] : [edge];
  });
  const feeds = ['one', 'two'].flatMap((id) =>
    [...inputs.keys()].map((source) => ({
      ...{ id: `${source}-${id}`, source, sourceHandle: 'out', target: id, targetHandle: `in-${source}` },
    })),
  );
  const modular = {
    nodes: [use('one'), ...outer, use('two')],
    edges: [...around, ...feeds],
    modules,
  };
  const deep = 'u/'.repeat(depth - 1);
  const copy = (name: string) => {
    const named = (id: string) => (inside.has(id) ? `${name}/${deep}${id}` : id);
    return {
      nodes: inner.map((node) => {
        const text = JSON.stringify(node.data.config).replaceAll(/\{(n\d+)\}/g, (all, id: string) =>
          inside.has(id) ? `{${named(id)}}` : all,
        );
        const config = JSON.parse(text);
        for (const setting of ['basket', 'oneCancelsOther'])
          if (setting in config) config[setting] = `${name}/${deep}${config[setting]}`;
        const label = [name, ...Array(depth - 1).fill('u'), node.data.label].join(' › ');
        return { ...node, id: named(node.id), data: { label, config } };
      }),
      edges: edges
        .filter(({ target }) => inside.has(target))
        .map((edge) => ({ ...edge, source: named(edge.source), target: named(edge.target) })),
    };
  };
  const [one, two] = [copy('one'), copy('two')];
  const hand = {
    nodes: [...one.nodes, ...outer, ...two.nodes],
    edges: [
      ...edges
        .filter(({ target }) => !inside.has(target))
        .map((edge) => (inside.has(edge.source) ? { ...edge, source: `one/${deep}${edge.source}` } : edge)),
      ...one.edges,
      ...two.edges,
    ],
  };
  return { modular, hand };
}
