import type { ConnectionState } from '../../../db/vocabulary.ts';

/** Allowed transitions of a connection. Only a person leads it out of `halted`, through a new check. */
const EDGES: Readonly<Record<ConnectionState, readonly ConnectionState[]>> = {
  unverified: ['ready', 'reduce_only', 'halted', 'expired', 'revoked'],
  ready: ['unverified', 'reduce_only', 'halted', 'expired', 'revoked'],
  reduce_only: ['unverified', 'ready', 'halted', 'expired', 'revoked'],
  halted: ['unverified', 'expired', 'revoked'],
  expired: ['unverified', 'halted', 'revoked'],
  revoked: [],
};

/** Whether the transition is allowed. Pure. */
export const isConnectionEdge = (from: ConnectionState, to: ConnectionState): boolean =>
  EDGES[from].includes(to);

/** State of a connection, and whether a person holds it there. */
export type HeldState = { readonly state: ConnectionState; readonly isHeldByPerson: boolean };

/** Result of the service's checks of a connection, with its automatic effect. */
export type Finding =
  /** All checks are green. */
  | { readonly kind: 'sound' }
  /** A temporary problem: entries are blocked until it ends. */
  | { readonly kind: 'impaired'; readonly code: string; readonly reason: string }
  /** A problem that needs a person. */
  | { readonly kind: 'broken'; readonly code: string; readonly reason: string }
  /** The credentials have expired at the venue. */
  | { readonly kind: 'expired'; readonly reason: string }
  /** A check that is not green, of a connection that was never ready or must be verified again. */
  | { readonly kind: 'unproven'; readonly code: string; readonly reason: string };

/** The least restrictive state that a connection reaches automatically after a person has stopped its entries. */
export const ENTRIES_HELD = {
  to: 'reduce_only',
  code: 'by_person',
  reason: 'Entries stopped by a person.',
} as const;

export type FindingChange = {
  readonly to: ConnectionState;
  readonly code: string | null;
  readonly reason: string | null;
};

/** Returns the change that a finding causes, or null. The service tightens a person's hold and never loosens it. Pure. */
export function afterFinding({ state, isHeldByPerson }: HeldState, finding: Finding): FindingChange | null {
  const change = changeFor(state, finding);
  if (change === null) return null;
  const held = isHeldByPerson && change.to === 'ready' ? ENTRIES_HELD : change;
  return isConnectionEdge(state, held.to) ? held : null;
}

function changeFor(state: ConnectionState, finding: Finding): FindingChange | null {
  switch (finding.kind) {
    case 'sound':
      return state === 'unverified' || state === 'reduce_only'
        ? { to: 'ready', code: null, reason: null }
        : null;
    case 'impaired':
      // A connection that was never ready may still send exits if its only problem is temporary.
      return state === 'ready' || state === 'unverified'
        ? { to: 'reduce_only', code: finding.code, reason: finding.reason }
        : null;
    case 'broken':
      return { to: 'halted', code: finding.code, reason: finding.reason };
    case 'expired':
      return { to: 'expired', code: 'credentials_expired', reason: finding.reason };
    case 'unproven':
      return state === 'ready' ? { to: 'reduce_only', code: finding.code, reason: finding.reason } : null;
  }
}

/** Whether entries or cancels may be sent through a connection in this state. Pure. */
export const mayEnter = (state: ConnectionState): boolean => state === 'ready';
export const mayCancel = (state: ConnectionState): boolean => state !== 'revoked' && state !== 'expired';
