import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import { isSessionActor } from '../../platform/audit/session-actor.ts';
import type { Work } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { hashToken, newToken } from './token.ts';

/**
 * Revokes a key, and ends the tokens of signals that it was shown: the next request with it is refused, in every process. Revoking a revoked key again changes nothing and is
 * no error.
 *
 * @throws DomainError `not_found`, also if the caller is a key of another mode.
 */
export async function revokeKey(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, at) => {
    const { db } = tx;
    const key = await db
      .selectFrom('api_key')
      .select(['name', 'mode', 'revoked_at'])
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!key || (key.mode !== tx.mode && !isSessionActor(tx.actor))) throw notFound();
    if (key.revoked_at !== null) return;
    await db
      .updateTable('api_key')
      .set({ revoked_at: at })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    await audit(tx, {
      action: 'api_key.revoked',
      mode: null,
      subjectId: id,
      before: { name: key.name, revokedAt: null },
      after: { name: key.name, revokedAt: at.toISOString() },
      at,
    });
    await endSignalTokens(tx, id, at);
  });
}

/** Replaces the tokens of signals that this key was shown by discarded ones. */
async function endSignalTokens(tx: Work, keyId: string, at: Date): Promise<void> {
  const signals = await tx.db
    .selectFrom('signal')
    .select('name')
    .where('account_id', '=', tx.accountId)
    .where('token_key_id', '=', keyId)
    .forUpdate()
    .execute();
  for (const { name } of signals) {
    await tx.db
      .updateTable('signal')
      .set({ token_hash: hashToken(newToken()), token_key_id: null })
      .where('account_id', '=', tx.accountId)
      .where('name', '=', name)
      .execute();
    const after = { name, keyId };
    await audit(tx, { action: 'signal.token_ended', mode: null, subjectId: null, before: null, after, at });
  }
}
