/**
 * Encrypts credentials at rest: AES-256-GCM under a separate data key, which is stored wrapped. Both are bound to their
 * connection and version, so that no row can replace another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Venue } from '../../../../db/vocabulary.ts';
import { CredentialError } from './credential-error.ts';
import { CIPHER, KEY_BYTES, type KeyWrapper, NONCE_BYTES, TAG_BYTES, type WrappedKey } from './key-ring.ts';

/** Connection and version that sealed credentials are bound to; each entry of credentials is a new version. */
export type CredentialOwner = {
  readonly accountId: string;
  readonly connectionId: string;
  readonly version: number;
  readonly venue: Venue;
  readonly environment: 'demo' | 'testnet' | 'live';
};

/** Stored form of credentials, one column a field. */
export type SealedCredentials = WrappedKey & {
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
};

/** Returns the bytes that both ciphers authenticate. No part contains `|`, so that they are unique for each owner. */
function contextOf({ accountId, connectionId, version, venue, environment }: CredentialOwner): Buffer {
  const parts = [accountId, connectionId, String(version), venue, environment];
  if (parts.some((part) => part === '' || part.includes('|'))) {
    throw new RangeError('a part of the credential owner is empty or contains |');
  }
  return Buffer.from(parts.join('|'));
}

/** Encrypts credentials under a new data key, used only for them. */
export const seal = async (
  plain: Buffer,
  owner: CredentialOwner,
  keys: KeyWrapper,
): Promise<SealedCredentials> => sealFor(contextOf(owner), plain, keys);

/** Encrypts data bound to `context`; opening needs the same context. */
export async function sealFor(context: Buffer, plain: Buffer, keys: KeyWrapper): Promise<SealedCredentials> {
  const dataKey = randomBytes(KEY_BYTES);
  try {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, dataKey, nonce).setAAD(context);
    const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
    return { ...(await keys.wrap(dataKey, context)), nonce, ciphertext, tag: cipher.getAuthTag() };
  } finally {
    dataKey.fill(0);
  }
}

/**
 * Decrypts credentials while `use` runs, for example to build a signer; then erases the bytes.
 *
 * @throws CredentialError if they are locked, or do not belong to `owner`.
 */
export const withOpened = <Result>(
  sealed: SealedCredentials,
  owner: CredentialOwner,
  keys: KeyWrapper,
  use: (plain: Buffer) => Result,
): Promise<Result> => withOpenedFor(contextOf(owner), sealed, keys, use);

/** Decrypts data sealed for `context`. @throws CredentialError as {@link withOpened}. */
export async function withOpenedFor<Result>(
  context: Buffer,
  sealed: SealedCredentials,
  keys: KeyWrapper,
  use: (plain: Buffer) => Result,
): Promise<Result> {
  const dataKey = await keys.unwrap(sealed, context);
  let plain: Buffer | null = null;
  try {
    plain = decrypted(sealed, dataKey, context);
    return use(plain);
  } finally {
    plain?.fill(0);
    dataKey.fill(0);
  }
}

function decrypted({ nonce, ciphertext, tag }: SealedCredentials, dataKey: Buffer, context: Buffer): Buffer {
  if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) throw CredentialError.refused();
  const decipher = createDecipheriv(CIPHER, dataKey, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(context).setAuthTag(tag);
  const plain = decipher.update(ciphertext);
  try {
    decipher.final();
    return plain;
  } catch {
    plain.fill(0);
    throw CredentialError.refused();
  }
}

/** Whether new credentials would be wrapped with the same key. */
export const isCurrent = ({ keyId }: WrappedKey, { currentKeyId }: KeyWrapper): boolean =>
  keyId === currentKeyId;

/** Rewraps the data key under the current key; the ciphertext does not change. Throws a CredentialError. */
export const rewrapped = (
  wrapped: WrappedKey,
  owner: CredentialOwner,
  keys: KeyWrapper,
): Promise<WrappedKey> => rewrappedFor(contextOf(owner), wrapped, keys);

/** Rewraps the data key of data sealed for `context`. Throws a CredentialError. */
export async function rewrappedFor(
  context: Buffer,
  { keyId, wrappedKey }: WrappedKey,
  keys: KeyWrapper,
): Promise<WrappedKey> {
  const dataKey = await keys.unwrap({ keyId, wrappedKey }, context);
  try {
    return await keys.wrap(dataKey, context);
  } finally {
    dataKey.fill(0);
  }
}
