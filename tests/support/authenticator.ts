import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Encodes an authenticator's answers as CBOR: texts, bytes, small integers and maps. */
type Cbor = string | number | Buffer | readonly (readonly [string | number, Cbor])[];

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = value as readonly (readonly [string | number, Cbor])[];
  return Buffer.concat([head(5, pairs.length), ...pairs.flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

type Options = { challenge: string; rpId?: string; rp?: { id?: string }; user?: { id: string } };
type How = { isUnlocked?: boolean; origin?: string };

/** A device that has one passkey; its answers have the form that a browser passes on. */
export class Authenticator {
  readonly id: string;
  readonly #origin: string;
  readonly #isSynced: boolean;
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #rawId: Buffer;
  #count = 0;
  #userHandle: string | undefined;

  /** @param isSynced as passkeys of a password manager, which count nothing: only the challenge makes an answer new. */
  constructor(origin: string, rawId: Buffer = randomBytes(32), isSynced = false) {
    this.#origin = origin;
    this.#isSynced = isSynced;
    this.#rawId = rawId;
    this.id = rawId.toString('base64url');
  }

  /** The answer to `navigator.credentials.create`. */
  register(options: Options, how: How = {}): object {
    this.#userHandle = options.user?.id;
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    const publicKey = cbor([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.from([this.#rawId.length >> 8, this.#rawId.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.#rawId, publicKey]);
    const authData = Buffer.concat([this.#facts(options, how, ATTESTED), attested]);
    const attestation = cbor([
      ['fmt', 'none'],
      ['attStmt', []],
      ['authData', authData],
    ]);
    return this.#answer({
      clientDataJSON: this.#client('webauthn.create', options, how).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The answer to `navigator.credentials.get`. */
  signIn(options: Options, how: How = {}): object {
    if (!this.#isSynced) this.#count++;
    const authData = this.#facts(options, how, 0);
    const clientData = this.#client('webauthn.get', options, how);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#key.privateKey).toString('base64url'),
      ...(this.#userHandle !== undefined && { userHandle: this.#userHandle }),
    });
  }

  #answer = (response: object) => ({
    id: this.id,
    rawId: this.id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  #client = (type: string, { challenge }: Options, { origin = this.#origin }: How): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  #facts({ rpId, rp }: Options, { isUnlocked = true }: How, more: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#count);
    const flags = PRESENT | (isUnlocked ? VERIFIED : 0) | more;
    return Buffer.concat([sha256(rpId ?? rp?.id ?? ''), Buffer.from([flags]), count]);
  }
}
