import { temporal } from 'zundo';
import { create } from 'zustand';
import type { NodeStates } from '../live/events.ts';
import type { CopiedNodes } from './drawing/clipboard.ts';
import { withSwitched } from './drawing/disabled-nodes.ts';
import {
  commonGroupOf,
  type Group,
  groupsOf,
  withGroup,
  withGroups,
  withoutMissingSteps,
} from './drawing/groups.ts';
import { insertOnEdge } from './drawing/insert.ts';
import { type CopyStates, noStates } from './drawing/list-states.ts';
import {
  type Catalogue,
  type Config,
  type EdgeEnds,
  type EditorGraph,
  EMPTY_GRAPH,
  edgeId,
  type Issue,
  type Node,
  newId,
} from './drawing/model.ts';
import type { OpenedModule } from './drawing/modules/open.ts';
import {
  type ParameterChange,
  withChangedParameter,
  withNewParameter,
  withoutParameter,
  withRenamedParameter,
} from './drawing/parameters.ts';
import { stepIdsOf } from './drawing/visible-graph.ts';
import type { RecentValues } from './recent-values.ts';

/** The maximum number of edits that can be undone. */
const UNDO_MAX = 200;
const PASTE_OFFSET_PX = 40;
const TYPING_PAUSE_MS = 1_500;

type Editor = EditorGraph & {
  /** Counts the graphs opened here: each is shown from its beginning, edits are not. */
  opened: number;
  /** Node states of the running blueprint; not part of the graph. */
  states: NodeStates;
  /** The states of nodes of a list, by instrument. */
  copies: CopyStates;
  /** The instant of the states, if it is past. */
  statesAt: Date | undefined;
  recent: RecentValues;
  issues: readonly Issue[];
  selected: readonly string[];
  selectedEdges: readonly string[];
  clipboard: CopiedNodes;
  /** Whether changes here edit the graph. */
  canEdit: boolean;
  /** Levels that were left to open modules, the outermost first. */
  trail: readonly OpenedModule[];
  /** Groups that a user who may not edit has folded or unfolded on screen. */
  folds: ReadonlyMap<string, boolean>;
};

export const useEditor = create<Editor>()(
  temporal(
    (): Editor => ({
      ...EMPTY_GRAPH,
      opened: 0,
      states: noStates(),
      copies: new Map(),
      statesAt: undefined,
      recent: new Map(),
      issues: [],
      selected: [],
      selectedEdges: [],
      clipboard: { nodes: [], edges: [], groups: [] },
      canEdit: true,
      trail: [],
      folds: new Map(),
    }),
    {
      limit: UNDO_MAX,
      partialize: ({ nodes, edges, rest, trail }) => ({ nodes, edges, rest, trail }),
      equality: (past, now) => past.nodes === now.nodes && past.edges === now.edges && past.rest === now.rest,
    },
  ),
);

/** The field with the latest typing, and its time. */
let typing = { field: '', at: 0 };

export const edit = (change: (now: Editor) => Partial<Editor>) => {
  typing = { field: '', at: 0 };
  useEditor.setState(change);
};

/** Changes a field; text typed in one go is one edit. */
function editField(field: string, change: (now: Editor) => Partial<Editor>): void {
  const goesOn = typing.field === field && Date.now() - typing.at < TYPING_PAUSE_MS;
  const { pause, resume } = useEditor.temporal.getState();
  if (goesOn) pause();
  useEditor.setState(change);
  resume();
  typing = { field, at: Date.now() };
}

/** Starts with another graph; earlier edits cannot be undone into it. */
export function loadGraph(graph: EditorGraph): void {
  edit(({ opened }) => ({
    ...graph,
    trail: [],
    opened: opened + 1,
    issues: [],
    selected: [],
    selectedEdges: [],
    folds: new Map(),
    recent: new Map(),
  }));
  useEditor.temporal.getState().clear();
}

/** Replaces the graph as one edit. */
export const replaceGraph = (graph: EditorGraph) =>
  edit(({ opened }) => ({ ...graph, trail: [], opened: opened + 1, selected: [], selectedEdges: [] }));

export const undo = () => travel('undo');
export const redo = () => travel('redo');

function travel(direction: 'undo' | 'redo'): void {
  typing = { field: '', at: 0 };
  useEditor.temporal.getState()[direction]();
  // The edit may have removed selected nodes.
  const { nodes, edges, selected, selectedEdges } = useEditor.getState();
  const there = new Set([...nodes, ...edges].map(({ id }) => id));
  const isThere = (id: string) => there.has(id);
  select(selected.filter(isThere), selectedEdges.filter(isThere));
}

