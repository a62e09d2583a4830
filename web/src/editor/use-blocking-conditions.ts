import type { Blueprint } from '../api/row-types.ts';
import { nodeStatesOf } from '../live/events.ts';
import { useLive } from '../live/store.ts';
import { type BlockingCondition, blockingConditions, parseGraph } from './drawing/blocking-conditions.ts';
import { copyStatesOf, statesByNode } from './drawing/list-states.ts';
import { useCatalogue } from './use-catalogue.ts';

/** Returns for each action of a strategy the condition that it waits for now; empty until it is known. */
export function useBlockingConditions({ id, visual, nodeStates }: Blueprint): BlockingCondition[] {
  const { data: catalogue } = useCatalogue();
  const liveStates = useLive((live) => live.nodeStates[id]);
  const graph = parseGraph(visual);
  const states = liveStates ?? nodeStatesOf(nodeStates);
  const copies = copyStatesOf(new Set(graph.nodes.map((node) => node.id)), states);
  return catalogue ? blockingConditions(graph, catalogue, statesByNode(states, copies)) : [];
}
