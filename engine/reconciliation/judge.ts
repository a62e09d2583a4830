import { accountNow } from '../accounting/portfolio.ts';
import { type ConnectionRow, changeState } from '../connections/row.ts';
import { afterFinding, type Finding } from '../connections/states.ts';
import type { Work } from '../context.ts';
import { exact } from '../decimal.ts';
import { impairment, UNEXPLAINED } from './impairment.ts';
import { readStanding } from './store.ts';

/**
 * Takes a connection that differs too much out of entries, and gives them back once nothing grave is open. What else impairs it
 * is looked at by whoever found it. Call under the account's lock.
 */
export async function judgeDifferences(
  tx: Work,
  connection: ConnectionRow,
  now: Date,
): Promise<ConnectionRow> {
  const open = (await readStanding(tx, connection.id)).filter(({ state }) => state === 'open');
  const { equity } = await accountNow(tx);
  const found = impairment(
    open.map(({ kind, worth, since }) => ({
      kind,
      worth: worth === null ? null : exact(worth),
      since: new Date(since),
    })),
    exact(equity),
    now,
  );
  const finding = found ?? recovery(connection);
  const standing = { state: connection.state, isHeldByPerson: connection.is_held_by_person };
  const change = finding === null ? null : afterFinding(standing, finding);
  if (change === null) return connection;
  return changeState(tx, connection, { ...change, isHeldByPerson: connection.is_held_by_person }, now);
}

const recovery = ({ state, state_code }: ConnectionRow): Finding | null =>
  state === 'reduce_only' && state_code === UNEXPLAINED ? { kind: 'sound' } : null;
