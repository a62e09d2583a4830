/** The key that seals second factors. `CREDENTIAL_KEYS` wrap it, so that `AUTH_SECRET` may change and those may rotate. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { symmetricDecrypt } from 'better-auth/crypto';
import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { CredentialError } from '../../../engine/trading/connections/credentials/credential-error.ts';
import {
  CIPHER,
  KEY_BYTES,
  type KeyWrapper,
  NONCE_BYTES,
  TAG_BYTES,
  type WrappedKey,
} from '../../../engine/trading/connections/credentials/key-ring.ts';
import type { Logger } from '../../kernel/logger.ts';

/** Prefix of secrets sealed here; the framework's own form is hexadecimal. */
const SEALED = 'gcm:';
/** Prefix of a digest of a recovery code. No generated code has it. */
const DIGEST = 'key:';
const CONTEXT = Buffer.from('second factors');

/** Seals secrets of authenticators and computes digests of recovery codes. */
export class SecondFactorKey {
  readonly #secrets: Buffer;
  readonly #codes: Buffer;

  constructor(dataKey: Buffer) {
    this.#secrets = createHmac('sha256', dataKey).update('secrets of authenticators').digest();
    this.#codes = createHmac('sha256', dataKey).update('recovery codes').digest();
  }

  seal(secret: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#secrets, nonce).setAAD(CONTEXT);
    const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return SEALED + Buffer.concat(sealed).toString('base64');
  }

  /** Null if it was sealed under another key, or modified. */
  open(text: string): string | null {
    const sealed = Buffer.from(text.slice(SEALED.length), 'base64');
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(CIPHER, this.#secrets, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(CONTEXT).setAuthTag(sealed.subarray(-TAG_BYTES));
    const secret = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  digest(code: string): string {
    return DIGEST + createHmac('sha256', this.#codes).update(code.trim()).digest('base64url');
  }
}

export const isSealed = (text: string): boolean => text.startsWith(SEALED);
export const isDigest = (text: string): boolean => text.startsWith(DIGEST);

/**
 * Returns the key of this database, created by the first process.
 *
 * @throws CredentialError if `CREDENTIAL_KEYS` lack the key that wrapped it.
 */
export async function openSecondFactorKey(db: Db, keys: KeyWrapper): Promise<SecondFactorKey> {
  const { keyId, wrappedKey } = await keys.wrap(randomBytes(KEY_BYTES), CONTEXT);
  await sql`insert into auth."secondFactorKey" ("keyId", "wrappedKey") values (${keyId}, ${wrappedKey})
    on conflict do nothing`.execute(db);
  const stored = await readKey(db);
  if (!stored) throw new Error('The key of second factors was removed while it was read.');
  return new SecondFactorKey(await keys.unwrap(stored, CONTEXT));
}

async function readKey(db: Db): Promise<WrappedKey | null> {
  const { rows } = await sql<WrappedKey>`select "keyId", "wrappedKey" from auth."secondFactorKey"`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Returns the data key of second factors; null without one. Throws {@link CredentialError} if the keys do not open it. */
export async function unwrapSecondFactorKey(db: Db, keys: KeyWrapper): Promise<Buffer | null> {
  const stored = await readKey(db);
  return stored && keys.unwrap(stored, CONTEXT);
}

/** Returns the name of the key that wraps the key of second factors; null without one. */
export const readSecondFactorUse = async (db: Db): Promise<string | null> =>
  (await readKey(db))?.keyId ?? null;

/**
 * Wraps the key of second factors with the first of `CREDENTIAL_KEYS`.
 *
 * @returns whether it was wrapped by another one.
 * @throws CredentialError if the keys lack the one that wrapped it.
 */
export async function rewrapSecondFactorKey(db: Db, keys: KeyWrapper): Promise<boolean> {
  const stored = await readKey(db);
  if (!stored || stored.keyId === keys.currentKeyId) return false;
  const { keyId, wrappedKey } = await keys.wrap(await keys.unwrap(stored, CONTEXT), CONTEXT);
  await sql`update auth."secondFactorKey" set "keyId" = ${keyId}, "wrappedKey" = ${wrappedKey}
    where "wrappedKey" = ${stored.wrappedKey}`.execute(db);
  return true;
}

/**
 * Seals the authenticators' secrets that are still encrypted under `AUTH_SECRET`.
 *
 * @returns how many it cannot open: they were encrypted under an earlier `AUTH_SECRET`.
 */
export async function sealSecondFactors(db: Db, key: SecondFactorKey, authSecret: string): Promise<number> {
  const { rows } = await sql<{ id: string; secret: string }>`select id, secret from auth."twoFactor"
    where not starts_with(secret, ${SEALED})`.execute(db);
  let unreadable = 0;
  for (const { id, secret } of rows) {
    const plain = await symmetricDecrypt({ key: authSecret, data: secret }).catch(() => null);
    if (plain === null) unreadable += 1;
    else
      await sql`update auth."twoFactor" set secret = ${key.seal(plain)}
        where id = ${id} and secret = ${secret}`.execute(db);
  }
  return unreadable;
}

export type SecondFactorStart = { db: Db; keys: KeyWrapper | null; authSecret: string; log: Logger };

/** Opens the key at a start and seals the rest of the secrets; null if second factors stay under `AUTH_SECRET`. */
export async function startSecondFactors({
  db,
  keys,
  authSecret,
  log,
}: SecondFactorStart): Promise<SecondFactorKey | null> {
  if (keys === null) return null;
  try {
    const key = await openSecondFactorKey(db, keys);
    const unreadable = await sealSecondFactors(db, key, authSecret);
    if (unreadable > 0) log.warn({ unreadable }, 'second factors were made under an earlier AUTH_SECRET');
    return key;
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    log.error({ error: error.message }, 'second factors cannot be opened: CREDENTIAL_KEYS lack their key');
    return null;
  }
}
