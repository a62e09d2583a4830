import { underAccountLock } from '../account-lock.ts';
import { audit } from '../audit.ts';
import type { Work } from '../context.ts';
import { DomainError, invalid } from '../errors.ts';
import { newId } from '../ids.ts';
import { hashToken, newToken } from './token.ts';

const DAY_MS = 86_400_000;
export const KEY_LIFETIME_DEFAULT_DAYS = 90;
export const KEY_LIFETIME_MAX_DAYS = 366;
/** Most keys of one account that are neither revoked nor expired. */
export const KEYS_MAX = 100;

export type NewKey = {
  name: string;
  scopes: readonly string[];
  /** Null for never; absent for 90 days from now. */
  expiresAt?: Date | null | undefined;
  createdBy: string | null;
};

export type CreatedKey = {
  id: string;
  /** The secret. Shown this once: only its hash is stored. */
  key: string;
  name: string;
  scopes: readonly string[];
  expiresAt: Date | null;
  createdAt: Date;
};

/**
 * Makes a key.
 *
 * @throws DomainError `validation_failed` for an expiry in the past or over 366 days away, `quota_exceeded`.
 */
export async function createKey(work: Work, wanted: NewKey): Promise<CreatedKey> {
  return underAccountLock(work, async (tx, createdAt) => {
    const expiresAt = expiryOf(wanted.expiresAt, createdAt);
    await refuseTooMany(tx, createdAt);
    const id = newId();
    const key = newToken();
    await tx.db
      .insertInto('api_key')
      .values({
        account_id: tx.accountId,
        id,
        name: wanted.name,
        token_hash: hashToken(key),
        start: key.slice(0, 8),
        last4: key.slice(-4),
        scopes: [...wanted.scopes],
        created_at: createdAt,
        expires_at: expiresAt,
        created_by: wanted.createdBy,
      })
      .execute();
    await audit(tx, {
      action: 'api_key.created',
      mode: null,
      subjectId: id,
      before: null,
      after: { name: wanted.name, scopes: [...wanted.scopes], expiresAt: expiresAt?.toISOString() ?? null },
      at: createdAt,
    });
    return { id, key, name: wanted.name, scopes: wanted.scopes, expiresAt, createdAt };
  });
}

function expiryOf(wanted: Date | null | undefined, now: Date): Date | null {
  if (wanted === null) return null;
  if (wanted === undefined) return new Date(now.getTime() + KEY_LIFETIME_DEFAULT_DAYS * DAY_MS);
  const lifetimeMs = wanted.getTime() - now.getTime();
  if (lifetimeMs > 0 && lifetimeMs <= KEY_LIFETIME_MAX_DAYS * DAY_MS) return wanted;
  const message = `must lie between now and ${KEY_LIFETIME_MAX_DAYS} days from now; null means never`;
  throw invalid([{ path: '/expiresAt', code: 'out_of_range', message }]);
}

async function refuseTooMany(tx: Work, now: Date): Promise<void> {
  const { live } = await tx.db
    .selectFrom('api_key')
    .select(({ fn }) => fn.countAll<string>().as('live'))
    .where('account_id', '=', tx.accountId)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .executeTakeFirstOrThrow();
  if (Number(live) < KEYS_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    `The account has ${live} live keys of at most ${KEYS_MAX}. Revoke one first.`,
  );
}
