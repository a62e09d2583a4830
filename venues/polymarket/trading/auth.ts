/**
 * Headers that authenticate a private call at venue B (its "L2"): an HMAC over time, method, path without query, and the bytes of
 * the body. Source: `signing/hmac.py` of github.com/Polymarket/py-clob-client-v2.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Credentials of the API, kept so that nothing prints the secret or the passphrase by accident. */
export class ApiCredentials {
  /** Names the owner of an order; no secret, yet shown to nobody. */
  readonly key: string;
  readonly #secret: KeyObject;
  readonly #passphrase: string;

  /** `secret`: base64 or base64url. */
  constructor({ key, secret, passphrase }: { key: string; secret: string; passphrase: string }) {
    const bytes = Buffer.from(secret, 'base64');
    if (bytes.length === 0) throw new RangeError('the secret of API credentials is base64');
    this.key = key;
    this.#secret = createSecretKey(bytes);
    this.#passphrase = passphrase;
  }

  /** `address`: of the key that signs orders. `body`: exactly the bytes that are sent. */
  headers(address: string, { method, path, body = '' }: SignedCall, timeSec: number): Record<string, string> {
    return {
      POLY_ADDRESS: address,
      POLY_API_KEY: this.key,
      POLY_PASSPHRASE: this.#passphrase,
      POLY_TIMESTAMP: String(timeSec),
      POLY_SIGNATURE: this.signatureOf({ method, path, body }, timeSec),
    };
  }

  signatureOf({ method, path, body = '' }: SignedCall, timeSec: number): string {
    const digest = createHmac('sha256', this.#secret).update(`${timeSec}${method}${path}${body}`);
    // base64url with its padding: Node's leaves it out.
    return digest.digest('base64').replaceAll('+', '-').replaceAll('/', '_');
  }

  /** The first frame of the user's stream, which is the one place where the venue wants the secret itself. */
  streamAuth(): { apiKey: string; secret: string; passphrase: string } {
    return {
      apiKey: this.key,
      secret: this.#secret.export().toString('base64'),
      passphrase: this.#passphrase,
    };
  }
}

export type SignedCall = {
  readonly method: string;
  /** From the host on, without query: `/data/orders`. */
  readonly path: string;
  readonly body?: string;
};
