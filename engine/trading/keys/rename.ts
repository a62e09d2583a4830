import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';

/**
 * Renames a key; its rights do not change. The same name changes nothing.
 *
 * @throws DomainError `not_found`.
 */
export async function renameKey(work: Work, id: string, name: string): Promise<void> {
  await underAccountLock(work, async (tx, at) => {
    const key = await tx.db
      .selectFrom('api_key')
      .select('name')
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!key) throw notFound();
    if (key.name === name) return;
    await tx.db
      .updateTable('api_key')
      .set({ name })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    await audit(tx, {
      action: 'api_key.renamed',
      mode: null,
      subjectId: id,
      before: { name: key.name },
      after: { name },
      at,
    });
  });
}
