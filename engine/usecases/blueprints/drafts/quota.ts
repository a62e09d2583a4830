import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';

/** The most blueprints of one account, without deleted ones. */
export const BLUEPRINTS_MAX = 200;
/** The most bytes of all graphs of one account. */
export const GRAPHS_BYTES_MAX = 16 * 1024 * 1024;

/** The reason why the quota's guarded update did not happen, with the numbers. */
export async function quotaExceeded(work: Work): Promise<DomainError> {
  const account = await work.db
    .selectFrom('account')
    .select(['blueprint_count', 'visual_bytes'])
    .where('id', '=', work.accountId)
    .executeTakeFirstOrThrow();
  if (account.blueprint_count >= BLUEPRINTS_MAX) {
    return new DomainError(
      'quota_exceeded',
      `The account has ${account.blueprint_count} blueprints of at most ${BLUEPRINTS_MAX}. Delete one first.`,
    );
  }
  const usedMiB = (account.visual_bytes / 1024 / 1024).toFixed(1);
  return new DomainError(
    'quota_exceeded',
    `The graphs of the account's blueprints take ${usedMiB} MiB of at most 16 MiB. Delete or shrink some first.`,
  );
}
