import type { ConnectionState } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { type ConnectionRow, changeState, loadConnection, writeConnection } from './row.ts';
import { afterFinding, type Finding, type FindingChange } from './states.ts';

type Set = Parameters<typeof writeConnection>[2];

type Of = {
  readonly id: string;
  readonly epoch: string;
  /** State at the check: in another state the finding is ignored. */
  readonly from?: ConnectionState;
  /** Version of the credentials at the check: with another version the finding is ignored. */
  readonly version?: number;
  /** Returns an objection of the books; called before the connection becomes ready. */
  readonly books?: (tx: Work, id: string, now: Date) => Promise<Finding | null>;
};

/**
 * Applies a finding to a connection, under the lease of the check; returns null if the lease was lost. Writes `more` with it;
 * without a finding it writes nothing else.
 */
export async function applyBreakerFinding(
  work: Work,
  { id, epoch, from, version, books }: Of,
  found: Finding | null,
  more: (row: ConnectionRow, now: Date) => Set = () => ({}),
): Promise<ConnectionRow | null> {
  return underAccountLock(work, async (tx, now) => {
    const row = await loadConnection(tx, id);
    if (row.lease_epoch !== epoch || row.state === 'revoked') return null;
    if (from !== undefined && row.state !== from) return row;
    if (version !== undefined && row.credential_version !== version) return row;
    const set = more(row, now);
    const isLet = found?.kind === 'sound' && changeBy(row, found) !== null;
    const finding = (isLet ? await books?.(tx, id, now) : null) ?? found;
    const change = finding && changeBy(row, finding);
    const isSaid = change === null || (change.to === row.state && change.code === row.state_code);
    if (!isSaid) {
      // An expired connection needs a new key, and the person who enters one has reviewed it: release the hold.
      const isOver = change.to === 'expired';
      return changeState(tx, row, isOver ? { ...change, hold: 'let go' } : change, now, set);
    }
    const why = whyStill(row, finding);
    if (Object.keys(set).length === 0 && why === null) return row;
    return writeConnection(tx, id, { ...set, ...why }, now);
  });
}

/** Returns the state change that a finding causes for a stored connection, or null for none. Pure. */
export const changeBy = (row: ConnectionRow, finding: Finding): FindingChange | null =>
  afterFinding({ state: row.state, isHeldByPerson: row.is_held_by_person }, finding);

/** Returns the new reason why a connection is not ready; null if it is unchanged. */
function whyStill(row: ConnectionRow, finding: Finding | null): Set | null {
  if (
    finding === null ||
    row.state !== 'unverified' ||
    finding.kind === 'sound' ||
    finding.kind === 'expired'
  )
    return null;
  if (finding.code === row.state_code && finding.reason === row.state_reason) return null;
  return { state_code: finding.code, state_reason: finding.reason };
}
