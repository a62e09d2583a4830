/** Authenticates requests: Kalshi's three headers, signed over time, method and path. */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Reply } from '../../reply.ts';
import type { Account, Key } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { TradingRequest } from '../venue.ts';
import { refused, unauthorized } from './replies.ts';

/** The widest accepted difference of the signed time, both ways. Not documented; the widest that was observed. */
const SKEW_MAX_MS = 60_000;

export type Caller = { readonly account: Account; readonly key: Key };

const headerOf = ({ headers }: TradingRequest, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

export function authenticate(exchange: Exchange, ask: TradingRequest): Caller | Reply {
  const signature = headerOf(ask, 'kalshi-access-signature');
  const timestamp = headerOf(ask, 'kalshi-access-timestamp');
  if (signature === '') return refusedHeader('signature_is_missing_from_headers');
  if (!/^\d{13}$/.test(timestamp)) return refusedHeader('timestamp_is_missing_from_headers');
  const caller = callerOf(exchange, ask);
  if (caller === null) return unauthorized('NOT_FOUND');
  if (Math.abs(exchange.venueNow() - Number(timestamp)) >= SKEW_MAX_MS)
    return refusedHeader('header_timestamp_expired');
  const text = `${timestamp}${ask.method}/${ask.path}`;
  if (!isSigned(text, signature, createPublicKey(caller.key.material)))
    return unauthorized('INCORRECT_API_KEY_SIGNATURE');
  return caller;
}

/** The account of the key, if it belongs to the requested environment. */
function callerOf(exchange: Exchange, ask: TradingRequest): Caller | null {
  const id = headerOf(ask, 'kalshi-access-key');
  for (const account of exchange.accounts.values()) {
    const key = account.keys.get(id);
    if (key === undefined || account.environment !== ask.environment) continue;
    const isGone = key.expiresMs !== null && key.expiresMs <= exchange.venueNow();
    return isGone ? null : { account, key };
  }
  return null;
}

function isSigned(text: string, signature: string, key: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64');
  if (key.asymmetricKeyType === 'ed25519') return verify(null, Buffer.from(text), key, bytes);
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return verify('sha256', Buffer.from(text), { key, padding, saltLength }, bytes);
}

const refusedHeader = (code: string): Reply => {
  const message = code.replaceAll('_', ' ');
  return { status: 401, body: { error: { code, message } } };
};

/** Whether the key has the scope, or the one above it. */
export const mayDo = ({ key }: Caller, scope: string): boolean =>
  key.scopes.includes(scope) || key.scopes.includes(scope.split('::')[0] ?? '');

export const forbidden = (): Reply => refused(403, 'insufficient_scope');
