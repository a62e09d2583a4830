import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareOrder, RECV_WINDOW_MS, requestOf } from '../../venues/binance/trading/request.ts';
import type { PrepareResult } from '../../venues/broker.ts';
import { BTCUSDT, NOW, ORDER_ID, orderFor } from './support/binance-trading.ts';

const AT = { now: NOW, offsetMs: 0 };
const paramsOf = (preparation: PrepareResult) => {
  if (preparation.kind === 'refused') throw new Error(preparation.reason);
  return requestOf(preparation.prepared).params;
};

describe('an order for Binance', () => {
  test('is a limit order under its own id, immediate or canceled, that never trades with the same account', () => {
    expect(paramsOf(prepareOrder(orderFor(), BTCUSDT, AT))).toEqual({
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'IOC',
      quantity: '0.01',
      price: '84000.5',
      newClientOrderId: ORDER_ID,
      newOrderRespType: 'FULL',
      selfTradePreventionMode: 'EXPIRE_TAKER',
      recvWindow: RECV_WINDOW_MS,
      timestamp: NOW.getTime(),
    });
  });

  test('that rests is good till canceled: its end is kept by our clock', () => {
    const order = orderFor({ timeInForce: 'gtc', goodTill: NOW, side: 'sell' });
    expect(paramsOf(prepareOrder(order, BTCUSDT, AT))).toMatchObject({ timeInForce: 'GTC', side: 'SELL' });
  });

  test.each([3_000, -3_000, 70_000])(
    'row 40: with our clock %i ms off is signed for the time of Binance',
    (offsetMs) => {
      const preparation = prepareOrder(orderFor(), BTCUSDT, { now: NOW, offsetMs });
      const signedFor = NOW.getTime() + offsetMs;
      expect(paramsOf(preparation).timestamp).toBe(signedFor);
      expect(preparation).toMatchObject({
        prepared: {
          signedFor: new Date(signedFor),
          arrivesBy: new Date(signedFor + 10_000),
          venueOrderId: null,
        },
      });
    },
  );

  test.each([
    ['off the tick', orderFor({ limitPrice: '84000.505' }), BTCUSDT, 'off_tick'],
    ['below the step', orderFor({ amount: '0.000009' }), BTCUSDT, 'too_small'],
    ['below the least size', orderFor(), { ...BTCUSDT, minSize: '0.1' }, 'too_small'],
    ['below the least notional', orderFor({ amount: '0.00005' }), BTCUSDT, 'too_small'],
    [
      'row 60: of a symbol that is paused (CANCEL_ONLY, BREAK)',
      orderFor(),
      { ...BTCUSDT, status: 'paused' as const },
      'market_not_open',
    ],
  ])('%s is no request', (_, order, instrument, code) => {
    expect(prepareOrder(order, instrument, AT)).toMatchObject({ kind: 'refused', code });
  });

  test('row 75: of a coin less its commission is rounded down to the step, never above the holding', () => {
    const preparation = prepareOrder(orderFor({ side: 'sell', amount: '0.999001' }), BTCUSDT, AT);
    expect(paramsOf(preparation).quantity).toBe('0.999');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 0, max: 5 }), (units, decimals) => {
        const amount = (units / 1e6).toFixed(6);
        const instrument = { ...BTCUSDT, stepSize: (10 ** -decimals).toFixed(decimals), minNotional: null };
        const made = prepareOrder(orderFor({ amount }), instrument, AT);
        if (made.kind === 'refused') {
          expect(Number(amount)).toBeLessThan(10 ** -decimals);
          return;
        }
        const { quantity } = paramsOf(made);
        expect(Number(quantity)).toBeLessThanOrEqual(Number(amount));
        expect(quantity).toMatch(new RegExp(`^\\d+(\\.\\d{1,${Math.max(1, decimals)}})?$`));
      }),
    );
  });

  test('is parsed back as it was stored, and no other request is', () => {
    const preparation = prepareOrder(orderFor(), BTCUSDT, AT);
    if (preparation.kind === 'refused') throw new Error(preparation.reason);
    const { prepared } = preparation;
    const stored = { ...prepared, request: JSON.parse(JSON.stringify(prepared.request)) };
    expect(requestOf(stored)).toEqual(prepared.request);
    expect(() => requestOf({ ...prepared, request: { ticker: 'X' } })).toThrow('not one to Binance');
  });
});
