/** Kill switch: halts connections and cancels orders without the service, using only the database and the venues. */
import type { Db } from '../../../db/tables.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import type { CancelAllResult } from './cancel-until-none-open.ts';
import { type ConnectionRow, changeState, loadConnection, writeConnection } from './row.ts';

/** Selects connections: all, those of an account, or one. */
export type KillScope = { readonly accountId?: string; readonly connectionId?: string };

/** Finds the connections that can still trade: all that were not removed. */
export function findTradingConnections(
  db: Db,
  { accountId, connectionId }: KillScope,
): Promise<ConnectionRow[]> {
  return db
    .selectFrom('venue_connection')
    .selectAll()
    .where('state', '!=', 'revoked')
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .$if(connectionId !== undefined, (query) => query.where('id', '=', connectionId ?? ''))
    .orderBy('account_id')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

const KILLED = {
  to: 'halted',
  code: 'kill_switch',
  reason: 'Halted by the kill switch of the operator.',
  hold: 'taken',
} as const;

/**
 * Halts a connection like a person would, and requests that its runner cancels its open orders too: the runner may reach a
 * venue that this process does not. After the return, only requests already under way can reach the venue.
 *
 * @throws DomainError `not_found`; `overloaded` if the account's lock is not available.
 */
export async function killConnection(work: Work, id: string): Promise<ConnectionRow> {
  return underAccountLock(
    work,
    async (tx, now) => {
      const row = await loadConnection(tx, id);
      const request = { cancel_all_requested_at: now.toISOString() };
      const isHalted = row.state === 'halted' && row.is_held_by_person;
      const after = isHalted
        ? await writeConnection(tx, id, request, now)
        : await changeState(tx, row, KILLED, now, request);
      await audit(tx, {
        mode: null,
        action: 'venue_connection.cancel_all',
        subjectId: id,
        before: { state: row.state },
        after: { state: after.state, by: 'kill_switch' },
        at: now,
      });
      return after;
    },
    { isUrgent: true },
  );
}

/** Records the result of emptying a connection's orders. If none is left, clears the request to cancel them. */
export async function recordCancelAllResult(
  work: Work,
  { id, cancel_all_requested_at: askedAt }: Pick<ConnectionRow, 'id' | 'cancel_all_requested_at'>,
  emptied: CancelAllResult,
): Promise<void> {
  await underAccountLock(
    work,
    async (tx, now) => {
      const row = await loadConnection(tx, id);
      const isOurs = row.cancel_all_requested_at === askedAt;
      if (emptied.kind === 'empty' && isOurs)
        await writeConnection(tx, id, { cancel_all_requested_at: null }, now);
      await audit(tx, {
        mode: null,
        action: 'venue_connection.orders_ended',
        subjectId: id,
        before: null,
        after: toJson(emptied),
        at: now,
      });
    },
    { isUrgent: true },
  );
}

const toJson = (emptied: CancelAllResult) =>
  emptied.kind === 'arriving' ? { ...emptied, until: emptied.until.toISOString() } : { ...emptied };
