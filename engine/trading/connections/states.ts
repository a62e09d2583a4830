import type { ConnectionState } from '../../../db/vocabulary.ts';

/** Every step a connection may take. Out of `halted` a person leads, by way of a new check. */
const EDGES: Readonly<Record<ConnectionState, readonly ConnectionState[]>> = {
  unverified: ['ready', 'reduce_only', 'halted', 'expired', 'revoked'],
  ready: ['unverified', 'reduce_only', 'halted', 'expired', 'revoked'],
  reduce_only: ['unverified', 'ready', 'halted', 'expired', 'revoked'],
  halted: ['unverified', 'expired', 'revoked'],
  expired: ['unverified', 'halted', 'revoked'],
  revoked: [],
};

/** Whether a connection may go from one state to the other. Pure. */
export const isConnectionEdge = (from: ConnectionState, to: ConnectionState): boolean =>
  EDGES[from].includes(to);

/** Where it stands, and who put it there. */
export type Standing = { readonly state: ConnectionState; readonly isHeldByPerson: boolean };

/** What the service finds out about a connection, and where that leads by itself. */
export type Finding =
  /** All checks are green. */
  | { readonly kind: 'sound' }
  /** Something that passes by itself: no entries until it has. */
  | { readonly kind: 'impaired'; readonly code: string; readonly reason: string }
  /** Something that only a person mends. */
  | { readonly kind: 'broken'; readonly code: string; readonly reason: string }
  /** The venue does not take its credentials any more, by time. */
  | { readonly kind: 'expired'; readonly reason: string }
  /** A check that is not green, of a connection that never was ready or has to show it again. */
  | { readonly kind: 'unproven'; readonly code: string; readonly reason: string };

/** As far as a connection comes by itself once a person has stopped its entries. */
export const ENTRIES_HELD = {
  to: 'reduce_only',
  code: 'by_person',
  reason: 'Entries stopped by a person.',
} as const;

export type Change = {
  readonly to: ConnectionState;
  readonly code: string | null;
  readonly reason: string | null;
};

/**
 * Where a finding leads, or null to stay. What a person has put it to, the service tightens and never loosens. Pure.
 */
export function afterFinding({ state, isHeldByPerson }: Standing, finding: Finding): Change | null {
  const change = wanted(state, finding);
  if (change === null) return null;
  const held = isHeldByPerson && change.to === 'ready' ? ENTRIES_HELD : change;
  return isConnectionEdge(state, held.to) ? held : null;
}

function wanted(state: ConnectionState, finding: Finding): Change | null {
  switch (finding.kind) {
    case 'sound':
      return state === 'unverified' || state === 'reduce_only'
        ? { to: 'ready', code: null, reason: null }
        : null;
    case 'impaired':
      // What was never ready may get out where all that is wrong with it passes.
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

/** What may leave for a venue through a connection in this state. Pure. */
export const mayEnter = (state: ConnectionState): boolean => state === 'ready';
export const mayExit = (state: ConnectionState): boolean => state === 'ready' || state === 'reduce_only';
export const mayCancel = (state: ConnectionState): boolean => state !== 'revoked' && state !== 'expired';
