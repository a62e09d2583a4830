/** Documented bodies of Binance's private answers, and matching orders. */
import { OrderRequest } from '../../../venues/binance/trading/request.ts';
import type { BrokerOrder, TradedInstrument } from '../../../venues/broker.ts';
import { fixture } from './replay.ts';

export type Fields = Record<string, unknown>;
export const BODIES = fixture<{ bodies: Record<string, Fields> }>('binance-trading.json').bodies;
export const bodyOf = (name: string): Fields => structuredClone(BODIES[name] ?? {});
export const eventOf = (name: string): Fields => bodyOf(name)['event'] as Fields;

export const NOW = new Date('2026-11-22T12:00:00.000Z');
export const ORDER_ID = '018f3c2a-7b1d-7c3e-9d58-3a1f0c2b4d6e';

export const orderFor = (changes: Partial<BrokerOrder> = {}): BrokerOrder => ({
  accountId: '018f3c2a-0000-7000-8000-000000000001',
  mode: 'live',
  id: ORDER_ID,
  tokenId: 'BTCUSDT',
  venue: 'crypto',
  side: 'buy',
  timeInForce: 'ioc',
  amount: '0.01',
  limitPrice: '84000.5',
  validUntil: new Date(NOW.getTime() + 10_000),
  goodTill: null,
  ...changes,
});

export const BTCUSDT: TradedInstrument = {
  tokenId: 'BTCUSDT',
  venue: 'crypto',
  kind: 'spot',
  market: 'BTCUSDT',
  outcome: 'BTC',
  tickSize: '0.01',
  priceRanges: [],
  stepSize: '0.00001',
  minSize: '0.00001',
  minNotional: '5',
  feeSchedule: null,
  status: 'open',
};

/** A stored request that a documented body could answer. */
export const requestFor = (body: Fields, asked = String(body['origQty'])): OrderRequest =>
  OrderRequest.parse({
    asked,
    params: {
      symbol: body['symbol'],
      side: body['side'],
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: body['origQty'],
      price: '4000',
      newClientOrderId: body['clientOrderId'],
      newOrderRespType: 'FULL',
      selfTradePreventionMode: 'EXPIRE_TAKER',
      recvWindow: 5000,
      timestamp: 1507725176595,
    },
  });
