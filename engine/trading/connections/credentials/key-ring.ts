/** Keys that wrap data keys: from the setting `CREDENTIAL_KEYS`, or from a key management service behind the same port. */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { CredentialError } from './credential-error.ts';

/** Stored form of a data key, next to its ciphertext. */
export type WrappedKey = { readonly keyId: string; readonly wrappedKey: Buffer };

/**
 * Wraps and unwraps data keys. Each is bound to a `context`: a wrapped key is useless with another record.
 * `unwrap` throws a {@link CredentialError}.
 */
export type KeyWrapper = {
  /** Key that wraps new data keys. */
  readonly currentKeyId: string;
  wrap(dataKey: Buffer, context: Buffer): Promise<WrappedKey>;
  unwrap(wrapped: WrappedKey, context: Buffer): Promise<Buffer>;
};

export const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
/** Minimum number of distinct bytes in a key: 32 random bytes have fewer less than once in 10^20 times. */
const DISTINCT_BYTES_MIN = 16;

/** AES-256-GCM under one of several keys: the first wraps, all unwrap. No key can be printed. */
export class KeyRing implements KeyWrapper {
  readonly currentKeyId: string;
  readonly #keys: ReadonlyMap<string, KeyObject>;

  private constructor(keys: ReadonlyMap<string, KeyObject>, currentKeyId: string) {
    this.#keys = keys;
    this.currentKeyId = currentKeyId;
  }

  /**
   * Reads `k2:base64,k1:base64`, 32 random bytes each.
   *
   * @throws RangeError with a message for the operator that contains no part of a key.
   */
  static parse(text: string): KeyRing {
    const keys = new Map<string, KeyObject>();
    for (const [index, item] of text.split(',').entries()) {
      const [id = '', encoded = '', ...rest] = item.trim().split(':');
      const label = `its key number ${index + 1}`;
      if (!KEY_ID.test(id) || rest.length > 0) {
        throw new RangeError(
          `${label} has to have the form name:base64, the name of letters, digits, - and _`,
        );
      }
      if (keys.has(id)) throw new RangeError(`${label} repeats the name of an earlier key`);
      const key = Buffer.from(encoded, 'base64');
      if (key.length !== KEY_BYTES || key.toString('base64') !== encoded) {
        throw new RangeError(`${label} has to be the base64 of ${KEY_BYTES} bytes`);
      }
      if (new Set(key).size < DISTINCT_BYTES_MIN) throw new RangeError(`${label} has to be random`);
      keys.set(id, createSecretKey(key));
      key.fill(0);
    }
    const [currentKeyId = ''] = keys.keys();
    return new KeyRing(keys, currentKeyId);
  }

  /** Whether it has the key of this name. */
  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  async wrap(dataKey: Buffer, context: Buffer): Promise<WrappedKey> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(this.currentKeyId), nonce).setAAD(context);
    const wrapped = [nonce, cipher.update(dataKey), cipher.final(), cipher.getAuthTag()];
    return { keyId: this.currentKeyId, wrappedKey: Buffer.concat(wrapped) };
  }

  async unwrap({ keyId, wrappedKey }: WrappedKey, context: Buffer): Promise<Buffer> {
    const key = this.#key(keyId);
    if (wrappedKey.length !== NONCE_BYTES + KEY_BYTES + TAG_BYTES) throw CredentialError.refused();
    const nonce = wrappedKey.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(context).setAuthTag(wrappedKey.subarray(-TAG_BYTES));
    const dataKey = decipher.update(wrappedKey.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      decipher.final();
      return dataKey;
    } catch {
      dataKey.fill(0);
      throw CredentialError.refused();
    }
  }

  #key(id: string): KeyObject {
    const key = this.#keys.get(id);
    if (key === undefined) throw CredentialError.locked(id);
    return key;
  }
}
