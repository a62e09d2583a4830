/** Strategies written in TypeScript: the compiler checks settings and ports, and the result is the graph as JSON. */
import type { NodeTypes } from '../generated/nodes.ts';
import type { Signal } from '../signal.ts';

type Fields = Readonly<Record<string, unknown>>;
type Json = string | number | boolean | null | readonly unknown[] | Fields;

/** A strategy as a file holds it: `trading-strategy apply` takes it. */
export type Strategy = { id?: string; name: string; thesisId?: string; visual: unknown };

/** @property graph fields of the graph beside nodes and edges, such as `parameters` */
export type StrategyOptions = Omit<Strategy, 'visual'> & { edges?: EdgeStyle; graph?: Fields };

/** How edges are written: `named` as the editor does, with an id and the name of the output; `short` without both. */
export type EdgeStyle = 'named' | 'short';

/**
 * The look of a node, and whether it is switched off.
 *
 * @property at its place on the canvas
 * @property data further fields of its `data`
 * @property other further fields of the node
 */
export type NodeLook = {
  at?: readonly [x: number, y: number];
  label?: string;
  disabled?: boolean;
  data?: Fields;
  other?: Fields;
};

export type GraphBuilder = {
  /** Adds a node and returns its output. */
  node: <Type extends keyof NodeTypes>(
    id: string,
    type: Type,
    config: NodeTypes[Type]['config'],
    inputs?: NodeTypes[Type]['inputs'],
    look?: NodeLook,
  ) => Signal<NodeTypes[Type]['out']>;
  /** Adds an edge to a node that stands before its source. */
  connect: (from: Signal, to: Signal, port: string) => void;
  /** Adds a node or an edge as it is, unchecked: a note, for example. */
  rawNode: (node: unknown) => void;
  rawEdge: (edge: unknown) => void;
};

/** Returns the strategy that `build` makes, or the one with this graph. */
export function defineStrategy(
  { edges: style = 'named', graph = {}, ...about }: StrategyOptions,
  build: ((builder: GraphBuilder) => void) | Json,
): Strategy {
  if (typeof build !== 'function') return { ...about, visual: build };
  const nodes: unknown[] = [];
  const edges: unknown[] = [];
  build({
    node: (
      id: string,
      type: string,
      config: Fields,
      inputs: Readonly<Record<string, Signal | readonly Signal[] | undefined>> = {},
      look: NodeLook = {},
    ) => {
      nodes.push(nodeOf(id, type, config, look));
      for (const [port, sources = []] of Object.entries(inputs))
        for (const source of [sources].flat()) edges.push(edgeOf(style, source.id, id, port));
      return { id };
    },
    connect: (from: Signal, to: Signal, port: string) => edges.push(edgeOf(style, from.id, to.id, port)),
    rawNode: (node: unknown) => nodes.push(node),
    rawEdge: (edge: unknown) => edges.push(edge),
  });
  return { ...about, visual: { ...graph, nodes, edges } };
}

export function nodeOf(
  id: string,
  type: string,
  config: Fields,
  { at, label, disabled, data, other }: NodeLook,
): Fields {
  const texts = { ...(label !== undefined && { label }), ...(disabled !== undefined && { disabled }) };
  return {
    ...other,
    id,
    type,
    ...(at && { position: { x: at[0], y: at[1] } }),
    data: { ...data, ...texts, config },
  };
}

export function edgeOf(style: EdgeStyle, source: string, target: string, targetHandle: string): Fields {
  if (style === 'short') return { source, target, targetHandle };
  return { id: `${source}-${target}-${targetHandle}`, source, sourceHandle: 'out', target, targetHandle };
}
