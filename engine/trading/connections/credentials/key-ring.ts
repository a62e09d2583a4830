/** The keys that wrap data keys: from the setting `CREDENTIAL_KEYS`, or from a service for keys behind the same port. */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { CredentialError } from './credential-error.ts';

/** A data key as it is stored beside what it encrypts. */
export type WrappedKey = { readonly keyId: string; readonly wrappedKey: Buffer };

/**
 * Wraps and unwraps data keys. `context` is bound to each: a wrapped key is worth nothing beside another record.
 * `unwrap` throws a {@link CredentialError}.
 */
export type KeyWrapper = {
  /** What new data keys are wrapped with. */
  readonly currentKeyId: string;
  wrap(dataKey: Buffer, context: Buffer): Promise<WrappedKey>;
  unwrap(wrapped: WrappedKey, context: Buffer): Promise<Buffer>;
};

export const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
/** Of 32 random bytes fewer than this differ once in more than 10^20 times. */
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
   * @throws RangeError in words for whoever set it, which hold nothing of any key.
   */
  static parse(text: string): KeyRing {
    const keys = new Map<string, KeyObject>();
    for (const [index, item] of text.split(',').entries()) {
      const [id = '', encoded = '', ...rest] = item.trim().split(':');
      const place = `its key number ${index + 1}`;
      if (!KEY_ID.test(id) || rest.length > 0) {
        throw new RangeError(`${place} has to look like name:base64, the name of letters, digits, - and _`);
      }
      if (keys.has(id)) throw new RangeError(`${place} has the name of one before it`);
      const key = Buffer.from(encoded, 'base64');
      if (key.length !== KEY_BYTES || key.toString('base64') !== encoded) {
        throw new RangeError(`${place} has to be the base64 of ${KEY_BYTES} bytes`);
      }
      if (new Set(key).size < DISTINCT_BYTES_MIN) throw new RangeError(`${place} has to be random`);
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
