import { type EditorGraph, isFields } from './model.ts';

const NAMES = ['instrument', 'symbol'] as const;

/** The instruments that the settings of a graph name, each once; none of what is no graph. */
export function instrumentsIn(visual: unknown): string[] {
  const nodes = isFields(visual) && Array.isArray(visual['nodes']) ? visual['nodes'] : [];
  return [...new Set(nodes.flatMap(namedBy))];
}

function namedBy(node: unknown): string[] {
  const data = isFields(node) ? node['data'] : undefined;
  const config = isFields(data) ? data['config'] : undefined;
  if (!isFields(config)) return [];
  return NAMES.map((name) => config[name]).filter(isName);
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The graph with one instrument replaced by another. */
export const withInstrument = (graph: EditorGraph, from: string, to: string): EditorGraph => ({
  ...graph,
  nodes: graph.nodes.map((node) => {
    const { config } = node.data;
    if (config === undefined) return node;
    const changed = NAMES.filter((name) => config[name] === from).map((name) => [name, to]);
    return { ...node, data: { ...node.data, config: { ...config, ...Object.fromEntries(changed) } } };
  }),
});
