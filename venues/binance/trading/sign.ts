/**
 * Signed requests to Binance. The payload is percent-encoded first and signed in the form that is sent (unencoded is -1022).
 * Keys are HMAC-SHA256 or Ed25519; both live in `KeyObject`s, which are never printed.
 */
import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from 'node:crypto';
import { inspect } from 'node:util';
import { VenueError } from '../../errors.ts';

export type Params = Readonly<Record<string, string | number | boolean>>;

const isPrivateKey = (secret: string): boolean => secret.trimStart().startsWith('-----BEGIN');

/** Signs for one API key. Neither the key nor the secret is a field that a log could print. */
export class Signer {
  readonly #apiKey: string;
  readonly #signatureOf: (payload: string) => string;

  private constructor(apiKey: string, signatureOf: (payload: string) => string) {
    this.#apiKey = apiKey;
    this.#signatureOf = signatureOf;
  }

  /**
   * Makes a signer of an API key and its secret: the text that Binance shows (HMAC), or a PEM of an Ed25519 private key.
   *
   * @throws VenueError `bad_request` if the secret is a key of another type or no key; its text contains nothing of either.
   */
  static of(apiKey: string, secret: string): Signer {
    if (!/^[A-Za-z0-9]{16,128}$/.test(apiKey)) {
      throw VenueError.badRequest('the API key of Binance is 16 to 128 letters and digits');
    }
    if (isPrivateKey(secret)) {
      const key = ed25519KeyOf(secret);
      return new Signer(apiKey, (payload) => sign(null, Buffer.from(payload), key).toString('base64'));
    }
    if (secret.length < 16)
      throw VenueError.badRequest('the secret of Binance is at least 16 characters long');
    const key = createSecretKey(Buffer.from(secret));
    return new Signer(apiKey, (payload) => createHmac('sha256', key).update(payload).digest('hex'));
  }

  get headers(): Readonly<Record<string, string>> {
    return { 'x-mbx-apikey': this.#apiKey };
  }

  /** The payload's signature: hex (HMAC) or base64 (Ed25519). */
  signatureOf(payload: string): string {
    return this.#signatureOf(payload);
  }

  /** The query of a signed request. */
  query(params: Params): string {
    const payload = payloadOf(params);
    return `${payload}&signature=${encodeURIComponent(this.#signatureOf(payload))}`;
  }

  /** The parameters of a signed WebSocket request: signed in alphabetical order and, unlike those of REST, not encoded. */
  params(params: Params): Params {
    const all: Params = { ...params, apiKey: this.#apiKey };
    const payload = Object.keys(all)
      .sort()
      .map((name) => `${name}=${all[name]}`)
      .join('&');
    return { ...all, signature: this.#signatureOf(payload) };
  }

  toJSON(): string {
    return '[Signer]';
  }

  [inspect.custom](): string {
    return '[Signer]';
  }
}

function ed25519KeyOf(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw VenueError.badRequest(
      'the private key cannot be read: it has to be a PEM of PKCS#8 without a password',
    );
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw VenueError.badRequest('the private key has to be an Ed25519 key');
}

/** `name=value` pairs in the order given, percent-encoded. */
export const payloadOf = (params: Params): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
