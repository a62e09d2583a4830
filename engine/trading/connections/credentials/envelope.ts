/**
 * Credentials at rest: AES-256-GCM under a data key of their own, which is stored wrapped. Both are bound to the connection
 * and the version they are of, so that no row can stand in for another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Venue } from '../../../../db/vocabulary.ts';
import { CredentialError } from './credential-error.ts';
import { CIPHER, KEY_BYTES, type KeyWrapper, NONCE_BYTES, TAG_BYTES, type WrappedKey } from './key-ring.ts';

/** What sealed credentials are of; each entry of credentials is a version. */
export type CredentialOwner = {
  readonly accountId: string;
  readonly connectionId: string;
  readonly version: number;
  readonly venue: Venue;
  readonly environment: 'demo' | 'testnet' | 'live';
};

/** Credentials as they are stored, a column each. */
export type SealedCredentials = WrappedKey & {
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
};

/** The bytes that both ciphers authenticate. Ids hold no `|`, so that no two owners have the same. */
function contextOf({ accountId, connectionId, version, venue, environment }: CredentialOwner): Buffer {
  const parts = [accountId, connectionId, String(version), venue, environment];
  if (parts.some((part) => part === '' || part.includes('|'))) {
    throw new RangeError('what credentials are of has a part that is empty or holds a |');
  }
  return Buffer.from(parts.join('|'));
}

/** Encrypts credentials under a data key that is used for nothing else. */
export const seal = async (
  plain: Buffer,
  owner: CredentialOwner,
  keys: KeyWrapper,
): Promise<SealedCredentials> => sealFor(contextOf(owner), plain, keys);

/** Encrypts what belongs to `context`, which is what it has to be opened for. */
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
 * Decrypts credentials for as long as `use` takes to make something of them, such as a signer; then the bytes are gone.
 *
 * @throws CredentialError where they are locked, or are not those of `owner`.
 */
export const withOpened = <Result>(
  sealed: SealedCredentials,
  owner: CredentialOwner,
  keys: KeyWrapper,
  use: (plain: Buffer) => Result,
): Promise<Result> => withOpenedFor(contextOf(owner), sealed, keys, use);

/** Decrypts what was sealed for `context`. @throws CredentialError as {@link withOpened}. */
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

/** The same data key under the current key: what was encrypted stays as it is. Throws a CredentialError. */
export const rewrapped = (
  wrapped: WrappedKey,
  owner: CredentialOwner,
  keys: KeyWrapper,
): Promise<WrappedKey> => rewrappedFor(contextOf(owner), wrapped, keys);

/** The same for what was sealed for `context`. Throws a CredentialError. */
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
