import type { EdgeChange, Node as FlowNode, NodeChange } from '@xyflow/react';
import type { MouseEvent } from 'react';
import { groupsOf } from '../drawing/groups.ts';
import { stepIdsOf, type VisibleGraph } from '../drawing/visible-graph.ts';
import { moveNodes, select, useEditor } from '../store.ts';

type Position = { x: number; y: number };

/** Keeps the changes that are edits: the end of a drag, a move by an arrow key, and the selection. */
export function commitChanges(changes: readonly NodeChange[], { groups }: VisibleGraph): void {
  const { nodes, selected, selectedEdges } = useEditor.getState();
  const at = new Map(nodes.map(({ id, position }) => [id, position]));
  const positions = new Map<string, Position>();
  for (const change of changes) {
    if (change.type !== 'position' || !change.position || change.dragging) continue;
    const { x, y } = change.position;
    const moved = groups.find(({ nodeId }) => nodeId === change.id);
    const frame = groups.find(({ group, isFolded }) => !isFolded && group.members.includes(change.id));
    if (!moved) positions.set(change.id, { x: x + (frame?.box.x ?? 0), y: y + (frame?.box.y ?? 0) });
    for (const id of moved?.group.members ?? []) {
      const before = at.get(id);
      if (moved && before)
        positions.set(id, { x: before.x + x - moved.box.x, y: before.y + y - moved.box.y });
    }
  }
  const isMoved = [...positions].some(([id, { x, y }]) => at.get(id)?.x !== x || at.get(id)?.y !== y);
  if (isMoved) moveNodes(positions);
  select(stepsAfter(selected, changes, groups), selectedEdges);
}

export function selectEdges(changes: readonly EdgeChange[]): void {
  const { selected, selectedEdges } = useEditor.getState();
  select(selected, chosenAfter(selectedEdges, changes));
}

/** A click on one of several selected steps, such as those of a group, selects that one alone. */
export function selectAlone({ ctrlKey, metaKey }: MouseEvent, { id }: FlowNode): void {
  const { nodes, rest } = useEditor.getState();
  if (!ctrlKey && !metaKey) select(stepIdsOf([id], groupsOf({ nodes, rest })));
}

/** Selecting a group selects its steps. A frame is never deselected alone: its steps are, one by one. */
function stepsAfter(
  before: readonly string[],
  changes: readonly NodeChange[],
  groups: VisibleGraph['groups'],
): string[] {
  const isFrame = (id: string) => groups.some(({ nodeId, isFolded }) => nodeId === id && !isFolded);
  const meant = changes.flatMap((change): NodeChange[] => {
    if (change.type !== 'select' || (!change.selected && isFrame(change.id))) return [];
    return stepIdsOf(
      [change.id],
      groups.map(({ group }) => group),
    ).map((id) => ({ ...change, id }));
  });
  // Deselections come first: a step may have been selected as part of its group.
  return chosenAfter(
    before,
    meant.toSorted((a, b) => Number(isChosen(a)) - Number(isChosen(b))),
  );
}

const isChosen = (change: NodeChange): boolean => change.type === 'select' && change.selected;

function chosenAfter(before: readonly string[], changes: readonly (NodeChange | EdgeChange)[]): string[] {
  const chosen = new Set(before);
  for (const change of changes) {
    if (change.type !== 'select') continue;
    if (change.selected) chosen.add(change.id);
    else chosen.delete(change.id);
  }
  return [...chosen];
}
