/** Results of an action's orders, as its own output and the next steps see them. */

import type { Run } from '../../run/run.ts';
import type { NodeOrders, Value } from '../../types.ts';
import type { Wiring } from '../node.ts';
import { CATCHING_UP } from '../quote-readers.ts';
import type { RisingEdgeMemory } from './rising-edge.ts';

const NO_ORDERS: NodeOrders = { live: null, last: null };

export function ordersOfNode(run: Run, nodeId: string): NodeOrders {
  return run.world.orders.get(nodeId) ?? NO_ORDERS;
}

/** True for one step after an order of this node ended with a fill. */
export function filledOutputOf({ nodeId, slot }: Wiring): (run: Run) => Value {
  return (run) => {
    if (!run.isLive) return CATCHING_UP;
    const { last, ended = last } = ordersOfNode(run, nodeId);
    if (ended === null || ended.endedAt === null) return false;
    const memory = run.recall<Pick<RisingEdgeMemory, 'done'>>(slot);
    if (memory?.done === ended.id || !(Number(ended.filledAmount) > 0)) return false;
    run.remember(slot, { ...memory, done: ended.id });
    return true;
  };
}
