/** Whether Kalshi accepts trading, and the rights of the key. */
import type { z } from 'zod';
import type { AccountTerms, VenueStatus } from '../../broker.ts';
import type { OnceAnswer } from '../../http/send-once.ts';
import { SECOND_MS } from '../../time.ts';
import { parseBody, permissionsOf } from './answer.ts';
import { apiKeysOf, communicationsIdOf, exchangeStatusOf, type Outgoing } from './request.ts';
import { ApiKeys, CommunicationsId, ExchangeStatus, type Netting } from './wire.ts';

/** Orders of the primary subaccount only. */
const SUBACCOUNT = 0;

/** A refused key has no permissions, and does not identify an account. */
export async function readAccountStatus(
  send: (outgoing: Outgoing) => Promise<OnceAnswer>,
  keyId: string,
  now: () => number,
): Promise<VenueStatus> {
  const before = now();
  const exchangeAnswer = await send(exchangeStatusOf());
  const clockOffsetMs = offsetOf(exchangeAnswer.headers, (before + now()) / 2);
  const exchange = parseBody(exchangeAnswer, ExchangeStatus, 'whether it trades');
  const market = {
    clockOffsetMs,
    isTrading: exchange.exchange_active && exchange.trading_active,
    resumesAt: exchange.exchange_estimated_resume_time,
    keyExpiresAt: null,
  };
  const keysAnswer = await send(apiKeysOf());
  if (keysAnswer.status === 401 || keysAnswer.status === 403)
    return { ...market, permissions: [], fingerprint: '' };
  const keys = parseBody(keysAnswer, ApiKeys, 'its keys');
  const owner = parseBody(await send(communicationsIdOf()), CommunicationsId, 'the owner of the key');
  const attestedUntil = keys.api_key_region_expiration_ts;
  return {
    ...market,
    permissions: permissionsOf(keys.api_keys.find(({ api_key_id: id }) => id === keyId)?.scopes ?? []),
    fingerprint: `${owner.communications_id}/${SUBACCOUNT}`,
    ...(attestedUntil != null && { attestedUntil: new Date(attestedUntil * SECOND_MS) }),
  };
}

/** The account nets only if it does so on every shard of the subaccount. */
export function nettingTermsOf({ netting_configs: configs }: z.infer<typeof Netting>): AccountTerms {
  const own = configs.filter(({ subaccount_number: number }) => number === SUBACCOUNT);
  return own.length === 0 ? {} : { nets: own.every(({ enabled }) => enabled) };
}

/** The `Date` header is a truncated second: on average half a second has passed. Null if it is missing. */
function offsetOf(headers: Headers, atMs: number): number | null {
  const venueMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(venueMs) ? null : Math.round(venueMs + SECOND_MS / 2 - atMs);
}
