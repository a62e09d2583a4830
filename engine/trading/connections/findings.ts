import type { ConnectionState } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { type ConnectionRow, changeState, loadConnection, writeConnection } from './row.ts';
import { afterFinding, type Change, type Finding } from './states.ts';

type Set = Parameters<typeof writeConnection>[2];

type Of = {
  readonly id: string;
  readonly epoch: string;
  /** The state it was found in: in another one it says nothing. */
  readonly from?: ConnectionState;
  /** The credentials it was found out with: of others it says nothing. */
  readonly version?: number;
  /** What the books say against it; asked before it is ready again. */
  readonly books?: (tx: Work, id: string, now: Date) => Promise<Finding | null>;
};

/**
 * Believes what was found out about a connection, under the lease it was found out by; null where that has been lost. `more` is
 * written with it; `told` null changes nothing else.
 */
export async function applyFinding(
  work: Work,
  { id, epoch, from, version, books }: Of,
  told: Finding | null,
  more: (row: ConnectionRow, now: Date) => Set = () => ({}),
): Promise<ConnectionRow | null> {
  return underAccountLock(work, async (tx, now) => {
    const row = await loadConnection(tx, id);
    if (row.lease_epoch !== epoch || row.state === 'revoked') return null;
    if (from !== undefined && row.state !== from) return row;
    if (version !== undefined && row.credential_version !== version) return row;
    const set = more(row, now);
    const isLet = told?.kind === 'sound' && changeBy(row, told) !== null;
    const finding = (isLet ? await books?.(tx, id, now) : null) ?? told;
    const change = finding && changeBy(row, finding);
    const isSaid = change === null || (change.to === row.state && change.code === row.state_code);
    if (!isSaid) {
      // What has expired needs another key first, and whoever enters that has looked.
      const isOver = change.to === 'expired';
      return changeState(tx, row, isOver ? { ...change, hold: 'let go' } : change, now, set);
    }
    const why = whyStill(row, finding);
    if (Object.keys(set).length === 0 && why === null) return row;
    return writeConnection(tx, id, { ...set, ...why }, now);
  });
}

/** Where a finding leads a connection as it is stored, or null to stay. Pure. */
export const changeBy = (row: ConnectionRow, finding: Finding): Change | null =>
  afterFinding({ state: row.state, isHeldByPerson: row.is_held_by_person }, finding);

/** What keeps a connection from becoming ready, where that is something else than before. */
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
