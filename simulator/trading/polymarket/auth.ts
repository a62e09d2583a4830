/** Authenticates requests, and checks that the signer of an order may move the wallet's money. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import type { ExchangeDomain } from '../../../venues/polymarket/trading/contracts.ts';
import {
  addressOfPublicKey,
  domainSeparatorOf,
  ORDER_TYPE,
  orderHashOf,
  structHashOf,
  type TypedOrder,
  walletDigestOf,
} from '../../../venues/polymarket/trading/typed-data.ts';
import type { Account, Environment, Key } from '../account.ts';
import type { TradingRequest } from '../venue.ts';

/**
 * A key of the API: `material` is its secret in base64. Tags: `passphrase`; `signer`, the address of the key that signs with
 * it; `role`, `owner` of the wallet or `session`.
 */
export type Caller = { readonly account: Account; readonly key: Key };

type Accounts = ReadonlyMap<string, Account>;

export function keyOf(accounts: Accounts, environment: Environment, apiKey: string): Caller | null {
  for (const account of accounts.values()) {
    const key = account.environment === environment ? account.keys.get(apiKey) : undefined;
    if (key !== undefined) return { account, key };
  }
  return null;
}

/** The account whose credentials sign the request, over its time, method, path and body; null if they do not. */
export function callerOf(accounts: Accounts, ask: TradingRequest, nowMs: number): Caller | null {
  const header = (name: string) => String(ask.headers[name] ?? '');
  const caller = keyOf(accounts, ask.environment, header('poly_api_key'));
  if (caller === null || isKeyExpired(caller.key, nowMs)) return null;
  const { tags, material } = caller.key;
  const text = `${header('poly_timestamp')}${ask.method}/${ask.path}${ask.text}`;
  const digest = createHmac('sha256', Buffer.from(material, 'base64')).update(text).digest('base64');
  const wanted = digest.replaceAll('+', '-').replaceAll('/', '_');
  const isSigned =
    isSame(header('poly_signature'), wanted) &&
    isSame(header('poly_passphrase'), tags['passphrase'] ?? '') &&
    header('poly_address').toLowerCase() === tags['signer'];
  return isSigned ? caller : null;
}

export const isKeyExpired = ({ expiresMs }: Key, nowMs: number): boolean =>
  expiresMs !== null && expiresMs <= nowMs;

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const SESSION_MAGIC = '6492'.repeat(16);
const WORD = 64;
const INNER = 130;

/** Whether an order is signed by its wallet's owner, or by the key of an active session. */
export function isSignedFor(
  { account, key }: Caller,
  order: TypedOrder,
  domain: ExchangeDomain,
  signature: string,
  nowMs: number,
): boolean {
  if (order.maker.toLowerCase() !== account.id || !/^0x([0-9a-f]{2})+$/i.test(signature)) return false;
  const text = signature.slice(2).toLowerCase();
  if (order.signatureType === 0) {
    const signer = recovered(orderHashOf(order, domain), text);
    return signer === account.id && order.signer.toLowerCase() === signer;
  }
  if (order.signatureType !== 3 || order.signer.toLowerCase() !== account.id) return false;
  const session = unwrapped(text);
  const signer = walletSigner(session?.signature ?? text, order, domain);
  if (signer === null || signer !== key.tags['signer']) return false;
  if (session === null) return key.tags['role'] === 'owner';
  return key.tags['role'] === 'session' && session.address === signer && !isKeyExpired(key, nowMs);
}

/** The signature that a session key has wrapped, and the address that it claims; null if nothing is wrapped. */
function unwrapped(text: string): { address: string; signature: string } | null {
  if (!text.endsWith(SESSION_MAGIC)) return null;
  const length = Number.parseInt(text.slice(3 * WORD, 4 * WORD), 16) * 2;
  return { address: `0x${text.slice(WORD - 40, WORD)}`, signature: text.slice(4 * WORD, 4 * WORD + length) };
}

/** The signer within a wallet's domain; null if the data beside the signature is of another order. */
function walletSigner(text: string, order: TypedOrder, domain: ExchangeDomain): string | null {
  const rest = [
    Buffer.from(domainSeparatorOf(domain)).toString('hex'),
    Buffer.from(structHashOf(order)).toString('hex'),
    Buffer.from(ORDER_TYPE).toString('hex'),
    ORDER_TYPE.length.toString(16).padStart(4, '0'),
  ].join('');
  return text.slice(INNER) === rest ? recovered(walletDigestOf(order, domain), text.slice(0, INNER)) : null;
}

/** The address whose key signed a digest (`r‖s‖v`); null if it is no signature. */
function recovered(digest: Uint8Array, text: string): string | null {
  if (text.length !== INNER) return null;
  try {
    const bytes = hexToBytes(text);
    const ordered = Uint8Array.of((bytes[64] ?? 0) - 27, ...bytes.subarray(0, 64));
    const key = secp256k1.recoverPublicKey(ordered, digest, { prehash: false });
    return addressOfPublicKey(secp256k1.Point.fromBytes(key).toBytes(false).subarray(1));
  } catch {
    return null;
  }
}
