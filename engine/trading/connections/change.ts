import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordEvents } from '../../platform/events/events.ts';
import { LIVE_STATUSES } from '../../platform/order-states.ts';
import { type ConnectionLimits, columnsOf } from './create.ts';
import { deleteCredentials, sealCredentials, storeCredentials } from './credential-store.ts';
import type { KeyWrapper } from './credentials/key-ring.ts';
import {
  type ConnectionRow,
  changeState,
  connectionChangedEvent,
  loadConnection,
  writeConnection,
} from './row.ts';
import { ENTRIES_HELD } from './states.ts';

/** Loads a connection that is not revoked. @throws DomainError `not_found`, `invalid_state` if it is revoked. */
async function loadUsable(tx: Work, id: string): Promise<ConnectionRow> {
  const row = await loadConnection(tx, id);
  if (row.state !== 'revoked') return row;
  throw new DomainError('invalid_state', 'The connection was removed: it only keeps its history.');
}

export type ConnectionEdit = { readonly label?: string | undefined } & Partial<ConnectionLimits>;

/** Renames a connection or sets its limits. @throws DomainError `not_found`, `invalid_state`. */
export async function updateConnection(work: Work, id: string, edit: ConnectionEdit): Promise<ConnectionRow> {
  return underAccountLock(work, async (tx, now) => {
    const before = await loadUsable(tx, id);
    const limits = { ...limitsOf(before), ...edit };
    const label = edit.label ?? before.label;
    const after = await writeConnection(tx, id, { label, ...columnsOf(limits) }, now);
    await audit(tx, {
      mode: null,
      action: 'venue_connection.changed',
      subjectId: id,
      before: { label: before.label, ...limitsOf(before) },
      after: { label, ...limitsOf(after), version: after.version },
      at: now,
    });
    await recordEvents(tx, now, [connectionChangedEvent(after)]);
    return after;
  });
}

const limitsOf = (row: ConnectionRow): ConnectionLimits => ({
  maxOrder: row.max_order,
  maxDay: row.max_day,
  maxOpenNotional: row.max_open_notional,
});

/** Requests that the runner repeats the checks. @throws DomainError `not_found`, `invalid_state`. */
export async function requestCheck(work: Work, id: string): Promise<ConnectionRow> {
  return underAccountLock(work, async (tx, now) => {
    await loadUsable(tx, id);
    return writeConnection(tx, id, { check_requested_at: now.toISOString() }, now);
  });
}

/**
 * Blocks all but cancels (`halted`), or all but cancels and exits (`reduce_only`), until a person resumes it.
 *
 * @throws DomainError `not_found`, `invalid_state`.
 */
export async function haltConnection(
  work: Work,
  id: string,
  to: 'halted' | 'reduce_only',
): Promise<ConnectionRow> {
  return underAccountLock(
    work,
    async (tx, now) => {
      const row = await loadUsable(tx, id);
      if (row.state === to && row.is_held_by_person) return row;
      if (to === 'reduce_only' && row.state === 'unverified')
        return row.is_held_by_person ? row : changeState(tx, row, HELD_BEFORE, now);
      return changeState(tx, row, { ...(to === 'halted' ? HALTED : ENTRIES_HELD), hold: 'taken' }, now);
    },
    { isUrgent: true },
  );
}

/** An unverified connection blocks exits too, and becomes at most `reduce_only` after its checks pass while it is held. */
const HELD_BEFORE = { ...ENTRIES_HELD, to: 'unverified', hold: 'taken' } as const;

/**
 * Resumes a halted connection. It must pass all checks again, and is ready once it has.
 *
 * @throws DomainError `not_found`, `invalid_state` if it is not held.
 */
export async function resumeConnection(work: Work, id: string): Promise<ConnectionRow> {
  return underAccountLock(work, async (tx, now) => {
    const row = await loadUsable(tx, id);
    if (row.state !== 'halted' && !row.is_held_by_person) {
      throw new DomainError(
        'invalid_state',
        `The connection is ${row.state} and not held by a person: there is nothing to resume.`,
      );
    }
    return changeState(tx, row, { ...AGAIN, hold: 'let go' }, now, {
      check_requested_at: now.toISOString(),
      resumed_at: now.toISOString(),
    });
  });
}

