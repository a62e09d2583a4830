import { groupsOf } from '../drawing/groups.ts';
import type { Catalogue } from '../drawing/model.ts';
import { graphOf, stepIdsOf } from '../drawing/visible-graph.ts';
import { moveNodes, select, useEditor } from '../store.ts';
import { connectedNodes, type Direction, neighbourNode } from './node-navigation.ts';
import { currentVisibleGraph } from './use-visible-graph.ts';

/** One press moves by one square of the grid. */
const GRID_PX = 10;

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const OFFSETS: Readonly<Record<Direction, { x: number; y: number }>> = {
  left: { x: -GRID_PX, y: 0 },
  right: { x: GRID_PX, y: 0 },
  up: { x: 0, y: -GRID_PX },
  down: { x: 0, y: GRID_PX },
};

/** Keys that act only while a node, or nothing else, has the focus. */
export function handleCanvasKey(event: KeyboardEvent, readOnly: boolean, catalogue: Catalogue): boolean {
  const id = currentNode(event.target);
  if (id === null || event.ctrlKey || event.metaKey) return false;
  const direction = DIRECTIONS[event.key];
  if (direction) return arrow(event, { id, direction, readOnly, catalogue });
  if (event.altKey || event.shiftKey) return false;
  if (event.key === 'Enter') return !isButton(event.target) && openInspector(id, '.inspector');
  return event.key === 'F2' && !readOnly && openInspector(id, '#node-label, #group-name');
}

/** The node with the focus; without a focus, the selected one. */
function currentNode(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null;
  const focused = target.closest<HTMLElement>('.react-flow__node');
  if (focused) return focused.dataset['id'] ?? null;
  const { selected } = useEditor.getState();
  const isNowhere = target === document.body || target.matches('.canvas');
  return isNowhere && selected.length === 1 ? (selected[0] ?? null) : null;
}

/** A button, such as the one that folds a group: Enter presses it. */
const isButton = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button') !== null;

type Arrow = { id: string; direction: Direction; readOnly: boolean; catalogue: Catalogue };

function arrow(event: KeyboardEvent, { id, direction, readOnly, catalogue }: Arrow): boolean {
  const { visible, groups } = currentVisibleGraph(catalogue);
  const graph = graphOf(visible);
  const { selected } = useEditor.getState();
  if (event.altKey)
    return !readOnly && move(new Set(stepIdsOf([...selected, id], groups)), OFFSETS[direction]);
  if (event.shiftKey) {
    if (direction === 'up' || direction === 'down') return false;
    select(stepIdsOf(connectedNodes(graph, id, direction), groups));
    return true;
  }
  const next = neighbourNode(graph, id, direction);
  if (next === null) return true;
  select(stepIdsOf([next], groups));
  nodeOf(next)?.focus();
  return true;
}

function move(ids: ReadonlySet<string>, by: { x: number; y: number }): boolean {
  const moved = useEditor.getState().nodes.filter(({ id }) => ids.has(id));
  moveNodes(new Map(moved.map(({ id, position }) => [id, { x: position.x + by.x, y: position.y + by.y }])));
  return true;
}

/** The inspector shows the selected node, so it takes the focus once it is rendered. */
function openInspector(id: string, selector: string): boolean {
  const { nodes, rest } = useEditor.getState();
  select(stepIdsOf([id], groupsOf({ nodes, rest })));
  requestAnimationFrame(() => {
    const part = document.querySelector<HTMLElement>(selector);
    part?.focus();
    if (part instanceof HTMLInputElement) part.select();
  });
  return true;
}

/** Esc in the inspector moves the focus back to its node. */
export function focusInspectedNode(event: KeyboardEvent): boolean {
  const [id, more] = useEditor.getState().selected;
  if (event.key !== 'Escape' || id === undefined || more !== undefined) return false;
  if (!(event.target instanceof Element) || !event.target.closest('.inspector')) return false;
  nodeOf(id)?.focus();
  return true;
}

/** Moves the focus to the canvas, where the user continues after making a graph. */
export const focusCanvas = () => document.querySelector<HTMLElement>('.canvas')?.focus();

const nodeOf = (id: string) =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
