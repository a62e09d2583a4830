/** Checks before an account moves, each with its remedy. Nothing has changed when one fails. */

import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { KeyRing } from '../../../engine/trading/connections/credentials/key-ring.ts';
import { readCell } from '../../../engine/trading/keys/cell.ts';
import { readSecondFactorUse, unwrapSecondFactorKey } from '../../identity/factors/second-factor-key.ts';
import type { Subject } from './rows.ts';

/** The reason why an account is not moved, and the remedy. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

export type Cells = { readonly from: Db; readonly to: Db; readonly keys: KeyRing | null };

/**
 * Returns the number of the other cell.
 *
 * @throws MoveRefused if the databases are of one cell, of two versions, or the roles lack a right
 */
export async function refuseWrongCells({ from, to }: Cells): Promise<number> {
  const [ours, theirs] = await Promise.all([versionOf(from), versionOf(to)]);
  if (ours !== theirs)
    throw new MoveRefused('The cells have different versions: update both, start each once, then move.');
  const { rows } = await sql<{ number: number }>`select number from cell`.execute(to);
  const number = rows[0]?.number;
  if (number === undefined)
    throw new MoveRefused(
      'The database of --to has no cell number yet: start the service there once, with its CELL.',
    );
  if (number === (await readCell(from)))
    throw new MoveRefused(`Both databases are of cell ${number}: --to is the database of another cell.`);
  for (const [db, where] of [
    [from, 'DATABASE_URL'],
    [to, '--to'],
  ] as const)
    await refuseWithoutRight(db, where);
  return number;
}

async function versionOf(db: Db): Promise<string> {
  const { rows } = await sql<{ names: string }>`
    select coalesce(string_agg(name, ' ' order by name), '') as names from schema_migration`.execute(db);
  return rows[0]?.names ?? '';
}

async function refuseWithoutRight(db: Db, where: string): Promise<void> {
  const { rows } = await sql<{ role: string; may: boolean }>`
    select current_user as role, has_parameter_privilege('session_replication_role', 'SET') as may`.execute(
    db,
  );
  const [found] = rows;
  if (found?.may === true) return;
  throw new MoveRefused(
    `The role ${found?.role} of ${where} may not insert rows as they were: run "grant set on parameter session_replication_role to ${found?.role}" there as superuser.`,
  );
}

/** @throws MoveRefused if the other cell has the e-mail or a venue account already, or could not open the secrets */
export async function refuseConflicts(cells: Cells, subject: Subject): Promise<void> {
  const { from, to } = cells;
  const { accountId, userIds } = subject;
  const { rows: users } = await sql<{ email: string }>`
    select email from auth."user" where id = any(${userIds}::uuid[])`.execute(from);
  const { rows: taken } = await sql`
    select from auth."user" where email = any(${users.map(({ email }) => email)}::text[])`.execute(to);
  if (taken.length > 0)
    throw new MoveRefused('The other cell has a user with this e-mail: erase one of the two users first.');
  const { rows: venues } = await sql`
    select venue, environment, fingerprint from venue_connection
    where account_id = ${accountId} and fingerprint is not null and state <> 'revoked'`.execute(from);
  const { rows: owned } = await sql`
    select from venue_connection
    join jsonb_to_recordset(${JSON.stringify(venues)}::jsonb) as own (venue text, environment text, fingerprint text)
      using (venue, environment, fingerprint)
    where state <> 'revoked'`.execute(to);
  if (owned.length > 0)
    throw new MoveRefused(
      'A venue account of this account is connected in the other cell too: revoke one of the two connections first.',
    );
  await refuseUnreadableSecrets(cells, subject);
}

async function refuseUnreadableSecrets(
  { from, to, keys }: Cells,
  { accountId, userIds }: Subject,
): Promise<void> {
  const { rows: sealed } = await sql<{ key_id: string }>`
    select key_id from venue_credential where account_id = ${accountId}
    union select key_id from notification_channel where account_id = ${accountId} and key_id is not null`.execute(
    from,
  );
  const { rows: factors } = await sql`
    select from auth."twoFactor" where "userId" = any(${userIds}::uuid[])`.execute(from);
  if (sealed.length === 0 && factors.length === 0) return;
  const keyId = await readSecondFactorUse(to);
  const [ours, theirs] = keys === null ? [] : [await unwrapped(from, keys), await unwrapped(to, keys)];
  if (keyId === null || theirs === undefined || theirs === null)
    throw new MoveRefused(
      'The account has sealed secrets, and these CREDENTIAL_KEYS do not open those of the other cell: give both cells the same CREDENTIAL_KEYS, and start each once.',
    );
  const other = sealed.find((row) => row.key_id !== keyId);
  if (other !== undefined)
    throw new MoveRefused(
      `Secrets of the account are sealed by key ${other.key_id}, and the other cell seals by ${keyId}: finish the rotation in both cells (npm run credentials -- rewrap).`,
    );
  if (factors.length > 0 && !(ours && theirs.equals(ours)))
    throw new MoveRefused(
      'A user has a second factor, which the other cell cannot check: remove it (npm run user:reset-second-factor), or copy auth."secondFactorKey" to the other cell before its first use.',
    );
  await refuseOtherPushKey({ from, to }, accountId);
}

/** Null: the keys do not open it, or there is none. */
const unwrapped = (db: Db, keys: KeyRing): Promise<Buffer | null> =>
  unwrapSecondFactorKey(db, keys).catch(() => null);

async function refuseOtherPushKey(
  { from, to }: Pick<Cells, 'from' | 'to'>,
  accountId: string,
): Promise<void> {
  const { rows: push } = await sql`
    select from notification_channel where account_id = ${accountId} and kind = 'push'`.execute(from);
  if (push.length === 0) return;
  const publicKey = async (db: Db) =>
    (await sql<{ public_key: string }>`select public_key from push_key`.execute(db)).rows[0]?.public_key;
  if ((await publicKey(from)) === (await publicKey(to))) return;
  throw new MoveRefused(
    'The account has a push channel, which belongs to the push key of this cell: delete the channel, or copy push_key to the other cell before its first use.',
  );
}
