/** Authenticates requests: the key in the header, the signature over query and body as they were sent, and the timestamp. */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import type { Reply } from '../../reply.ts';
import type { Account, Environment, Key } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { TradingRequest } from '../venue.ts';
import { missing, refused } from './replies.ts';

export type Caller = { readonly account: Account; readonly key: Key; readonly params: URLSearchParams };

const RECV_WINDOW_MS = 5_000;
const RECV_WINDOW_MAX_MS = 60_000;
const AHEAD_MAX_MS = 1_000;

const BAD_KEY = refused(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
const LATE = refused(-1021, 'Timestamp for this request is outside of the recvWindow.');
const AHEAD = refused(-1021, "Timestamp for this request was 1000ms ahead of the server's time.");
const BAD_SIGNATURE = refused(-1022, 'Signature for this request is not valid.');

/** Parameters of query and body; the query's value wins if both have one. */
export function paramsOf({ query, text }: Pick<TradingRequest, 'query' | 'text'>): URLSearchParams {
  const params = new URLSearchParams(text);
  for (const [name, value] of query) params.set(name, value);
  return params;
}

/** `engineLagMs`: delay until the request reaches the matching engine, which checks its time again. */
export function authenticate(
  exchange: Exchange,
  ask: TradingRequest,
  scope: string,
  engineLagMs: number,
): Caller | Reply {
  const id = ask.headers['x-mbx-apikey'];
  if (typeof id !== 'string' || id === '') return refused(-2014, 'API-key format invalid.', 401);
  const params = paramsOf(ask);
  const caller = callerOf(exchange, ask.environment, id);
  if (caller === null || !caller.key.scopes.includes(scope)) return BAD_KEY;
  const late = timestampRefusal(exchange, params, engineLagMs);
  if (late !== null) return late;
  const signature = params.get('signature');
  if (signature === null || signature === '') return missing('signature');
  const payload = `${ask.search}${ask.text}`.replace(/&?signature=[^&]*/, '');
  return isSigned(payload, signature, caller.key) ? { ...caller, params } : BAD_SIGNATURE;
}

/** The account of the key, if it belongs to the requested environment and is still accepted. */
export function callerOf(exchange: Exchange, environment: Environment, id: string) {
  for (const account of exchange.accounts.values()) {
    const key = account.keys.get(id);
    if (key === undefined || account.environment !== environment) continue;
    return key.expiresMs !== null && key.expiresMs <= exchange.venueNow() ? null : { account, key };
  }
  return null;
}

/** The refusal for a timestamp outside its window, or null. Checked at the gateway and again at the matching engine. */
export function timestampRefusal(
  exchange: Exchange,
  params: { get(name: string): string | null },
  engineLagMs = 0,
): Reply | null {
  const timestamp = params.get('timestamp') ?? '';
  if (!/^\d{13}$/.test(timestamp)) return missing('timestamp');
  const recvWindow = Number(params.get('recvWindow') ?? RECV_WINDOW_MS);
  if (!(recvWindow > 0 && recvWindow <= RECV_WINDOW_MAX_MS)) return missing('recvWindow');
  const age = exchange.venueNow() - Number(timestamp);
  if (age <= -AHEAD_MAX_MS) return AHEAD;
  return age > recvWindow || age + engineLagMs > recvWindow ? LATE : null;
}

export function isSigned(payload: string, signature: string, { material }: Key): boolean {
  const text = Buffer.from(payload);
  if (material.startsWith('-----BEGIN')) {
    return verify(null, text, createPublicKey(material), Buffer.from(signature, 'base64'));
  }
  const right = createHmac('sha256', material).update(text).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}
