import { accountNow } from '../../books/accounting/portfolio.ts';
import type { Work } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { type ConnectionRow, changeState } from '../connections/row.ts';
import { afterFinding, type Finding } from '../connections/states.ts';
import { differenceFindingOf, UNEXPLAINED } from './compare/difference-finding.ts';
import { readActiveDifferences } from './difference-store.ts';

/** Returns a finding if the open differences between a connection and its books are grave. Call under the account's lock. */
export async function readDifferencesFinding(
  tx: Work,
  connectionId: string,
  now: Date,
): Promise<Finding | null> {
  const open = (await readActiveDifferences(tx, connectionId)).filter(({ state }) => state === 'open');
  if (open.length === 0) return null;
  const { equity } = await accountNow(tx);
  return differenceFindingOf(
    open.map(({ kind, worth, since }) => ({
      kind,
      worth: worth === null ? null : exact(worth),
      since: new Date(since),
    })),
    exact(equity),
    now,
  );
}

/**
 * Blocks entries of a connection that differs too much, and allows them again once nothing grave is open. Other impairments are
 * rechecked by the process that found them: `isElseSound` states that there are none. Call under the account's lock.
 */
export async function evaluateDifferences(
  tx: Work,
  connection: ConnectionRow,
  now: Date,
  isElseSound = true,
): Promise<ConnectionRow> {
  const found = await readDifferencesFinding(tx, connection.id, now);
  const finding = found ?? (isElseSound ? recovery(connection) : null);
  const current = { state: connection.state, isHeldByPerson: connection.is_held_by_person };
  const change = finding === null ? null : afterFinding(current, finding);
  if (change === null) return connection;
  return changeState(tx, connection, change, now);
}

const recovery = ({ state, state_code }: ConnectionRow): Finding | null =>
  state === 'reduce_only' && state_code === UNEXPLAINED ? { kind: 'sound' } : null;
