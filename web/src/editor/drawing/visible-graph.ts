import { type Group, groupNodeId } from './groups.ts';
import type { Catalogue, Edge, Node } from './model.ts';
import { type Box, boundsOf, boxOf } from './view.ts';

/** The space between a frame and its steps: its head is above them. */
export const FRAME_PX = { side: 20, top: 50 } as const;

/** A group on the canvas: a frame around its steps, or one card in their place. */
export type VisibleGroup = { group: Group; nodeId: string; isFolded: boolean; box: Box };
/** A visible edge; its ends in the graph are in `of`. */
export type VisibleEdge = Edge & { of: Edge };
export type VisibleGraph = {
  /** Steps that are not within a folded group. */
  nodes: readonly Node[];
  groups: readonly VisibleGroup[];
  /** Edges that are not within a folded group; those across its border end at its card. */
  edges: readonly VisibleEdge[];
};

/** The type of a group's card where cards are treated as nodes. */
export const FOLDED = 'folded';

/** The visible nodes and edges of a graph while some of its groups are folded. */
export function visibleGraphOf(
  { nodes, edges }: { nodes: readonly Node[]; edges: readonly Edge[] },
  groups: readonly Group[],
  isFolded: (group: Group) => boolean,
  catalogue: Catalogue,
): VisibleGraph {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const within = new Map<string, string>();
  const visible = groups.flatMap((group): VisibleGroup[] => {
    const bounds = boundsOf(
      group.members.flatMap((id) => byId.get(id) ?? []).map((node) => boxOf(node, catalogue)),
    );
    if (!bounds) return [];
    const nodeId = groupNodeId(group.id);
    const frame = {
      x: bounds.x - FRAME_PX.side,
      y: bounds.y - FRAME_PX.top,
      width: bounds.width + 2 * FRAME_PX.side,
      height: bounds.height + FRAME_PX.top + FRAME_PX.side,
    };
    if (!isFolded(group)) return [{ group, nodeId, isFolded: false, box: frame }];
    for (const id of group.members) within.set(id, nodeId);
    return [{ group, nodeId, isFolded: true, box: boxOf(cardOf(nodeId, frame), catalogue) }];
  });
  return {
    nodes: nodes.filter(({ id }) => !within.has(id)),
    groups: visible,
    edges: edges.flatMap((edge) => visibleEdge(edge, within)),
  };
}

function visibleEdge(edge: Edge, within: ReadonlyMap<string, string>): VisibleEdge[] {
  const [from, to] = [within.get(edge.source), within.get(edge.target)];
  if (from !== undefined && from === to) return [];
  return [
    {
      ...edge,
      ...(from !== undefined && { source: from, sourceHandle: 'out' }),
      ...(to !== undefined && { target: to, targetHandle: 'in' }),
      of: edge,
    },
  ];
}

const cardOf = (id: string, { x, y }: { x: number; y: number }): Node => ({
  id,
  type: FOLDED,
  position: { x, y },
  data: {},
});

/** The bounds of everything visible: frames and cards of groups extend beyond their steps. */
export const boundsOfVisible = ({ nodes, groups }: VisibleGraph, catalogue: Catalogue): Box | null =>
  boundsOf([...nodes.map((node) => boxOf(node, catalogue)), ...groups.map(({ box }) => box)]);

/** Whether a group is shown as one card: as stored, unless a user who may not edit has folded or unfolded it on screen. */
export const isFoldedIn =
  (folds: ReadonlyMap<string, boolean>) =>
  ({ id, isCollapsed }: Group): boolean =>
    folds.get(id) ?? isCollapsed;

/** The visible nodes as one graph, with the cards of folded groups among them. */
export const graphOf = ({
  nodes,
  groups,
  edges,
}: VisibleGraph): { nodes: readonly Node[]; edges: readonly Edge[] } => ({
  nodes: [
    ...nodes,
    ...groups.filter(({ isFolded }) => isFolded).map(({ nodeId, box }) => cardOf(nodeId, box)),
  ],
  edges,
});

/** The steps that ids of the canvas stand for. */
export const stepIdsOf = (ids: readonly string[], groups: readonly Group[]): string[] => {
  const byId = new Map(groups.map(({ id, members }) => [groupNodeId(id), members]));
  return [...new Set(ids.flatMap((id) => byId.get(id) ?? [id]))];
};
