/**
 * Kalshi's signature of a request: over the timestamp (ms), the method and the path without its query. Neither the body nor the
 * host is signed. RSA keys sign RSA-PSS with SHA-256 and a salt as long as the digest. Ed25519 keys sign the text itself.
 */
import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** The base path of the API, which is part of the signed text. */
export const BASE_PATH = '/trade-api/v2';
export const STREAM_PATH = '/trade-api/ws/v2';

const KEY_ID = /^[\w-]{1,100}$/;
const RSA_BITS_MIN = 2_048;

export type SignedHeaders = {
  readonly 'KALSHI-ACCESS-KEY': string;
  readonly 'KALSHI-ACCESS-TIMESTAMP': string;
  readonly 'KALSHI-ACCESS-SIGNATURE': string;
};

/** Signs with one key, which cannot be read back. */
export class KalshiSigner {
  /** The venue's name of the key; no secret. */
  readonly keyId: string;
  readonly #key: KeyObject;

  /** `privateKey`: PEM. Throws a RangeError that repeats nothing of it if it is no RSA or Ed25519 key. */
  constructor(keyId: string, privateKey: string) {
    if (!KEY_ID.test(keyId)) throw new RangeError('a key id of venue A is letters, digits and dashes');
    this.keyId = keyId;
    this.#key = keyOf(privateKey);
  }

  /** The headers of a request to `path`, which begins with the base path; a query is not signed. */
  headers(method: string, path: string, timestampMs: number): SignedHeaders {
    const timestamp = String(timestampMs);
    const [pathname = ''] = path.split('?');
    return {
      'KALSHI-ACCESS-KEY': this.keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': this.#signature(`${timestamp}${method}${pathname}`),
    };
  }

  #signature(text: string): string {
    const bytes = Buffer.from(text);
    if (this.#key.asymmetricKeyType === 'ed25519') return sign(null, bytes, this.#key).toString('base64');
    const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
    return sign('sha256', bytes, { key: this.#key, padding, saltLength }).toString('base64');
  }
}

function keyOf(privateKey: string): KeyObject {
  const key = readKey(privateKey);
  const isRsa = key?.asymmetricKeyType === 'rsa';
  const isLong = (key?.asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;
  if (key !== null && (key.asymmetricKeyType === 'ed25519' || (isRsa && isLong))) return key;
  throw new RangeError(`a private key of venue A is Ed25519, or RSA of ${RSA_BITS_MIN} bits or more, in PEM`);
}

function readKey(privateKey: string): KeyObject | null {
  try {
    return createPrivateKey(privateKey);
  } catch {
    // A more exact error could only repeat the key.
    return null;
  }
}
