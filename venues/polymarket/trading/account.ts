/** Venue B's data about the account: its balances, positions and transfers, and whether it may trade. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { VenueBalance, VenuePosition, VenueStatus, VenueTransfer } from '../../broker.ts';
import type { FeedClock } from '../../clock.ts';
import { VenueError } from '../../errors.ts';
import { allPages } from '../../http/pages.ts';
import { DecimalString, trimmed } from '../../parse/decimal.ts';
import { SECOND_MS } from '../../time.ts';
import { EXCHANGE_ADDRESSES } from './contracts.ts';
import { parseRecord } from './lists.ts';
import type { Wallet } from './order.ts';
import { bodyOf, type PrivateApi } from './private-api.ts';
import { TokenId } from './records.ts';
import {
  ClosedOnly,
  Geoblock,
  isVersionKnown,
  permissionsOf,
  ServerTime,
  type SessionKey,
  SessionSigners,
  sessionKeyOf,
} from './trading-permissions.ts';

const UNITS = 1_000_000;
const PAGE = 500;
const POSITIONS_MAX = 10_000;

/** Whole units: a decimal point would mean another unit, and is refused. */
const Units = z.string().regex(/^\d{1,78}$/);
const Balance = z.object({ balance: Units, allowances: z.record(z.string(), Units) });

/** The collateral. The smallest allowance of all exchanges limits the available amount: an order may go to any of them. */
export async function readBalances(calls: PrivateApi, wallet: Wallet): Promise<VenueBalance[]> {
  const query = { asset_type: 'COLLATERAL', signature_type: String(wallet.signatureType) };
  const answer = await calls.send('GET', '/balance-allowance', { query });
  const { balance, allowances } = parseRecord(Balance, bodyOf(answer));
  const allowed = new Map(
    Object.entries(allowances).map(([address, units]) => [address.toLowerCase(), units]),
  );
  const available = Decimal.min(balance, ...EXCHANGE_ADDRESSES.map((address) => allowed.get(address) ?? 0));
  const dollars = (units: Decimal.Value) => new Decimal(units).dividedBy(UNITS).toFixed();
  return [{ currency: 'pUSD', available: dollars(available), total: dollars(balance) }];
}

const WirePosition = z.object({
  asset: TokenId,
  size: DecimalString.refine((size) => Number(size) >= 0, 'a negative size'),
});

/**
 * Positions of the wallet, from an index that may lag by minutes. Throws if it cannot be read: an unread list is not an empty
 * one.
 */
export async function readPositions(calls: PrivateApi, wallet: Wallet): Promise<VenuePosition[]> {
  const positions: VenuePosition[] = [];
  for (let offset = 0; offset < POSITIONS_MAX; offset += PAGE) {
    const answer = await calls.read('data', '/positions', {
      user: wallet.address,
      sizeThreshold: '0',
      limit: String(PAGE),
      offset: String(offset),
    });
    const page = parseRecord(z.array(WirePosition), bodyOf(answer));
    positions.push(...page.map(({ asset, size }) => ({ tokenId: asset, amount: trimmed(size) })));
    if (page.length < PAGE) return positions.filter(({ amount }) => Number(amount) > 0);
  }
  throw VenueError.unavailable('venue B sent more positions than an account can have');
}

/** Movements of the collateral other than trades: deposits, withdrawals, rewards and rebates. A tip states its direction. */
const TRANSFER_TYPES = {
  DEPOSIT: 1,
  WITHDRAWAL: -1,
  TIP: 1,
  REWARD: 1,
  YIELD: 1,
  MAKER_REBATE: 1,
  TAKER_REBATE: 1,
  REFERRAL_REWARD: 1,
} as const;
const TRANSFERS_PAGE = 1_000;

const WireActivity = z.object({
  type: z.enum(Object.keys(TRANSFER_TYPES) as (keyof typeof TRANSFER_TYPES)[]),
  timestamp: z.int(),
  transaction_hash: z.string().max(100).nullish(),
  usdc_size: z.number().nonnegative(),
  side: z.string().max(10).nullish(),
});
const Activities = z.object({
  data: z.array(WireActivity),
  pagination: z.object({ has_more: z.boolean(), next_cursor: z.string().nullish() }),
});

/** Deposits, withdrawals and the like of the wallet, from the venue's index of the chain. */
export async function readTransfers(
  calls: PrivateApi,
  wallet: Wallet,
  since: Date,
): Promise<VenueTransfer[]> {
  const records = await allPages('venue B', async (cursor) => {
    const answer = await calls.read('data', '/v2/activity', {
      user: wallet.address,
      type: Object.keys(TRANSFER_TYPES).join(','),
      exclude_deposits_withdrawals: 'false',
      start: String(Math.floor(since.getTime() / SECOND_MS)),
      limit: String(TRANSFERS_PAGE),
      cursor: cursor ?? undefined,
    });
    const { data, pagination } = parseRecord(Activities, bodyOf(answer));
    return { items: data, cursor: pagination.has_more ? (pagination.next_cursor ?? null) : null };
  });
  return records.map(({ type, timestamp, transaction_hash: hash, usdc_size: size, side }) => {
    const amount = new Decimal(size).times(side === 'OUT' ? -1 : TRANSFER_TYPES[type]).toFixed();
    return {
      id: [type, timestamp, hash ?? '', amount].join(':'),
      currency: 'pUSD',
      amount,
      at: new Date(timestamp * SECOND_MS),
    };
  });
}

/** `resumesAt`: the time until which the venue accepts no orders, as it stated. */
export async function readTradingStatus(
  calls: PrivateApi,
  wallet: Wallet,
  signerAddress: string,
  { clock, resumesAt }: { clock: FeedClock; resumesAt: Date | null },
): Promise<VenueStatus> {
  const beforeMs = clock.now();
  const seconds = parseRecord(ServerTime, bodyOf(await calls.read('clob', '/time')));
  const middleMs = (beforeMs + clock.now()) / 2;
  const venueMs = seconds * SECOND_MS + SECOND_MS / 2;
  const isVersion = isVersionKnown(bodyOf(await calls.read('clob', '/version')));
  const { closed_only: isClosedOnly } = parseRecord(
    ClosedOnly,
    bodyOf(await calls.send('GET', '/auth/ban-status/closed-only')),
  );
  const { blocked: isBlocked } = parseRecord(Geoblock, bodyOf(await calls.read('site', '/api/geoblock')));
  const key = await readKey(calls, wallet, signerAddress, new Date(venueMs));
  return {
    clockOffsetMs: Math.round(venueMs - middleMs),
    isTrading: isVersion && resumesAt === null,
    resumesAt,
    permissions: permissionsOf({ isBlocked, isClosedOnly, isKeyValid: key.isValid }),
    fingerprint: wallet.address,
    keyExpiresAt: key.expiresAt,
  };
}

async function readKey(calls: PrivateApi, wallet: Wallet, address: string, now: Date): Promise<SessionKey> {
  if (!wallet.isSession) return { isValid: true, expiresAt: null };
  const answer = await calls.send('GET', '/v1/user/session-signers');
  return sessionKeyOf(parseRecord(SessionSigners, bodyOf(answer)), address, now);
}
