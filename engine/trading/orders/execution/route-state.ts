import type { ConnectionState } from '../../../../db/vocabulary.ts';
import { routeBlockOf } from '../../../risk/route-block.ts';
import { isReconciled } from '../../connections/is-reconciled.ts';
import type { OrderRow } from '../row.ts';
import type { HeldConnections } from './brokers.ts';
import { NO_LEASE_NEEDED, type RouteState } from './plan-submission.ts';

/** Current state of a connection whose lease is valid. */
export type LeasedConnection = { readonly state: ConnectionState; readonly reconciled_at: string | null };

const LATER: RouteState = { kind: 'unavailable' };

/**
 * Decides whether the order may be sent through its connection. `leased` is the connection's row, read under the account's lock
 * and only for our `leaseEpoch`: a process that was suspended and replaced sends nothing. Pure.
 */
export function routeStateOf(
  { connection_id, side }: Pick<OrderRow, 'connection_id' | 'side'>,
  held: HeldConnections | undefined,
  { leaseEpoch, leased }: { readonly leaseEpoch: string | null; readonly leased: LeasedConnection | null },
): RouteState {
  if (connection_id === null || held === undefined) return NO_LEASE_NEEDED;
  if (leaseEpoch === null || leased === null) return LATER;
  const facts = { connectionId: connection_id, state: leased.state, isLiveOn: held.isLiveOn };
  const block = routeBlockOf(facts, side);
  if (block !== null) return { kind: 'closed', why: { reasonCode: block.code, reason: block.message } };
  // The venue would refuse it, and it is never sent twice: an exit waits in the queue as long as it may.
  if (held.isPaused(connection_id)) return LATER;
  const isCompared = isReconciled(leased.reconciled_at, held.comparedFrom(connection_id));
  return side === 'buy' && !isCompared ? LATER : { kind: 'open', leaseEpoch };
}

/** Whether an order cleared under this lease may still be sent: the process may have been suspended since. Pure. */
export const isStillHeld = (
  connectionId: string | null,
  held: HeldConnections | undefined,
  leaseEpoch: string | null,
): boolean => connectionId === null || held === undefined || held.epochOf(connectionId) === leaseEpoch;
