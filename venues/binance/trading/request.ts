/** Orders as Binance takes them. Pure. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { BrokerOrder, OrderRef, Prepared, PrepareResult, TradedInstrument } from '../../broker.ts';
import { VenueError } from '../../errors.ts';
import { DecimalString, product, trimmed } from '../../parse/decimal.ts';
import { SECOND_MS } from '../../time.ts';

/** Binance refuses a request that arrives later than this after its timestamp. It checks again before the matching engine. */
export const RECV_WINDOW_MS = 5 * SECOND_MS;
/** Added to the last arrival: reads of Binance lag behind its matching engine. */
const READ_LAG_MS = 5 * SECOND_MS;

const TIMES_IN_FORCE = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK' } as const;
/** The type of an order that never takes an offer. It takes no time in force. */
const MAKER = 'LIMIT_MAKER';

/** The parameters to send, and the amount before rounding to the venue's step. */
export const OrderRequest = z.object({
  asked: DecimalString,
  params: z.object({
    symbol: z.string().min(1),
    side: z.enum(['BUY', 'SELL']),
    type: z.enum(['LIMIT', MAKER]),
    timeInForce: z.enum(TIMES_IN_FORCE).exactOptional(),
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

const refused = (code: string, reason: string): PrepareResult => ({ kind: 'refused', code, reason });

/** Builds the request for an order, signed for `now` of our clock, converted to Binance's clock. */
export function prepareOrder(
  order: BrokerOrder,
  instrument: TradedInstrument,
  { now, offsetMs }: { readonly now: Date; readonly offsetMs: number },
): PrepareResult {
  if (instrument.status !== 'open') {
    return refused('market_not_open', `The market is ${instrument.status}.`);
  }
  if (!new Decimal(order.limitPrice).mod(instrument.tickSize).isZero()) {
    return refused('off_tick', `The price is not a multiple of the tick size of ${instrument.tickSize}.`);
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
      ...(order.timeInForce === 'gtx'
        ? { type: MAKER }
        : { type: 'LIMIT', timeInForce: TIMES_IN_FORCE[order.timeInForce] }),
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

/** The message for a quantity below one of the venue's minimums. */
function shortfallOf(
  quantity: string,
  price: string,
  { minSize, minNotional, stepSize }: TradedInstrument,
): string | null {
  if (Number(quantity) <= 0) return `The amount is less than one step of ${stepSize}.`;
  if (new Decimal(quantity).lt(minSize)) return `The amount is below the venue's minimum of ${minSize}.`;
  if (minNotional === null || new Decimal(product(quantity, price)).gte(minNotional)) return null;
  return `The order is worth less than the venue's minimum of ${minNotional}.`;
}

/** Parses a stored request. Throws a VenueError if it is no request to Binance. */
export function requestOf({ request }: Prepared): OrderRequest {
  const read = OrderRequest.safeParse(request);
  if (read.success) return read.data;
  throw VenueError.unavailable('the stored request is not one to Binance', undefined, read.error);
}

/** The identifier of an order in a read: the venue's id, which is faster, or ours. */
export const namesOf = ({ id, tokenId, venueOrderId }: OrderRef) => ({
  symbol: tokenId,
  ...(venueOrderId === null ? { origClientOrderId: id } : { orderId: venueOrderId }),
});
