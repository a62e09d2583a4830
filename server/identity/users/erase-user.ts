import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../../../db/pool.ts';
import type { Db } from '../../../db/tables.ts';
import { databaseClock, openWork } from '../../../engine/platform/context.ts';
import { findAccountOfUser } from '../../../engine/trading/accounts/provision-account.ts';
import {
  deactivateAccount,
  eraseAccount,
  refuseWhileHoldingLive,
} from '../../../engine/usecases/personal-data/erase.ts';
import { findUser } from './users.ts';

/**
 * Erases a user: strategies stop, sign-in is impossible, and no personal data is left; the ledger stays. Unfinished steps
 * continue at the next call. False: there is no such user.
 *
 * @param pool As the owner of the tables.
 * @throws DomainError `invalid_state` with the step to do first.
 */
export async function eraseUser(pool: Pool, email: string): Promise<boolean> {
  const userId = await findUser(pool, email);
  if (userId === null) return false;
  const accountId = await findAccountOfUser(unscopedDb(pool), userId);
  await erasePerson(pool, { accountId, userId, email: email.toLowerCase() });
  return true;
}

export type UserIds = { accountId: string | undefined; userId: string; email: string | null };

/** Erases a user by ids: deleted users no longer have an e-mail. */
export async function erasePerson(pool: Pool, { accountId, userId, email }: UserIds): Promise<void> {
  const erase = (db: Db) => erasePersonalData(db, userId, email);
  if (accountId === undefined) {
    await unscopedDb(pool).transaction().execute(erase);
    return;
  }
  const work = openWork(pool, {
    accountId,
    mode: 'paper',
    actor: 'operator',
    requestId: null,
    clock: databaseClock,
  });
  await refuseWhileHoldingLive(work);
  await sql`delete from auth.session where "userId" = ${userId}`.execute(unscopedDb(pool));
  await deactivateAccount(work);
  await eraseAccount(work, erase);
}

async function erasePersonalData(db: Db, userId: string, email: string | null): Promise<void> {
  await deleteSignInMethods(db, userId, email);
  await sql`delete from careers_application where lower(email) = ${email}`.execute(db);
}

/** The row of the user stays, so that its id is not reused; the rest of it serves neither lookup nor sign-in. */
export async function deleteSignInMethods(db: Db, userId: string, email: string | null): Promise<void> {
  await sql`delete from auth.session where "userId" = ${userId}`.execute(db);
  await sql`delete from auth.account where "userId" = ${userId}`.execute(db);
  await sql`delete from auth.passkey where "userId" = ${userId}`.execute(db);
  await sql`delete from auth."twoFactor" where "userId" = ${userId}`.execute(db);
  await sql`delete from auth."usedCode" where "userId" = ${userId}`.execute(db);
  await sql`delete from auth.verification where identifier = ${email} or strpos(value, ${userId}) > 0`.execute(
    db,
  );
  await sql`update auth."user" set name = 'Erased', email = ${`erased-${userId}@invalid`}, image = null,
      "emailVerified" = false, "twoFactorEnabled" = false, "updatedAt" = now() where id = ${userId}`.execute(
    db,
  );
}
