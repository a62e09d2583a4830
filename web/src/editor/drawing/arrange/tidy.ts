import { type Group, groupNodeId } from '../groups.ts';
import type { Catalogue, Edge, Node } from '../model.ts';
import { type Box, boundsOf, boxOf } from '../view.ts';
import { FOLDED, FRAME_PX, visibleGraphOf } from '../visible-graph.ts';
import { type Positions, withPositions } from './initial-positions.ts';
import { layOut, type Size } from './layout.ts';

type Position = Node['position'];
type Graph = { nodes: readonly Node[]; edges: readonly Edge[] };
type TidyOptions = { isFolded: (group: Group) => boolean; catalogue: Catalogue };

const NOTES_APART_PX = 20;
/** A graph settles after two or three rounds. */
const ROUNDS_MAX = 20;

/**
 * Positions that make a graph easy to read: sources left of their targets, and the steps of a group together. Each group is one
 * box among the others, as large as it is shown. Notes outside of groups keep their positions; those that would cover something
 * are moved above all of it.
 *
 * A round keeps the present order of boxes, and so may change the result of the next. Rounds repeat until one changes nothing.
 * If they cycle, the position text that sorts first wins, whatever the start. So a tidy graph stays as it is.
 */
export function tidyGraph(
  { nodes, edges }: Graph,
  groups: readonly Group[],
  options: TidyOptions,
): Positions {
  const rounds: { positions: Positions; text: string }[] = [];
  let now = nodes;
  while (rounds.length < ROUNDS_MAX) {
    const positions = round({ nodes: now, edges }, groups, options);
    const text = textOf(positions);
    const start = rounds.findIndex((each) => each.text === text);
    const circle =
      start < 0 ? [] : rounds.slice(start).sort((one, other) => (one.text < other.text ? -1 : 1));
    if (circle[0]) return circle[0].positions;
    rounds.push({ positions, text });
    now = withPositions(now, positions);
  }
  return rounds.at(-1)?.positions ?? new Map();
}

const textOf = (positions: Positions): string =>
  JSON.stringify([...positions].sort(([one], [other]) => (one < other ? -1 : 1)));

function round({ nodes, edges }: Graph, groups: readonly Group[], options: TidyOptions): Positions {
  const { catalogue, isFolded } = options;
  // Seen from outside, every group is one box, folded or not.
  const outside = visibleGraphOf({ nodes, edges }, groups, () => true, catalogue);
  const within = new Map<string, Positions>();
  const frames = new Map<string, Size>();
  for (const group of groups) {
    const members = nodes.filter(({ id }) => group.members.includes(id));
    const { at, size } = positionsWithin(members, edges, catalogue);
    within.set(groupNodeId(group.id), at);
    if (!isFolded(group)) frames.set(groupNodeId(group.id), size);
  }
  const cards = outside.groups.map(
    ({ nodeId, box }): Node => ({ id: nodeId, type: FOLDED, position: { x: box.x, y: box.y }, data: {} }),
  );
  const steps = outside.nodes.filter(({ type }) => !catalogue.notes.has(type));
  const sizeOf = (node: Node): Size => frames.get(node.id) ?? boxOf(node, catalogue);
  const positions = layOut([...steps, ...cards], outside.edges, sizeOf);
  const boxes = [...steps, ...cards].map((node): Box => {
    const { width, height } = sizeOf(node);
    return { ...(positions.get(node.id) ?? node.position), width, height };
  });
  for (const [nodeId, members] of within) {
    const corner = positions.get(nodeId);
    positions.delete(nodeId);
    for (const [id, { x, y }] of members)
      if (corner) positions.set(id, { x: corner.x + FRAME_PX.side + x, y: corner.y + FRAME_PX.top + y });
  }
  moveNotes(
    outside.nodes.filter(({ type }) => catalogue.notes.has(type)),
    boxes,
    positions,
    catalogue,
  );
  return positions;
}

/** Moves each note that covers a box, or an earlier note, above all of them. */
function moveNotes(
  notes: readonly Node[],
  others: readonly Box[],
  positions: Map<string, Position>,
  catalogue: Catalogue,
): void {
  const taken = [...others];
  for (const note of notes.toSorted((one, other) => one.position.y - other.position.y)) {
    const box = boxOf(note, catalogue);
    if (taken.some((other) => isOver(box, other))) {
      const top = Math.min(...taken.map(({ y }) => y));
      box.x = Math.min(...taken.map(({ x }) => x));
      box.y = Math.floor((top - NOTES_APART_PX - box.height) / 10) * 10;
    }
    positions.set(note.id, { x: box.x, y: box.y });
    taken.push(box);
  }
}

const isOver = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** Positions from the upper left of a group's inside, its notes below its steps, and the size of its frame. */
function positionsWithin(
  members: readonly Node[],
  edges: readonly Edge[],
  catalogue: Catalogue,
): { at: Positions; size: Size } {
  const isNote = ({ type }: Node) => catalogue.notes.has(type);
  const steps = members.filter((node) => !isNote(node));
  const laid = withPositions(
    steps,
    layOut(steps, edges, (node) => boxOf(node, catalogue)),
  );
  const height = boundsOf(laid.map((node) => boxOf(node, catalogue)))?.height;
  const top = height === undefined ? 0 : Math.ceil((height + NOTES_APART_PX) / 10) * 10;
  const placed = [...fromCorner(laid, catalogue, 0), ...fromCorner(members.filter(isNote), catalogue, top)];
  const bounds = boundsOf(placed.map((node) => boxOf(node, catalogue)));
  return {
    at: new Map(placed.map(({ id, position }): [string, Position] => [id, position])),
    size: {
      width: (bounds?.width ?? 0) + 2 * FRAME_PX.side,
      height: (bounds?.height ?? 0) + FRAME_PX.side + FRAME_PX.top,
    },
  };
}

/** These nodes in their relative positions, with their upper left at the side and at `top`. */
function fromCorner(nodes: readonly Node[], catalogue: Catalogue, top: number): Node[] {
  const bounds = boundsOf(nodes.map((node) => boxOf(node, catalogue)));
  if (bounds === null) return [];
  return nodes.map((node) => {
    const { x, y } = node.position;
    return { ...node, position: { x: Math.round(x - bounds.x), y: Math.round(y - bounds.y) + top } };
  });
}
