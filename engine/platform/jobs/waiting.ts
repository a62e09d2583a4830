import type { Work } from '../context.ts';
import { DomainError } from '../errors.ts';

/**
 * Refuses one more job where so many of the account wait, besides those that run.
 *
 * @throws DomainError `quota_exceeded` with how many wait, and of how many at most.
 */
export async function refuseMoreThanWait(
  { db, accountId }: Work,
  table: 'backtest' | 'sweep',
  waitingMax: number,
): Promise<void> {
  const { waiting } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('waiting'))
    .where('account_id', '=', accountId)
    .where('status', '=', 'queued')
    .executeTakeFirstOrThrow();
  if (Number(waiting) < waitingMax) return;
  throw new DomainError(
    'quota_exceeded',
    `${waiting} ${table}s of the account wait, of at most ${waitingMax}. Wait until one begins, or cancel one.`,
  );
}
