import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { cancelJob, lockEnded } from '../../platform/jobs/change.ts';

/** Asks a sweep to end: its trials until then stay, and count. @throws DomainError `not_found`, `invalid_state` where it has ended. */
export const cancelSweep = (work: Work, id: string): Promise<void> => cancelJob(work, 'sweep', id);

/**
 * Forgets a sweep with its trials. How many there were, and over what range, is kept: what was tried counts against the best
 * of every later sweep, and deleting it must not make that one look better.
 *
 * @throws DomainError `not_found`, `invalid_state` while it waits or runs.
 */
export async function deleteSweep(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    await lockEnded(tx, 'sweep', id);
    await tx.db
      .deleteFrom('sweep_trial')
      .where('account_id', '=', tx.accountId)
      .where('sweep_id', '=', id)
      .execute();
    await tx.db
      .updateTable('sweep')
      .set({
        deleted_at: now,
        status: 'canceled',
        is_forgotten: true,
        name: '',
        request: '{}',
        visual: '{}',
        terms: '{}',
        failure: null,
        refused: null,
        outcome: null,
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
  });
}
