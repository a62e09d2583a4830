import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';

const MIB = 1024 * 1024;

/** The reason why the quota's guarded update did not happen, with the numbers. Only a new blueprint counts as one more. */
export async function quotaExceeded(
  { db, accountId }: Work,
  { isNew }: { isNew: boolean },
): Promise<DomainError> {
  const account = await db
    .selectFrom('account')
    .select(['blueprint_count', 'blueprints_max', 'visual_bytes', 'visual_bytes_max'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (isNew && account.blueprint_count >= account.blueprints_max) {
    return new DomainError(
      'quota_exceeded',
      `The account has ${account.blueprint_count} blueprints of at most ${account.blueprints_max}. Delete one first.`,
    );
  }
  const mib = (bytes: number) => Number((bytes / MIB).toFixed(1));
  return new DomainError(
    'quota_exceeded',
    `The graphs of the account's blueprints take ${mib(account.visual_bytes)} MiB of at most ${mib(account.visual_bytes_max)} MiB. Delete or shrink some first.`,
  );
}
