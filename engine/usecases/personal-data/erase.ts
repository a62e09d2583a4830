import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { MODES, NAMING_SUBJECTS } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { LIVE_STATUSES } from '../../platform/order-states.ts';
import { removeConnection } from '../../trading/connections/change.ts';
import { findTradingConnections } from '../../trading/connections/kill-switch.ts';
import { revokeKey } from '../../trading/keys/revoke.ts';
import { cancelOrder, declineOrder } from '../../trading/orders/lifecycle/end-order.ts';
import { stopAllBlueprints } from '../blueprints/running/stop.ts';
import { dropShareLinks } from '../blueprints/share-links.ts';
import { ACCOUNT_TABLES } from './tables.ts';

/** Erasing locks whole tables of the account at once; no request waits for an account without an owner. */
const ERASE_WITHIN = '10min';

/**
 * Refuses while the account has live positions or orders.
 *
 * @throws DomainError `invalid_state` with the reason: a person has to close it or write it off.
 */
export async function refuseWhileHoldingLive({ db, accountId }: Work): Promise<void> {
  const held = await db
    .selectFrom('position')
    .select('token_id')
    .where('account_id', '=', accountId)
    .where('mode', '=', 'live')
    .where('amount', '>', '0')
    .orderBy('token_id')
    .limit(5)
    .execute();
  if (held.length === 0) return;
  const names = held.map(({ token_id }) => token_id).join(', ');
  throw new DomainError(
    'invalid_state',
    `The account holds positions with real money (${names}). Close them, or write off what cannot be sold, then erase it.`,
  );
}

/**
 * Ends all activity of an account: stops strategies, cancels orders, revokes keys, removes connections. A repeated call
 * continues where the last one ended.
 *
 * @throws DomainError `invalid_state` while a live order is still at its venue.
 */
export async function deactivateAccount(work: Work): Promise<void> {
  for (const mode of MODES) await takeBackAll({ ...work, mode });
  for (const id of await liveKeys(work)) await revokeKey(work, id);
  const live: Work = { ...work, mode: 'live' };
  for (const { id } of await findTradingConnections(work.db, { accountId: work.accountId }))
    await removeConnection(live, id);
  await dropShareLinks(work);
}

async function takeBackAll(work: Work): Promise<void> {
  await stopAllBlueprints(work);
  const orders = await work.db
    .selectFrom('trade_order')
    .select(['id', 'status'])
    .where('account_id', '=', work.accountId)
    .where('mode', '=', work.mode)
    .where('status', 'in', LIVE_STATUSES)
    .execute();
  for (const { id, status } of orders) {
    await ifStillOpen(status === 'pending' ? declineOrder(work, id) : cancelOrder(work, id));
  }
}

/** Ignores an end of what has ended meanwhile. */
async function ifStillOpen(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    const isOver =
      error instanceof DomainError &&
      ['invalid_state', 'intent_expired', 'intent_not_pending'].includes(error.code);
    if (!isOver) throw error;
  }
}

async function liveKeys({ db, accountId }: Work): Promise<string[]> {
  const keys = await db
    .selectFrom('api_key')
    .select('id')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
  return keys.map(({ id }) => id);
}

/**
 * Removes everything from an account that identifies a person. The ledger stays and still proves itself: orders, fills, cash,
 * receipts. Call only as the owner of the tables, after {@link deactivateAccount}; all or nothing.
 *
 * @param forget Deletes the person at the sign-in, in the same transaction.
 * @throws DomainError `invalid_state` if something began meanwhile.
 */
export async function eraseAccount(work: Work, forget: (db: Db) => Promise<void>): Promise<void> {
  await underAccountLock(work, async (tx, at) => {
    await sql`select set_config('statement_timeout', ${ERASE_WITHIN}, true)`.execute(tx.db);
    await refuseWhileHoldingLive(tx);
    await refuseWhileActive(tx);
    for (const [name, { erased }] of Object.entries(ACCOUNT_TABLES)) await eraseTable(tx, name, erased);
    await sql`update audit_event set before = null, after = null where account_id = ${tx.accountId}
      and (before is not null or after is not null)
      and split_part(action, '.', 1) = any(${NAMING_SUBJECTS})`.execute(tx.db);
    await tx.db
      .updateTable('account')
      .set({ name: 'Erased', blueprint_count: 0, visual_bytes: 0 })
      .where('id', '=', tx.accountId)
      .execute();
    await tx.db
      .insertInto('audit_event')
      .values({
        account_id: tx.accountId,
        id: tx.newId(),
        at,
        actor: tx.actor,
        action: 'account.erased',
        mode: null,
        subject_id: tx.accountId,
        before: null,
        after: null,
        request_id: null,
      })
      .execute();
    await forget(tx.db);
  });
}

async function eraseTable(
  { db, accountId }: Work,
  name: string,
  erased: (typeof ACCOUNT_TABLES)[string]['erased'],
): Promise<void> {
  if (erased === 'kept') return;
  const table = sql.table(name);
  if (erased === 'deleted') {
    await sql`delete from ${table} where account_id = ${accountId}`.execute(db);
    return;
  }
  const sets = Object.entries(erased).map(([column, value]) => sql`${sql.ref(column)} = ${sql.raw(value)}`);
  await sql`update ${table} set ${sql.join(sets)} where account_id = ${accountId}`.execute(db);
}

/** @throws DomainError `invalid_state` if something runs, or may begin to, for the account. */
export async function refuseWhileActive({ db, accountId }: Work): Promise<void> {
  const { rows } = await sql<{ what: string }>`
    select 'a strategy runs' as what from deployment where account_id = ${accountId} and ended_at is null
    union all select 'a key is valid' from api_key where account_id = ${accountId} and revoked_at is null
    union all select 'a connection is there' from venue_connection where account_id = ${accountId} and state <> 'revoked'
    limit 1`.execute(db);
  const [{ what } = { what: null }] = rows;
  if (what === null) return;
  throw new DomainError('invalid_state', `The account was used meanwhile: ${what}. Erase it again.`);
}
