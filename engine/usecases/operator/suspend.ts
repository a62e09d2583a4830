import { MODES } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { cancelBuys } from '../../trading/orders/lifecycle/cancel-orders.ts';

/**
 * Suspends an account: from the commit on it buys nothing, deploys nothing and creates no key. Its buys are canceled, those that
 * wait for approval declined. Stops, cancels, closes, sells and reads work as before, and its strategies still get out.
 *
 * @param reason shown to the owner of the account
 * @throws DomainError `not_found`, `invalid_state` if it is suspended already, `account_moving`
 */
export async function suspendAccount(work: Work, reason: string): Promise<void> {
  await requireAccount(work);
  await underAccountLock(
    work,
    async (tx, at) => {
      const { numUpdatedRows } = await tx.db
        .updateTable('account')
        .set({ suspended_at: at, suspension_reason: reason })
        .where('id', '=', tx.accountId)
        .where('suspended_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new DomainError('invalid_state', 'The account is suspended already.');
      for (const mode of MODES)
        await cancelBuys({ ...tx, mode }, at, {
          reasonCode: 'account_suspended',
          reason: `An operator suspended the account: ${reason}`,
          declinePending: true,
        });
      await audit(tx, {
        action: 'account.suspended',
        mode: null,
        subjectId: tx.accountId,
        before: null,
        after: { reason },
        at,
      });
    },
    { isUrgent: true },
  );
}

/** Ends a suspension. @throws DomainError `not_found`, `invalid_state` if the account is not suspended, `account_moving` */
export async function resumeAccount(work: Work, reason: string): Promise<void> {
  await requireAccount(work);
  await underAccountLock(work, async (tx, at) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('account')
      .set({ suspended_at: null, suspension_reason: null })
      .where('id', '=', tx.accountId)
      .where('suspended_at', 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new DomainError('invalid_state', 'The account is not suspended.');
    await audit(tx, {
      action: 'account.resumed',
      mode: null,
      subjectId: tx.accountId,
      before: null,
      after: { reason },
      at,
    });
  });
}

/** @throws DomainError `not_found` for an id of no account here */
export async function requireAccount({ db, accountId }: Work): Promise<void> {
  const found = await db.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
  if (found === undefined) throw notFound();
}
