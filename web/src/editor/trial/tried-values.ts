import { serviceMs } from '../../api/clock.ts';
import type { Outputs } from '../../api/trpc.ts';
import { copyStatesOf, graphNodeOf, noStates, statesByNode } from '../drawing/list-states.ts';
import type { Catalogue, EditorGraph } from '../drawing/model.ts';
import { type Opened, statesWithin } from '../drawing/modules/open.ts';
import { useEditor } from '../store.ts';

type Tried = Outputs['console']['tryStep']['nodes'];

/** Whether a trial of one has the values of the other: groups change none. */
export const isTriedAs = (one: EditorGraph, other: EditorGraph): boolean =>
  one.nodes === other.nodes &&
  one.edges === other.edges &&
  ['parameters', 'modules'].every((field) => one.rest[field] === other.rest[field]);

/**
 * Shows the values of a trial on the nodes, until the graph is edited or a run has newer ones; none if it was edited meanwhile.
 * Actions have none: none acted. `trail`: the modules that begin the ids.
 */
export function showTriedValues(
  tried: Tried,
  graph: EditorGraph,
  { catalogue, trail }: { catalogue: Catalogue; trail: Opened['trail'] },
): void {
  if (!isTriedAs(useEditor.getState(), graph)) return;
  const ids = new Set(graph.nodes.map(({ id }) => id));
  const acts = new Set(
    graph.nodes.flatMap(({ id, type }) => (catalogue.types.get(type)?.group === 'action' ? [id] : [])),
  );
  const now = serviceMs();
  const all = tried.map(({ nodeId, state: { status, value, reason } }) => [
    nodeId,
    { status, value, ...(reason && { reason }), updatedAt: now, firedCount: 0 },
  ]);
  const valued = Object.entries(
    statesWithin(Object.assign(noStates(), Object.fromEntries(all)), trail),
  ).filter(([id]) => !acts.has(graphNodeOf(ids, id) ?? ''));
  const within = Object.assign(noStates(), Object.fromEntries(valued));
  const copies = copyStatesOf(ids, within);
  const states = statesByNode(within, copies);
  useEditor.setState({ states, copies, statesAt: new Date(now) });
  const stop = useEditor.subscribe((editor) => {
    const isReplaced = editor.states !== states;
    if (!isReplaced && isTriedAs(editor, graph)) return;
    stop();
    if (!isReplaced) useEditor.setState({ states: noStates(), copies: new Map(), statesAt: undefined });
  });
}
