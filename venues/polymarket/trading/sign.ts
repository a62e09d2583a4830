/** Signatures of orders of venue B: deterministic secp256k1, so that one order always has one signature. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ExchangeDomain } from './contracts.ts';
import {
  addressOfPublicKey,
  domainSeparatorOf,
  ORDER_TYPE,
  orderHashOf,
  SIGNATURE_TYPES,
  structHashOf,
  type TypedOrder,
  walletDigestOf,
  wordOf,
} from './typed-data.ts';

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;
/** The suffix of a signature that contains a session key. */
const SESSION_MAGIC = '6492'.repeat(16);
/** Recovery ids start at 27 in verification. */
const RECOVERY_OFFSET = 27;

/** Signs orders with a key that cannot be read back. Types 0 (a key's own account) and 3 (a deposit wallet). */
export class OrderSigner {
  /** The key's address, in lower case. */
  readonly address: string;
  readonly #key: Uint8Array;

  /** `privateKey`: 32 bytes, hexadecimal with `0x`. Throws a RangeError, which does not repeat it, if it is no key. */
  constructor(privateKey: string) {
    const key = PRIVATE_KEY.test(privateKey) ? hexToBytes(privateKey.slice(2)) : new Uint8Array();
    if (!secp256k1.utils.isValidSecretKey(key)) {
      throw new RangeError(
        'a signing key is 0x and 64 hexadecimal digits, above 0 and below the order of the curve',
      );
    }
    this.#key = key;
    this.address = addressOfPublicKey(secp256k1.getPublicKey(key, false).subarray(1));
  }

  /** The signature in the venue's format. A session key, which does not own the wallet, adds its address to the signature. */
  sign(order: TypedOrder, domain: ExchangeDomain, { isSession }: { isSession: boolean }): string {
    if (order.signatureType !== SIGNATURE_TYPES.depositWallet)
      return `0x${this.#signed(orderHashOf(order, domain))}`;
    const signature = [
      this.#signed(walletDigestOf(order, domain)),
      bytesToHex(domainSeparatorOf(domain)),
      bytesToHex(structHashOf(order)),
      bytesToHex(utf8ToBytes(ORDER_TYPE)),
      ORDER_TYPE.length.toString(16).padStart(4, '0'),
    ].join('');
    return `0x${isSession ? sessionWrap(this.address, signature) : signature}`;
  }

  #signed(digest: Uint8Array): string {
    const [recovery = 0, ...compact] = secp256k1.sign(digest, this.#key, {
      prehash: false,
      format: 'recovered',
    });
    return bytesToHex(Uint8Array.from([...compact, recovery + RECOVERY_OFFSET]));
  }
}

/** `abi.encode(bytes32 key, bytes32 0, bytes signature)` and the magic bytes, in hexadecimal without `0x`. */
function sessionWrap(address: string, signature: string): string {
  const bytes = signature.length / 2;
  const padded = signature.padEnd(Math.ceil(bytes / 32) * 64, '0');
  const head = concatBytes(wordOf(BigInt(address)), wordOf(0n), wordOf(96n), wordOf(BigInt(bytes)));
  return `${bytesToHex(head)}${padded}${SESSION_MAGIC}`;
}
