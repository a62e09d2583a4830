/** Orders of venue B, from the broker's order to the bytes that are sent. Pure. */
import { createHash } from 'node:crypto';
import { bytesToHex } from '@noble/hashes/utils.js';
import { z } from 'zod';
import type { BrokerOrder, PrepareResult, TradedInstrument } from '../../broker.ts';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import { mayRest } from '../../vocabulary.ts';
import { orderAmounts } from './amounts.ts';
import { domainOf, EXCHANGE_KINDS, type ExchangeKind, type PolymarketEnvironment } from './contracts.ts';
import type { OrderSigner } from './sign.ts';
import { orderHashOf, SIGNATURE_TYPES, type TypedOrder, ZERO_WORD } from './typed-data.ts';

/** The wallet whose money an order moves, and how its signature proves the right to it. */
export type Wallet = {
  readonly environment: PolymarketEnvironment;
  /** Holds the collateral: the deposit wallet, or the account of the signing key itself. Lower case. */
  readonly address: string;
  readonly signatureType: 0 | 3;
  /** Whether the signing key belongs to a session, not to the wallet's owner. */
  readonly isSession: boolean;
};

/** A request as it is stored: all inputs of the bytes except the signature and the key of the API. */
export const PolymarketRequest = z.object({
  exchange: z.enum(EXCHANGE_KINDS),
  orderType: z.enum(['GTC', 'GTD', 'FAK', 'FOK']),
  /** Epoch seconds as text; `0`: none. Not signed. */
  expiration: z.string().regex(/^\d{1,12}$/),
  postOnly: z.literal(true).exactOptional(),
  /** Condition id, the key for trade lookups. */
  market: z.string(),
  order: z.object({
    salt: z.string(),
    maker: z.string(),
    signer: z.string(),
    tokenId: z.string(),
    makerAmount: z.string(),
    takerAmount: z.string(),
    side: z.enum(['BUY', 'SELL']),
    signatureType: z.union([z.literal(SIGNATURE_TYPES.eoa), z.literal(SIGNATURE_TYPES.depositWallet)]),
    timestamp: z.string(),
    metadata: z.string(),
    builder: z.string(),
  }),
});
export type PolymarketRequest = z.infer<typeof PolymarketRequest>;

/** The venue documents no last moment at which a request may arrive: this is our own limit. */
export const ARRIVAL_MS = 120 * SECOND_MS;
/** The venue ends an order a minute before its stated expiry, which must be at least three minutes away. */
export const EXPIRY_LEAD_MS = MINUTE_MS;
const EXPIRY_LEAST_MS = 3 * MINUTE_MS;
/** The size of a JSON number that a double represents exactly. */
const SALT_BITS = 53n;

/** Deterministic, and always below 2^53: order, time and wallet alone determine the id. */
export function saltOf({ accountId, mode, id }: Pick<BrokerOrder, 'accountId' | 'mode' | 'id'>): string {
  const digest = createHash('sha256').update(`${accountId}/${mode}/${id}`).digest();
  return (digest.readBigUInt64BE() >> (64n - SALT_BITS)).toString();
}

export function prepareOrder(
  order: BrokerOrder,
  instrument: TradedInstrument,
  wallet: Wallet,
  signerAddress: string,
  now: Date,
): PrepareResult {
  const exchange = exchangeOf(instrument);
  if (exchange === null) {
    return {
      kind: 'refused',
      code: 'unknown_contract',
      reason: 'the venue settles this market by a contract this service does not sign for',
    };
  }
  const amounts = orderAmounts(order, instrument);
  if (amounts.kind === 'refused') return amounts;
  const typed: TypedOrder & PolymarketRequest['order'] = {
    salt: saltOf(order),
    maker: wallet.address,
    // A deposit wallet is its own signer: the key within the signature is one that the wallet accepts.
    signer: wallet.signatureType === SIGNATURE_TYPES.depositWallet ? wallet.address : signerAddress,
    tokenId: order.tokenId,
    makerAmount: amounts.makerAmount,
    takerAmount: amounts.takerAmount,
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    signatureType: wallet.signatureType,
    timestamp: String(now.getTime()),
    metadata: ZERO_WORD,
    builder: ZERO_WORD,
  };
  const request: PolymarketRequest = {
    exchange,
    ...endOf(order, now),
    ...(order.timeInForce === 'gtx' && { postOnly: true }),
    market: instrument.market,
    order: typed,
  };
  return {
    kind: 'prepared',
    prepared: {
      clientOrderId: order.id,
      venueOrderId: orderIdOf(request, wallet.environment),
      request,
      signedFor: now,
      arrivesBy: new Date(now.getTime() + ARRIVAL_MS),
    },
  };
}

export const orderIdOf = (
  { order, exchange }: PolymarketRequest,
  environment: PolymarketEnvironment,
): string => `0x${bytesToHex(orderHashOf(order, domainOf(environment, exchange)))}`;

/** The body of `POST /order`, byte for byte as it is signed and sent. */
export function orderBody(
  { order, exchange, expiration, orderType, postOnly }: PolymarketRequest,
  wallet: Wallet,
  signer: OrderSigner,
  apiKey: string,
): string {
  const { salt, ...rest } = order;
  const signature = signer.sign(order, domainOf(wallet.environment, exchange), wallet);
  return JSON.stringify({
    deferExec: false,
    order: { salt: Number(salt), ...rest, expiration, signature },
    owner: apiKey,
    orderType,
    ...(postOnly && { postOnly }),
  });
}

const exchangeOf = ({ contract }: TradedInstrument): ExchangeKind | null =>
  EXCHANGE_KINDS.find((kind) => kind === contract) ?? null;

/** Whether an order never rests: `FAK` fills what it can, `FOK` whole or not at all. */
export const isTaking = ({ orderType }: Pick<PolymarketRequest, 'orderType'>): boolean =>
  orderType === 'FAK' || orderType === 'FOK';

/** The venue ends a resting order itself if its expiry is far enough away; the caller cancels it in any case. */
function endOf(
  { timeInForce, goodTill }: BrokerOrder,
  now: Date,
): Pick<PolymarketRequest, 'orderType' | 'expiration'> {
  if (!mayRest(timeInForce)) return { orderType: timeInForce === 'ioc' ? 'FAK' : 'FOK', expiration: '0' };
  if (goodTill === null) return { orderType: 'GTC', expiration: '0' };
  const expiresMs = Math.ceil((goodTill.getTime() + EXPIRY_LEAD_MS) / SECOND_MS) * SECOND_MS;
  // By its arrival, the venue would refuse this expiry as too near. The caller's clock ends the order instead.
  if (expiresMs < now.getTime() + EXPIRY_LEAST_MS + ARRIVAL_MS) return { orderType: 'GTC', expiration: '0' };
  return { orderType: 'GTD', expiration: String(expiresMs / SECOND_MS) };
}
