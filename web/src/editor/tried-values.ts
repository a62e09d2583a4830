import { serviceMs } from '../api/clock.ts';
import type { Outputs } from '../api/trpc.ts';
import { copyStatesOf, graphNodeOf, noStates, statesByNode } from './drawing/list-states.ts';
import type { Catalogue } from './drawing/model.ts';
import { statesWithin } from './drawing/modules/open.ts';
import { useEditor } from './store.ts';

type Tried = Outputs['console']['tryStep']['nodes'];

/** Shows the values of a trial on the nodes, until the graph is edited or a run has newer ones. Actions have none: none acted. */
export function showTriedValues(tried: Tried, catalogue: Catalogue): void {
  const { nodes, edges, trail } = useEditor.getState();
  const ids = new Set(nodes.map(({ id }) => id));
  const acts = new Set(
    nodes.flatMap(({ id, type }) => (catalogue.types.get(type)?.group === 'action' ? [id] : [])),
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
    if (!isReplaced && editor.nodes === nodes && editor.edges === edges) return;
    stop();
    if (!isReplaced) useEditor.setState({ states: noStates(), copies: new Map(), statesAt: undefined });
  });
}
