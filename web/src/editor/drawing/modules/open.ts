/** Open modules: the editor shows one level of a graph at a time. Pure. */
import { readGraph, writeGraph } from '../json.ts';
import { graphNodeOf } from '../list-states.ts';
import type { EditorGraph, Fields, Issue } from '../model.ts';
import { moduleOf, modulesOf } from './types.ts';

/** A level that was left to open a module: its graph, and the module as it was opened. */
export type OpenedModule = {
  readonly graph: EditorGraph;
  readonly nodeId: string;
  readonly name: string;
  readonly opened: EditorGraph;
};
export type Opened = EditorGraph & { readonly trail: readonly OpenedModule[] };

/** Returns the whole graph, with the edits of all modules that are open. */
export function wholeGraphOf({ nodes, edges, rest, trail }: Opened): EditorGraph {
  const [outermost] = trail;
  if (!outermost) return { nodes, edges, rest };
  const levels = [...trail.slice(1).map(({ graph }) => graph), { nodes, edges, rest }];
  const edited = trail.flatMap(({ name, opened }, index) => {
    const level = levels[index];
    return level && !isSame(level, opened) ? [[name, writeGraph(level)]] : [];
  });
  if (edited.length === 0) return outermost.graph;
  const modules = { ...modulesOf(outermost.graph.rest), ...Object.fromEntries(edited) };
  return { ...outermost.graph, rest: { ...outermost.graph.rest, modules } };
}

const isSame = (one: EditorGraph, other: EditorGraph): boolean =>
  one.nodes === other.nodes && one.edges === other.edges && one.rest === other.rest;

/** Returns the modules of the whole graph, whichever level is open. */
export const allModulesOf = (now: Opened): Fields => modulesOf(wholeGraphOf(now).rest);

/** Opens the module that a node uses; null if it uses none. */
export function withOpened(now: Opened, nodeId: string): Opened | null {
  const name = moduleOf(now.nodes.find(({ id }) => id === nodeId)?.type ?? '');
  const module = name === null ? undefined : allModulesOf(now)[name];
  if (name === null || module === undefined) return null;
  const { nodes, edges, rest, trail } = now;
  const opened = readGraph(module);
  return { ...opened, trail: [...trail, { graph: { nodes, edges, rest }, nodeId, name, opened }] };
}

/** Closes modules until this many are open. */
export function withClosed(now: Opened, depth: number): Opened {
  const [outermost] = now.trail;
  const left = now.trail[depth];
  if (!outermost || !left) return now;
  const whole = wholeGraphOf(now);
  if (depth === 0) return { ...whole, trail: [] };
  const [first, ...others] = now.trail.slice(0, depth);
  return { ...left.graph, trail: first ? [{ ...first, graph: whole }, ...others] : [] };
}

/** Begins the ids of running nodes of the open level. */
const prefixOf = (trail: Opened['trail']): string => trail.map(({ nodeId }) => `${nodeId}/`).join('');

/** The states of the nodes of the open level, by their ids there. */
export const statesWithin = <S>(
  states: Readonly<Record<string, S>>,
  trail: Opened['trail'],
): Record<string, S> => {
  const prefix = prefixOf(trail);
  const own = Object.entries(states).filter(([id]) => id.startsWith(prefix));
  return Object.assign(
    Object.create(null),
    Object.fromEntries(own.map(([id, state]) => [id.slice(prefix.length), state])),
  );
};

/** Returns an issue with the node of the open level that it is about; none if that is elsewhere. */
export function issueWithin(issue: Issue, { nodes, trail }: Pick<Opened, 'nodes' | 'trail'>): Issue {
  const ids = new Set(nodes.map(({ id }) => id));
  const [, , name, list, index] = issue.path.split('/');
  if (trail.length > 0 && list === 'nodes' && name === trail.at(-1)?.name)
    return { ...issue, nodeId: nodes[Number(index)]?.id ?? null };
  const prefix = prefixOf(trail);
  if (issue.nodeId === null || !issue.nodeId.startsWith(prefix)) return { ...issue, nodeId: null };
  return { ...issue, nodeId: graphNodeOf(ids, issue.nodeId.slice(prefix.length)) ?? issue.nodeId };
}