export function addNode(type: string, position: { x: number; y: number }, config: Config): string {
  const id = newId(type, new Set(useEditor.getState().nodes.map((node) => node.id)));
  edit(({ nodes }) => ({
    nodes: [...nodes, { id, type, position, data: { config } }],
    selected: [id],
  }));
  return id;
}

/** Adds a node with its first connection, as one edit. */
export function addConnected(
  type: string,
  position: { x: number; y: number },
  config: Config,
  endsOf: (id: string) => EdgeEnds,
): void {
  const id = newId(type, new Set(useEditor.getState().nodes.map((node) => node.id)));
  const ends = endsOf(id);
  edit(({ nodes, edges }) => ({
    nodes: [...nodes, { id, type, position, data: { config } }],
    edges: [...edges, { ...ends, id: edgeId(ends) }],
    selected: [id],
  }));
}

/** Puts a new step on an edge, as one edit; null, without effect, if it does not fit there. */
export function insertNode(
  type: string,
  position: { x: number; y: number },
  config: Config,
  { edgeId: on, catalogue }: { edgeId: string; catalogue: Catalogue },
): string | null {
  const graph = useEditor.getState();
  const edge = graph.edges.find(({ id }) => id === on);
  if (!edge) return null;
  const id = newId(type, new Set(graph.nodes.map((node) => node.id)));
  const node: Node = { id, type, position, data: { config } };
  const edges = insertOnEdge(graph, edge, node, catalogue);
  if (edges === null) return null;
  edit(({ nodes, rest }) => {
    const all = [...nodes, node];
    const group = commonGroupOf(groupsOf({ nodes, rest }), [edge.source, edge.target]);
    const within = group && { ...group, members: [...group.members, id] };
    const groups = groupsOf({ nodes, rest }).map((each) => (each.id === within?.id ? within : each));
    return {
      nodes: all,
      edges,
      ...(within && { rest: withGroups(rest, groups) }),
      selected: [id],
      selectedEdges: [],
    };
  });
  return id;
}

export const moveNodes = (positions: ReadonlyMap<string, { x: number; y: number }>) =>
  edit(({ nodes }) => ({
    nodes: nodes.map((node) => {
      const position = positions.get(node.id);
      return position ? { ...node, position } : node;
    }),
  }));

export const configure = (id: string, name: string, config: Config) => changeData(id, name, { config });
export const relabel = (id: string, label: string) => changeData(id, '', { label });

const changeData = (id: string, field: string, change: Node['data']) =>
  editField(`${id} ${field}`, ({ nodes }) => ({
    nodes: nodes.map((node) => (node.id === id ? { ...node, data: { ...node.data, ...change } } : node)),
  }));

/** Switches steps off, or on again if all of them are off, as one edit. */
export function switchSteps(ids: readonly string[]): void {
  if (ids.length > 0) edit(({ nodes }) => ({ nodes: withSwitched(nodes, new Set(ids)) }));
}

export const connect = (ends: EdgeEnds) =>
  edit(({ edges }) => ({ edges: [...edges, { id: edgeId(ends), ...ends }] }));

export const disconnect = (ids: ReadonlySet<string>) =>
  edit(({ edges }) => ({ edges: edges.filter(({ id }) => !ids.has(id)), selectedEdges: [] }));

/** Deletes nodes with their edges, and further edges, as one edit. */
export function remove(nodeIds: ReadonlySet<string>, edgeIds: ReadonlySet<string> = new Set()): void {
  if (nodeIds.size + edgeIds.size === 0) return;
  edit(({ nodes, edges, rest, selected }) => ({
    nodes: nodes.filter(({ id }) => !nodeIds.has(id)),
    rest: withoutMissingSteps(
      rest,
      nodes.filter(({ id }) => !nodeIds.has(id)),
    ),
    edges: edges.filter(
      ({ id, source, target }) => !edgeIds.has(id) && !nodeIds.has(source) && !nodeIds.has(target),
    ),
    selected: selected.filter((id) => !nodeIds.has(id)),
    selectedEdges: [],
  }));
}

/** Adds a parameter of the graph and returns its name; null, without effect, if there are too many. */
export function addParameter(): string | null {
  const added = withNewParameter(useEditor.getState().rest);
  if (added) edit(() => ({ rest: added.rest }));
  return added?.name ?? null;
}

