import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { cancelJob, lockEnded } from '../../platform/jobs/cancel-job.ts';

/** Cancels a sweep: trials until then stay, and count. @throws DomainError `not_found`, `invalid_state` if it has ended. */
export const cancelSweep = (work: Work, id: string): Promise<void> => cancelJob(work, 'sweep', id);

/**
 * Deletes a sweep with its trials. Their number and their range are retained: earlier trials count against the best of every
 * later sweep. Deleting them must not make that one look better.
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