const AGAIN = {
  to: 'unverified',
  code: 'not_checked',
  reason: 'Its checks are made again.',
} as const;

/** Requests a cancel of every open order of the venue account. @throws DomainError `not_found`, `invalid_state`. */
export async function requestCancelAll(work: Work, id: string): Promise<ConnectionRow> {
  return underAccountLock(
    work,
    async (tx, now) => {
      await loadUsable(tx, id);
      return askToCancelAll(tx, id, now);
    },
    { isUrgent: true },
  );
}

/** As {@link requestCancelAll}, for every connected venue account, in one transaction. Returns their number. */
export async function requestCancelEverywhere(work: Work): Promise<number> {
  return underAccountLock(
    work,
    async (tx, now) => {
      const usable = await tx.db
        .selectFrom('venue_connection')
        .select('id')
        .where('account_id', '=', tx.accountId)
        .where('state', '!=', 'revoked')
        .orderBy('id')
        .execute();
      for (const { id } of usable) await askToCancelAll(tx, id, now);
      return usable.length;
    },
    { isUrgent: true },
  );
}

async function askToCancelAll(tx: Work, id: string, now: Date): Promise<ConnectionRow> {
  const after = await writeConnection(tx, id, { cancel_all_requested_at: now.toISOString() }, now);
  await audit(tx, {
    mode: null,
    action: 'venue_connection.cancel_all',
    subjectId: id,
    before: null,
    after: { state: after.state },
    at: now,
  });
  return after;
}

/**
 * Replaces the credentials of a connection with others of the same venue account.
 *
 * @throws DomainError `not_found`, `invalid_state`, `validation_failed`, `credentials_not_kept`.
 */
export async function rotateCredentials(
  work: Work,
  id: string,
  credentials: unknown,
  keys: KeyWrapper | null,
): Promise<ConnectionRow> {
  const { venue, environment, credential_version } = await loadUsable(work, id);
  const version = credential_version + 1;
  const owner = { accountId: work.accountId, connectionId: id, version, venue, environment };
  const entered = await sealCredentials(credentials, owner, keys);
  return underAccountLock(work, async (tx, now) => {
    const row = await loadUsable(tx, id);
    if (row.credential_version !== credential_version) {
      throw new DomainError(
        'invalid_state',
        'Other credentials were entered at the same time. Reload the connection first.',
      );
    }
    await storeCredentials(tx, entered, now);
    // A hold by a person stays: new credentials do not release it.
    const change = row.state === 'halted' && row.is_held_by_person ? HALTED : AGAIN;
    return changeState(tx, row, change, now, {
      credential_version: version,
      key_hint: entered.hint,
      key_expires_at: null,
      check_requested_at: now.toISOString(),
      resumed_at: now.toISOString(),
    });
  });
}

const HALTED = { to: 'halted', code: 'by_person', reason: 'Halted by a person.' } as const;

/**
 * Deletes the credentials. The connection stays as `revoked`, for the history of its orders.
 *
 * @throws DomainError `not_found`, `invalid_state` while an order may still trade through it.
 */
export async function removeConnection(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const row = await loadUsable(tx, id);
    await refuseWhileTrading(tx, id);
    await deleteCredentials(tx, id);
    const change = {
      to: 'revoked',
      code: 'by_person',
      reason: 'Removed by a person.',
      hold: 'let go',
    } as const;
    // Pending requests cannot be served without credentials.
    await changeState(tx, row, change, now, { check_requested_at: null, cancel_all_requested_at: null });
  });
}

async function refuseWhileTrading(tx: Work, id: string): Promise<void> {
  const order = await tx.db
    .selectFrom('trade_order')
    .select('id')
    .where('account_id', '=', tx.accountId)
    .where('connection_id', '=', id)
    .where('status', 'in', LIVE_STATUSES)
    .limit(1)
    .executeTakeFirst();
  if (order === undefined) return;
  throw new DomainError(
    'invalid_state',
    `Order ${order.id} may still trade through the connection. Cancel it first, then remove the connection.`,
  );
}
