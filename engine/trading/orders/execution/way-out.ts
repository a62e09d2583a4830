import type { ConnectionState } from '../../../../db/vocabulary.ts';
import { closureOf } from '../../../risk/passage.ts';
import { isReconciled } from '../../connections/reconciled.ts';
import type { OrderRow } from '../row.ts';
import type { HeldConnections } from './brokers.ts';
import { type Passage, UNLEASED } from './departure.ts';

/** A connection as it stands, where the lease that it is held by still holds. */
export type Leased = { readonly state: ConnectionState; readonly reconciled_at: string | null };

const LATER: Passage = { kind: 'later' };

/**
 * Whether the order may leave by its connection. Whose lease that is says the row, `leased`, read under the account's lock by
 * `leaseEpoch`, which it is held by: a process that stood still and was replaced sends nothing. Pure.
 */
export function passageOf(
  { connection_id, side }: Pick<OrderRow, 'connection_id' | 'side'>,
  held: HeldConnections | undefined,
  { leaseEpoch, leased }: { readonly leaseEpoch: string | null; readonly leased: Leased | null },
): Passage {
  if (connection_id === null || held === undefined) return UNLEASED;
  if (leaseEpoch === null || leased === null) return LATER;
  const facts = { connectionId: connection_id, state: leased.state, isLiveOn: held.isLiveOn };
  const closure = closureOf(facts, side);
  if (closure !== null) return { kind: 'closed', why: { reasonCode: closure.code, reason: closure.message } };
  // It would be refused for certain, and never sent again: the way out is kept for as long as it may wait.
  if (held.isPaused(connection_id)) return LATER;
  const isCompared = isReconciled(leased.reconciled_at, held.comparedFrom(connection_id));
  return side === 'buy' && !isCompared ? LATER : { kind: 'open', leaseEpoch };
}

/** Whether what was cleared by this lease may still be sent: the process may have stood still since. Pure. */
export const isStillHeld = (
  connectionId: string | null,
  held: HeldConnections | undefined,
  leaseEpoch: string | null,
): boolean => connectionId === null || held === undefined || held.epochOf(connectionId) === leaseEpoch;
