/** Orders as Binance takes them. Pure. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { BrokerOrder, OrderRef, Preparation, Prepared, TradedInstrument } from '../../broker.ts';
import { VenueError } from '../../errors.ts';
import { DecimalString, product, trimmed } from '../../parse/decimal.ts';
import { SECOND_MS } from '../../time.ts';

/** Binance refuses what arrives later than this after its timestamp, checked again before the matching engine. */
export const RECV_WINDOW_MS = 5 * SECOND_MS;
/** Added to the last arrival: reads of Binance lag behind its matching engine. */
const READ_LAG_MS = 5 * SECOND_MS;

/** What is sent, and what the order was about before the venue's step cut it. */
export const OrderRequest = z.object({
  asked: DecimalString,
  params: z.object({
    symbol: z.string().min(1),
    side: z.enum(['BUY', 'SELL']),
    type: z.literal('LIMIT'),
    timeInForce: z.enum(['GTC', 'IOC']),
    quantity: DecimalString,
    price: DecimalString,
    newClientOrderId: z.string().regex(/^[a-zA-Z0-9-_]{1,36}$/),
    newOrderRespType: z.literal('FULL'),
    selfTradePreventionMode: z.literal('EXPIRE_TAKER'),
    recvWindow: z.int().min(1).max(60_000),
    timestamp: z.int().min(1),
  }),
});
export type OrderRequest = z.infer<typeof OrderRequest>;

const refused = (code: string, reason: string): Preparation => ({ kind: 'refused', code, reason });

/** The request for an order, signed for `now` of our clock as Binance's clock has it. */
export function prepareOrder(
  order: BrokerOrder,
  instrument: TradedInstrument,
  { now, offsetMs }: { readonly now: Date; readonly offsetMs: number },
): Preparation {
  if (instrument.status !== 'open') {
    return refused('market_not_open', `The market is ${instrument.status}.`);
  }
  if (!new Decimal(order.limitPrice).mod(instrument.tickSize).isZero()) {
    return refused('off_tick', `The price is off the tick of ${instrument.tickSize}.`);
  }
  const quantity = floorTo(order.amount, instrument.stepSize);
  const shortfall = shortfallOf(quantity, order.limitPrice, instrument);
  if (shortfall !== null) return refused('too_small', shortfall);
  const timestamp = now.getTime() + offsetMs;
  const request: OrderRequest = {
    asked: trimmed(order.amount),
    params: {
      symbol: order.tokenId,
      side: order.side === 'buy' ? 'BUY' : 'SELL',
      type: 'LIMIT',
      timeInForce: order.timeInForce === 'gtc' ? 'GTC' : 'IOC',
      quantity,
      price: trimmed(order.limitPrice),
      newClientOrderId: order.id,
      newOrderRespType: 'FULL',
      selfTradePreventionMode: 'EXPIRE_TAKER',
      recvWindow: RECV_WINDOW_MS,
      timestamp,
    },
  };
  return {
    kind: 'prepared',
    prepared: {
      clientOrderId: order.id,
      venueOrderId: null,
      request,
      signedFor: new Date(timestamp),
      arrivesBy: new Date(timestamp + RECV_WINDOW_MS + READ_LAG_MS),
    },
  };
}

const floorTo = (amount: string, step: string): string =>
  new Decimal(amount).div(step).floor().times(step).toFixed();

/** Which of the venue's minimums the quantity misses, in words. */
function shortfallOf(
  quantity: string,
  price: string,
  { minSize, minNotional, stepSize }: TradedInstrument,
): string | null {
  if (Number(quantity) <= 0) return `Nothing is left of the amount on the step of ${stepSize}.`;
  if (new Decimal(quantity).lt(minSize)) return `The amount is below the venue's least of ${minSize}.`;
  if (minNotional === null || new Decimal(product(quantity, price)).gte(minNotional)) return null;
  return `It is worth less than the venue's least of ${minNotional}.`;
}

/** The request as it was stored. Throws a VenueError where it is none of Binance. */
export function requestOf({ request }: Prepared): OrderRequest {
  const read = OrderRequest.safeParse(request);
  if (read.success) return read.data;
  throw VenueError.unavailable('the stored request is none of Binance', undefined, read.error);
}

/** How an order is asked for: by the venue's id, which is faster, or by ours. */
export const namesOf = ({ id, tokenId, venueOrderId }: OrderRef) => ({
  symbol: tokenId,
  ...(venueOrderId === null ? { origClientOrderId: id } : { orderId: venueOrderId }),
});
