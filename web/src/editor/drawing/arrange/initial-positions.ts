import type { Edge, Node } from '../model.ts';
import { noteSizeOf } from '../note-size.ts';

/** Between two columns there is room for the values on their edges. */
const PITCH = { x: 312, y: 120 };
const BELOW_NOTE_PX = 20;
const NOTE = 'note';

type Placed = Pick<Node, 'id' | 'type' | 'data'>;

type Position = { x: number; y: number };
export type Positions = ReadonlyMap<string, Position>;

/** Moves these nodes to their new positions; nodes without one stay. */
export const withPositions = (nodes: readonly Node[], positions: Positions): readonly Node[] =>
  nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position }));

/**
 * Positions for nodes that a graph gives none: columns along the edges, from left to right. Each node is as near as possible to
 * the row of its inputs. The same graph is always laid out the same way, so that opening it is no edit.
 */
export function initialPositions(
  nodes: readonly Placed[],
  edges: readonly Pick<Edge, 'source' | 'target'>[],
  top: number,
): Map<string, Position> {
  const sources = Map.groupBy(edges, ({ target }) => target);
  const positions = new Map<string, Position>();
  const columns = Map.groupBy(nodes, columnsAlong(sources));
  for (const [column, members] of [...columns].sort(([one], [other]) => one - other)) {
    const heightOf = ({ id }: Placed) => {
      const above = (sources.get(id) ?? []).flatMap(({ source }) => positions.get(source)?.y ?? []);
      return above.length === 0 ? 0 : above.reduce((sum, y) => sum + y, 0) / above.length;
    };
    let row = 0;
    const sorted = members
      .map((node) => ({ node, height: heightOf(node) }))
      .sort((one, other) => one.height - other.height);
    for (const { node } of sorted) {
      positions.set(node.id, { x: column * PITCH.x, y: top + row * PITCH.y });
      row += rowsOf(node);
    }
  }
  return positions;
}

/** The rows that a node takes: a note may be higher than one. */
const rowsOf = ({ type, data }: Placed): number =>
  type === NOTE ? Math.ceil((noteSizeOf(data.label).height + BELOW_NOTE_PX) / PITCH.y) : 1;

/** The length of the longest path to a node. A circle, which only a memory may close, counts once. */
function columnsAlong(sources: ReadonlyMap<string, readonly Pick<Edge, 'source'>[]>) {
  const known = new Map<string, number>();
  const columnOf = (id: string): number => {
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, 0);
    const column = (sources.get(id) ?? []).reduce(
      (longest, { source }) => Math.max(longest, columnOf(source) + 1),
      0,
    );
    known.set(id, column);
    return column;
  };
  return ({ id }: Pick<Node, 'id'>) => columnOf(id);
}