export const changeParameter = (name: string, change: ParameterChange) =>
  editField(`parameter ${name} ${Object.keys(change)}`, ({ rest }) => ({
    rest: withChangedParameter(rest, name, change),
  }));

/** Renames a parameter with the settings that refer to it, as one edit. */
export const renameParameter = (from: string, to: string) =>
  edit((now) => withRenamedParameter(now, from, to));

/** Removes a parameter and leaves its value to the settings that refer to it, as one edit. */
export const removeParameter = (name: string) => edit((now) => withoutParameter(now, name));

/** Makes one group of these steps, as one edit; false, without effect, if there are too many groups. */
export function groupSteps(ids: readonly string[]): boolean {
  const rest = withGroup(useEditor.getState(), ids);
  if (rest === null) return false;
  edit(() => ({ rest, selected: stepIdsOf(ids, []) }));
  return true;
}

/** Removes a group and leaves its steps. */
export const ungroup = (id: string) =>
  edit(({ nodes, rest }) => ({
    rest: withGroups(
      rest,
      groupsOf({ nodes, rest }).filter((group) => group.id !== id),
    ),
  }));

/** Changes the name or colour of a group. */
export const changeGroup = (id: string, change: Partial<Pick<Group, 'name' | 'color' | 'isCollapsed'>>) =>
  editField(`group ${id} ${Object.keys(change)}`, ({ nodes, rest }) => ({
    rest: withGroups(
      rest,
      groupsOf({ nodes, rest }).map((group) => (group.id === id ? { ...group, ...change } : group)),
    ),
  }));

/** Shows a group as one card, or as its steps: in the graph, or only on screen for a user who may not edit it. */
export function foldGroup(id: string, isFolded: boolean): void {
  if (useEditor.getState().canEdit) {
    typing = { field: '', at: 0 };
    changeGroup(id, { isCollapsed: isFolded });
  } else useEditor.setState(({ folds }) => ({ folds: new Map(folds).set(id, isFolded) }));
}

/** Selects these nodes and edges, and nothing else. */
export const select = (ids: readonly string[], edgeIds: readonly string[] = []) =>
  useEditor.setState((now) =>
    now.selected.join() === ids.join() && now.selectedEdges.join() === edgeIds.join()
      ? now
      : { selected: ids, selectedEdges: edgeIds },
  );

/** Copies the selected nodes and the edges among them. */
export function copySelected(): void {
  edit(({ nodes, edges, rest, selected }) => {
    const chosen = new Set(selected);
    return {
      clipboard: {
        groups: groupsOf({ nodes, rest }).filter(({ members }) => members.every((id) => chosen.has(id))),
        nodes: nodes.filter(({ id }) => chosen.has(id)),
        edges: edges.filter(({ source, target }) => chosen.has(source) && chosen.has(target)),
      },
    };
  });
}

/** Puts copies beside the originals, with new ids. A whole group becomes a group again. */
export function paste(clipboard: CopiedNodes): void {
  edit(({ nodes, edges, rest }) => {
    const taken = new Set(nodes.map(({ id }) => id));
    const names = new Map<string, string>();
    for (const node of clipboard.nodes) {
      const id = newId(node.type, taken);
      taken.add(id);
      names.set(node.id, id);
    }
    const copies = clipboard.nodes.map((node) => ({
      ...node,
      id: names.get(node.id) ?? node.id,
      position: { x: node.position.x + PASTE_OFFSET_PX, y: node.position.y + PASTE_OFFSET_PX },
    }));
    const between = clipboard.edges.map((edge) => {
      const ends = {
        source: names.get(edge.source) ?? edge.source,
        target: names.get(edge.target) ?? edge.target,
        targetHandle: edge.targetHandle,
      };
      return { ...edge, ...ends, id: edgeId(ends) };
    });
    const all = [...nodes, ...copies];
    return {
      nodes: all,
      edges: [...edges, ...between],
      rest: clipboard.groups.reduce(
        (others, { members, name, color, isCollapsed }) =>
          withGroup(
            { nodes: all, rest: others },
            members.map((id) => names.get(id) ?? ''),
            { name, color, isCollapsed },
          ) ?? others,
        rest,
      ),
      selected: copies.map(({ id }) => id),
    };
  });
}

export function duplicateSelected(): void {
  copySelected();
  paste(useEditor.getState().clipboard);
}
