import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { requireAccount } from './suspend.ts';

/** The most that an account may have. A new one has the defaults of the table. */
export type AccountLimits = {
  /** Blueprints, without deleted ones. */
  blueprints: number;
  /** Bytes of all their graphs. */
  graphBytes: number;
  /** Keys that are neither revoked nor expired. */
  keys: number;
};

/** The most that an operator may give. Lists of the console hold as many rows. */
export const ACCOUNT_LIMITS_MAX: AccountLimits = {
  blueprints: 1_000,
  graphBytes: 64 * 1024 * 1024,
  keys: 1_000,
};

/**
 * Sets the limits of an account, from its next request on. What it has beyond a lower limit stays and works;
 * further ones are refused.
 *
 * @param reason shown to the owner of the account
 * @throws DomainError `not_found`, `account_moving`
 */
export async function setAccountLimits(work: Work, limits: AccountLimits, reason: string): Promise<void> {
  await requireAccount(work);
  await underAccountLock(work, async (tx, at) => {
    const before = await readAccountLimits(tx);
    await tx.db
      .updateTable('account')
      .set({
        blueprints_max: limits.blueprints,
        visual_bytes_max: limits.graphBytes,
        keys_max: limits.keys,
      })
      .where('id', '=', tx.accountId)
      .execute();
    await audit(tx, {
      action: 'account.limits_set',
      mode: null,
      subjectId: tx.accountId,
      before,
      after: { ...limits, reason },
      at,
    });
  });
}

const readAccountLimits = ({ db, accountId }: Work): Promise<AccountLimits> =>
  db
    .selectFrom('account')
    .select(['blueprints_max as blueprints', 'visual_bytes_max as graphBytes', 'keys_max as keys'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
