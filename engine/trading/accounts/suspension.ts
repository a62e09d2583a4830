import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';

/**
 * Refuses what takes a suspended account further in. Call under the account's lock.
 *
 * @throws DomainError `account_suspended`
 */
export async function refuseSuspended({ db, accountId }: Work): Promise<void> {
  const { suspended_at: suspendedAt } = await db
    .selectFrom('account')
    .select('suspended_at')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (suspendedAt !== null) throw accountSuspended();
}

export const accountSuspended = () => DomainError.of('account_suspended');
