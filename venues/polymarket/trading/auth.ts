/**
 * Headers that authenticate a private call at venue B (its "L2"): an HMAC over time, method, path without query, and the bytes of
 * the body. Source: `signing/hmac.py` of github.com/Polymarket/py-clob-client-v2.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Credentials of the API, stored so that no log prints the secret or the passphrase. */
export class ApiCredentials {
  /** Identifies the owner of an order; no secret, but never exposed. */
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

  /** `address`: of the key that signs orders. `body`: the exact bytes that are sent. */
  headers(address: string, { method, path, body = '' }: CallToSign, timeSec: number): Record<string, string> {
    return {
      POLY_ADDRESS: address,
      POLY_API_KEY: this.key,
      POLY_PASSPHRASE: this.#passphrase,
      POLY_TIMESTAMP: String(timeSec),
      POLY_SIGNATURE: this.signatureOf({ method, path, body }, timeSec),
    };
  }

  signatureOf({ method, path, body = '' }: CallToSign, timeSec: number): string {
    const digest = createHmac('sha256', this.#secret).update(`${timeSec}${method}${path}${body}`);
    // base64url with padding, which Node's own encoding leaves out.
    return digest.digest('base64').replaceAll('+', '-').replaceAll('/', '_');
  }

  /** The first frame of the user stream: the only request in which the venue requires the secret itself. */
  streamAuth(): { apiKey: string; secret: string; passphrase: string } {
    return {
      apiKey: this.key,
      secret: this.#secret.export().toString('base64'),
      passphrase: this.#passphrase,
    };
  }
}

export type CallToSign = {
  readonly method: string;
  /** From the host on, without query: `/data/orders`. */
  readonly path: string;
  readonly body?: string;
};
