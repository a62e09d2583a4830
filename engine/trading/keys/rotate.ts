import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { readCell } from './cell.ts';
import type { CreatedKey } from './create.ts';
import { hashToken, newToken } from './token.ts';

/** A week: long enough to roll a key out, short enough not to forget the old one. */
export const GRACE_MAX_SEC = 604_800;

/**
 * Replaces a key by a new one with the same name, scopes, mode, spending limits and expiry. The old key ends after `graceSec`,
 * by default at once, and never later than its own expiry.
 *
 * @throws DomainError `not_found`; `invalid_state` for a key that is revoked, expired or a client's; `live_trading_off` for a live
 *   key while live trading is off.
 */
export async function rotateKey(
  work: Work,
  id: string,
  graceSec: number,
  createdBy: string,
  { isLiveOn }: { isLiveOn: boolean },
): Promise<CreatedKey> {
  return underAccountLock(work, async (tx, now) => {
    const old = await liveKey(tx, id, now);
    if (old.mode === 'live' && !isLiveOn) throw DomainError.of('live_trading_off');
    const replacement = { id: newId(), key: newToken(await readCell(tx.db)) };
    const endsAt = new Date(now.getTime() + graceSec * 1_000);
    const { db } = tx;
    await db
      .insertInto('api_key')
      .values({
        account_id: tx.accountId,
        id: replacement.id,
        name: old.name,
        token_hash: hashToken(replacement.key),
        start: replacement.key.slice(0, 8),
        last4: replacement.key.slice(-4),
        scopes: old.scopes,
        mode: old.mode,
        envelope: old.envelope === null ? null : JSON.stringify(old.envelope),
        created_at: now,
        expires_at: old.expires_at,
        rotated_from: id,
        created_by: createdBy,
      })
      .execute();
    await db
      .updateTable('api_key')
      .set({ expires_at: earlier(endsAt, old.expires_at) })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    await db
      .updateTable('signal')
      .set({ token_key_id: replacement.id })
      .where('account_id', '=', tx.accountId)
      .where('token_key_id', '=', id)
      .execute();
    const expiresAt = old.expires_at === null ? null : new Date(old.expires_at);
    await audit(tx, {
      action: 'api_key.rotated',
      mode: null,
      subjectId: id,
      before: { name: old.name, expiresAt: expiresAt?.toISOString() ?? null },
      after: { replacedBy: replacement.id, expiresAt: earlier(endsAt, old.expires_at).toISOString() },
      at: now,
    });
    return {
      ...replacement,
      name: old.name,
      scopes: old.scopes,
      expiresAt,
      createdAt: now,
    };
  });
}

async function liveKey(tx: Work, id: string, now: Date) {
  const key = await tx.db
    .selectFrom('api_key')
    .select(['name', 'scopes', 'mode', 'envelope', 'expires_at', 'revoked_at'])
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!key) throw notFound();
  const expired = key.expires_at !== null && new Date(key.expires_at) <= now;
  if (key.revoked_at !== null || expired) {
    throw new DomainError(
      'invalid_state',
      `The key is ${key.revoked_at !== null ? 'revoked' : 'expired'}: create a new one instead.`,
    );
  }
  await refuseKeyOfClient(tx, id);
  return key;
}

/** The tokens of a client's key are renewed by the client alone. */
async function refuseKeyOfClient({ db, accountId }: Work, id: string): Promise<void> {
  const grant = await db
    .selectFrom('oauth_grant')
    .select('client_name')
    .where('account_id', '=', accountId)
    .where('key_id', '=', id)
    .executeTakeFirst();
  if (grant === undefined) return;
  throw new DomainError(
    'invalid_state',
    `The client “${grant.client_name}” renews its own access. Revoke the key to end it.`,
  );
}

const earlier = (moment: Date, other: string | null): Date =>
  other === null || moment < new Date(other) ? moment : new Date(other);
