/** Statuses and reasons that a leg shows, whatever its side. */
import type { NodeStatus, Reason, Unknown } from '../../types.ts';
import { reason, waitingStatus } from '../../values.ts';
import type { Refused } from './keep-order.ts';

export type Display = { readonly status: NodeStatus; readonly reason?: Reason };

export const FILLING = reason('order_live', 'Its order is live, or another leg is not filled yet.');
export const CANCELING = reason('canceling', 'A leg has failed: orders of its basket are being canceled.');
export const COMPLETE = reason(
  'basket_complete',
  'All legs were filled. It begins again after its condition was false.',
);
export const UNDONE = reason(
  'undone',
  'A leg failed, and nothing of this one is left to undo. It begins again after its condition was false.',
);
export const OTHER_LEG = reason(
  'other_leg',
  'It waits for another leg of its basket, which cannot begin now.',
);
export const BUSY = reason('order_live', 'Its basket has not ended yet.');
export const HALTED = reason(
  'halted',
  'The blueprint is in error: no basket begins; one that has begun is undone.',
);
export const CONFLICT = reason(
  'conflict',
  'The same step, or another basket, trades this instrument: no basket begins.',
);
export const UNDO_LIVE = reason('order_live', 'The order of its undo is live.');
export const PAUSING = reason(
  'backing_off',
  'The last order of its undo left something; it tries again soon.',
);
export const BEGINS = reason('triggered', 'The conditions of all legs of its basket hold.');
export const noFactsOf = (name: string) => reason('no_data', `Tick and step of ${name} are not known yet.`);
/** Why it cancels its order, for the order's log. */
export const LEG_FAILED = 'A leg of its basket was not filled.';

export const waiting = ({ unknown }: Unknown): Display => ({
  status: waitingStatus(unknown),
  reason: unknown,
});

export const refused = ({ refused: why }: Refused): Display => ({ status: 'blocked', reason: why });
