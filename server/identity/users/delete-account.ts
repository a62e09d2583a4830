import { sql } from 'kysely';
import { type Pool, systemDb } from '../../../db/pool.ts';
import { underAccountLock } from '../../../engine/platform/account-lock.ts';
import { audit } from '../../../engine/platform/audit/audit.ts';
import type { Work } from '../../../engine/platform/context.ts';
import { DomainError } from '../../../engine/platform/errors.ts';
import { dropShareLinks } from '../../../engine/usecases/blueprints/share-links.ts';
import { dropCodes } from '../../../engine/usecases/oauth/grants.ts';
import {
  deactivateAccount,
  refuseWhileActive,
  refuseWhileHoldingLive,
} from '../../../engine/usecases/personal-data/erase.ts';
import type { Principal } from '../../../routers/principal.ts';
import { userOf } from '../confirm-password.ts';
import { deleteSignInMethods } from './erase-user.ts';

/**
 * Deletes the caller's user at once: strategies stop and sign-in is impossible. The operator erases the rest of the personal
 * data by `user:erase -- --left`, because the service's role may not.
 *
 * @throws DomainError `invalid_state` with the step to do first, `session_required`.
 */
export async function deleteAccount(work: Work, principal: Principal): Promise<void> {
  const userId = userOf(principal);
  if (userId === undefined) throw DomainError.of('session_required');
  await refuseWhileHoldingLive(work);
  await deactivateAccount(work);
  await underAccountLock(work, async (tx, at) => {
    await refuseWhileHoldingLive(tx);
    await refuseWhileActive(tx);
    await dropCodes(tx);
    await dropShareLinks(tx);
    const { rows } = await sql<{ email: string }>`select email from auth."user" where id = ${userId}`.execute(
      tx.db,
    );
    const after = { email: rows[0]?.email ?? null };
    await audit(tx, { action: 'user.left', mode: null, subjectId: userId, before: null, after, at });
    await deleteSignInMethods(tx.db, userId, after.email);
  });
}

export type DeletedUser = { accountId: string; userId: string; email: string | null };

/**
 * Finds deleted users that are not erased yet.
 *
 * @param pool as the owner of the tables
 */
export async function findDeletedUsers(pool: Pool): Promise<DeletedUser[]> {
  const { rows } = await sql<DeletedUser>`
    select l.account_id as "accountId", l.subject_id as "userId", l.after ->> 'email' as email
    from audit_event l where l.action = 'user.left' and not exists (select from audit_event e
      where e.account_id = l.account_id and e.action = 'account.erased') order by l.at, l.id`.execute(
    systemDb(pool),
  );
  return rows;
}
