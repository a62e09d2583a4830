import { t } from '../../language/language.ts';
import { initialPositions } from './arrange/initial-positions.ts';
import { type Edge, type EditorGraph, EMPTY_GRAPH, isFields, type Node } from './model.ts';

/**
 * Reads any JSON as a graph; values that are no node or edge are left out of the picture. Nodes without a position are laid out
 * below those that have one.
 */
export function readGraph(visual: unknown): EditorGraph {
  if (!isFields(visual)) return EMPTY_GRAPH;
  const { nodes: listed, edges: links, ...rest } = visual;
  const read = Array.isArray(listed) ? listed.flatMap(readNode) : [];
  const ids = new Set(read.map(({ id }) => id));
  const edges = (Array.isArray(links) ? links.flatMap(readEdge) : []).filter(
    ({ source, target }) => ids.has(source) && ids.has(target),
  );
  return { nodes: placed(read, edges), edges, rest };
}

type Position = Node['position'];
const NOWHERE: Position = { x: 0, y: 0 };
const BELOW_PX = 160;

function placed(nodes: readonly Node[], edges: readonly Edge[]): Node[] {
  const unpositioned = nodes.filter(({ position }) => position === NOWHERE);
  const bottom = Math.max(
    -BELOW_PX,
    ...nodes.flatMap(({ position }) => (position === NOWHERE ? [] : position.y)),
  );
  const positions = initialPositions(unpositioned, edges, bottom + BELOW_PX);
  return nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position }));
}

function readNode(value: unknown): Node[] {
  if (!isFields(value) || typeof value['id'] !== 'string') return [];
  const { position, data, type } = value;
  return [
    {
      ...value,
      id: value['id'],
      type: typeof type === 'string' ? type : 'note',
      position: readPosition(position),
      data: isFields(data) ? { ...data } : {},
    },
  ];
}

function readPosition(position: unknown): Position {
  if (!isFields(position)) return NOWHERE;
  const { x, y } = position;
  return typeof x === 'number' && Number.isFinite(x) && typeof y === 'number' && Number.isFinite(y)
    ? { x, y }
    : NOWHERE;
}

function readEdge(value: unknown, index: number): Edge[] {
  if (!isFields(value)) return [];
  const { id, source, target, sourceHandle, targetHandle } = value;
  if (typeof source !== 'string' || typeof target !== 'string') return [];
  return [
    {
      ...value,
      id: typeof id === 'string' ? id : `edge-${index}`,
      source,
      target,
      sourceHandle: typeof sourceHandle === 'string' ? sourceHandle : null,
      targetHandle: typeof targetHandle === 'string' ? targetHandle : null,
    },
  ];
}

/** The reason why some JSON would lose or mix up data as a graph, or null. */
export function graphFault(visual: unknown): string | null {
  if (!isFields(visual)) return t('Not a strategy: it has to be an object with `nodes` and `edges`.');
  const { nodes: listed, edges: links } = visual;
  if (!Array.isArray(listed) || !Array.isArray(links))
    return t('Not a strategy: `nodes` and `edges` have to be lists.');
  const { nodes, edges } = readGraph(visual);
  if (nodes.length < listed.length) return t('Each node has to be an object with an `id`.');
  const ids = new Set(nodes.map(({ id }) => id));
  const twice = nodes.find(({ id }) => !ids.delete(id));
  if (twice) return t('Two nodes have the id “{id}”.', { id: twice.id });
  const names = new Set(edges.map(({ id }) => id));
  if (names.size < edges.length) return t('Two edges have the same id.');
  return edges.length < links.length
    ? t('Each edge has to lead from the `source` of one node here to the `target` of another.')
    : null;
}

/** The graph in its stored form. */
export const writeGraph = ({ nodes, edges, rest }: EditorGraph) => ({ ...rest, nodes, edges });

/** The same text for equal values, whatever the order of their fields. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isFields(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  ) ?? '';
