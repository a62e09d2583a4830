import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { readCell } from '../../trading/keys/cell.ts';
import { createKey } from '../../trading/keys/create.ts';
import { revokeKey } from '../../trading/keys/revoke.ts';
import type { SpendingLimits } from '../../trading/keys/spending-limits.ts';
import { hashToken, newSecret, newToken } from '../../trading/keys/token.ts';
import { noteClientUsed } from './clients.ts';

/** How long an access token is valid, unless its key ends before. */
export const ACCESS_LIFETIME_SEC = 3_600;
const REFRESH = /^tsr_([\w-]{43})\.([\w-]{43})$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

export type IssuedTokens = {
  readonly accessToken: string;
  /** Replaces the one before: using that again revokes the key. */
  readonly refreshToken: string;
  readonly expiresInSec: number;
  readonly scopes: readonly string[];
};

/** A grant as found by a secret, over all accounts. */
export type FoundGrant = {
  readonly accountId: string;
  readonly id: string;
  readonly actor: string;
  readonly keyId: string | null;
};

const HASHES = { code: 'code_hash', access: 'access_hash', family: 'family_hash' } as const;

/** Finds the grant of a code or token, over all accounts; null if there is none. `db` sees all accounts. */
export async function findGrant(db: Db, secret: string): Promise<FoundGrant | null> {
  const family = REFRESH.exec(secret)?.[1];
  const kind = family !== undefined ? 'family' : secret.startsWith('tsk_') ? 'access' : 'code';
  const row = await db
    .selectFrom('oauth_grant')
    .select(['account_id', 'id', 'actor', 'key_id'])
    .where(HASHES[kind], '=', hashToken(family ?? secret))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { account_id: accountId, id, actor, key_id: keyId } = row;
  return { accountId, id, actor, keyId };
}

export type Redemption = {
  readonly clientId: string;
  readonly codeVerifier: string;
  readonly redirectUri: string | undefined;
};

/**
 * Redeems a code: creates the key that the person granted, and its first tokens; null if it is refused, as after the end of
 * the session that granted it. A second use of a code with the right verifier revokes the key. `work` acts as the person.
 */
export function redeemCode(work: Work, grantId: string, given: Redemption): Promise<IssuedTokens | null> {
  return underAccountLock(work, async (tx, now) => {
    const grant = await lockGrant(tx, grantId);
    if (grant === undefined || !isHolder(grant, given)) return null;
    if (grant.key_id !== null) {
      await revokeKey(tx, grant.key_id);
      return null;
    }
    if (new Date(grant.code_expires_at) <= now) return null;
    if (!(await isSessionValid(tx, grant.created_by, now))) return null;
    const { id } = await createKey(tx, {
      name: grant.name,
      scopes: grant.scopes,
      envelope: grant.envelope as SpendingLimits | null,
      expiresAt: new Date(grant.ends_at),
      createdBy: grant.created_by,
      client: { id: grant.client_id, name: grant.client_name, redirectUri: grant.redirect_uri },
    });
    return issue(tx, { ...grant, key_id: id }, now);
  });
}

/** The result of an exchange: new tokens, or none; `reused` revoked the key. */
export type Refreshed = IssuedTokens | 'refused' | 'reused';

/** Exchanges a refresh token. A token that was exchanged before revokes the key: one of its two holders is a thief. */
export function refreshTokens(
  work: Work,
  grantId: string,
  { clientId, refreshToken }: { clientId: string; refreshToken: string },
): Promise<Refreshed> {
  return underAccountLock(work, async (tx, now) => {
    const grant = await lockGrant(tx, grantId);
    const secret = REFRESH.exec(refreshToken)?.[2];
    if (grant?.refresh_hash == null || secret === undefined || grant.client_id !== clientId) return 'refused';
    if (!(await isKeyValid(tx, grant.key_id, now))) return 'refused';
    if (hashToken(secret).equals(Buffer.from(grant.refresh_hash)))
      return issue(tx, grant, now, REFRESH.exec(refreshToken)?.[1]);
    if (grant.key_id !== null) await revokeKey(tx, grant.key_id);
    return 'reused';
  });
}

/** Revokes the key of a grant, as its client asks for. */
export async function revokeGrant(work: Work, grantId: string, clientId: string): Promise<void> {
  await underAccountLock(work, async (tx) => {
    const grant = await lockGrant(tx, grantId);
    if (grant?.client_id === clientId && grant.key_id !== null) await revokeKey(tx, grant.key_id);
  });
}

type Grant = NonNullable<Awaited<ReturnType<typeof lockGrant>>>;

const lockGrant = ({ db, accountId }: Work, id: string) =>
  db
    .selectFrom('oauth_grant')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

const isHolder = (
  { client_id, redirect_uri, code_challenge }: Grant,
  { clientId, codeVerifier, redirectUri }: Redemption,
): boolean =>
  client_id === clientId &&
  (redirectUri === undefined || redirectUri === redirect_uri) &&
  VERIFIER.test(codeVerifier) &&
  hash('sha256', codeVerifier, 'base64url') === code_challenge;

/** A deleted user has no session. */
async function isSessionValid({ db }: Work, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from auth.session where id = ${id} and "expiresAt" > ${now}`.execute(db);
  return rows.length > 0;
}

async function isKeyValid({ db, accountId }: Work, id: string | null, now: Date): Promise<boolean> {
  const key = await db
    .selectFrom('api_key')
    .select('expires_at')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return key !== undefined && (key.expires_at === null || new Date(key.expires_at) > now);
}

/** Stores the hashes of new tokens. Those before are invalid from then on. */
async function issue(tx: Work, grant: Grant, now: Date, family = newSecret()): Promise<IssuedTokens> {
  const [accessToken, secret] = [newToken(await readCell(tx.db)), newSecret()];
  const leftSec = Math.floor((Date.parse(grant.ends_at) - now.getTime()) / 1_000);
  const expiresInSec = Math.min(ACCESS_LIFETIME_SEC, leftSec);
  await tx.db
    .updateTable('oauth_grant')
    .set({
      key_id: grant.key_id,
      access_hash: hashToken(accessToken),
      access_expires_at: new Date(now.getTime() + expiresInSec * 1_000),
      family_hash: hashToken(family),
      refresh_hash: hashToken(secret),
    })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', grant.id)
    .execute();
  await noteClientUsed(tx.db, grant.client_id, now);
  return { accessToken, refreshToken: `tsr_${family}.${secret}`, expiresInSec, scopes: grant.scopes };
}
