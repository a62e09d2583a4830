/** The limits of valid answers of Binance, one by one. */
import { describe, expect, test } from 'vitest';
import { codeOf, openOf, parseBody, placedOf, stateOf } from '../../venues/binance/trading/answer.ts';
import { cursorOf, cursorText } from '../../venues/binance/trading/cursor.ts';
import { parseUserMessage } from '../../venues/binance/trading/events.ts';
import { namesOf, prepareOrder } from '../../venues/binance/trading/request.ts';
import { MyTrades, ServerTime, WireOrder } from '../../venues/binance/trading/wire.ts';
import { refOf } from './support/binance-exchange.ts';
import {
  BODIES,
  BTCUSDT,
  bodyOf,
  eventOf,
  NOW,
  ORDER_ID,
  orderFor,
  requestFor,
} from './support/binance-trading.ts';

const REQUEST = requestFor(bodyOf('newOrderFull'));
const failed = (status: number, code: number, msg = 'x') => ({ status, body: { code, msg } });

describe('a status and how much is filled', () => {
  const isBelieved = (status: string, executedQty: string) =>
    WireOrder.safeParse({ ...bodyOf('order'), status, executedQty }).success;

  test.each([
    ['NEW', [true, false, false]],
    ['PENDING_NEW', [true, false, false]],
    ['REJECTED', [true, false, false]],
    ['PARTIALLY_FILLED', [false, true, false]],
    ['FILLED', [false, false, true]],
    ['CANCELED', [true, true, false]],
    ['EXPIRED', [true, true, false]],
    ['EXPIRED_IN_MATCH', [true, true, false]],
  ])('%s is valid with nothing, a part, all of it filled: %j; never with more', (status, believed) => {
    expect(['0.0', '0.4', '1.0'].map((executed) => isBelieved(status, executed))).toEqual(believed);
    expect(isBelieved(status, '1.1')).toBe(false);
  });

  test('of an order with amount 0 is refused', () => {
    const body = { ...bodyOf('order'), origQty: '0.0', executedQty: '0.0', status: 'FILLED' };
    expect(WireOrder.safeParse(body).success).toBe(false);
  });

  test('FILLED of an order of another client is filled', () => {
    const order = WireOrder.parse({ ...bodyOf('order'), status: 'FILLED', executedQty: '1.0' });
    expect(stateOf(order, null).state).toMatchObject({ status: 'filled', venueOrderId: '1' });
  });
});

describe('a trade', () => {
  const [trade = {}] = BODIES['myTrades'] as unknown as Record<string, unknown>[];
  test.each([
    ['for nothing', { price: '0.0' }],
    ['of nothing', { qty: '0' }],
    ['with a commission below nothing', { commission: '-0.1' }],
  ])('%s is not believed', (_, change) => {
    expect(MyTrades.safeParse([{ ...trade, ...change }]).success).toBe(false);
  });

  const report = {
    ...eventOf('executionReport'),
    x: 'TRADE',
    X: 'PARTIALLY_FILLED',
    z: '0.4',
    l: '0.4',
    L: '0.1',
    n: '0',
    N: 'ETH',
  };
  test('of the stream may be the first of its symbol, with id 0 and without commission', () => {
    expect(parseUserMessage(JSON.stringify({ event: { ...report, t: 0 } }))).toMatchObject({
      trade: { id: '0', commission: '0', commissionAsset: 'ETH', isMaker: false },
    });
  });

  test.each([{ t: -1 }, { t: 1, L: '0.0' }, { t: 1, l: '0' }, { t: 1, n: null }, { t: 1, N: null }])(
    'of the stream with %j is refused',
    (change) => {
      expect(parseUserMessage(JSON.stringify({ event: { ...report, ...change } }))).toEqual({
        kind: 'unreadable',
        about: 'an executionReport',
      });
    },
  );
});

describe('a message of the stream', () => {
  test.each([
    [
      '{"id":"subscribe","status":200,"result":{"subscriptionId":0}}',
      { kind: 'answer', id: 'subscribe', isGood: true },
    ],
    ['{"id":null,"status":400,"error":{"code":-1022}}', { kind: 'answer', id: null, isGood: false }],
    ['no json', { kind: 'unreadable', about: 'a message of the user stream' }],
    ['{"event":{"e":"new"}}', { kind: 'unreadable', about: 'an event of an unknown type' }],
  ])('%s is %j', (text, message) => {
    expect(parseUserMessage(text)).toEqual(message);
  });
});

describe('a refusal', () => {
  test.each([
    ['a taken id under another code', failed(400, -1013, 'Duplicate order sent.'), 'filter_failure'],
    [
      'a text that only contains the one of a taken id',
      failed(400, -2010, 'No Duplicate order sent.'),
      'venue_refused',
    ],
    ['known words under an unknown number', failed(400, -1234, 'Market is closed.'), 'venue_refused'],
  ])('of %s is decided by its code', (_, answer, code) => {
    expect(placedOf(answer, REQUEST)).toMatchObject({ kind: 'refused', code });
  });

  test('by an unknown code reports the code, and none of the text', () => {
    expect(placedOf(failed(400, -1234, 'secret words'), REQUEST)).toEqual({
      kind: 'refused',
      code: 'venue_refused',
      reason: 'Binance refused the order (-1234).',
    });
  });

  test.each([500, 504, 599, 399, 204])('of status %i is none', (status) => {
    expect(() => placedOf(failed(status, -2010, 'Market is closed.'), REQUEST)).toThrow(
      'Binance did not return the outcome of an order',
    );
  });

  test('of a read names its status, and its code if there is one', () => {
    expect(() => parseBody(failed(400, -1121), ServerTime, 'its time')).toThrow(
      'Binance did not return its time: status 400, code -1121',
    );
    expect(() => parseBody({ status: 502, body: undefined }, ServerTime, 'its time')).toThrow(
      /: status 502$/,
    );
    expect(() => parseBody({ status: 200, body: {} }, ServerTime, 'its time')).toThrow(
      'Binance sent its time of unexpected shape',
    );
  });

  test('has a number only where it is one', () => {
    const body = { code: -2013, msg: 'x' };
    expect([199, 200, 299, 300, 400].map((status) => codeOf({ status, body }))).toEqual([
      -2013,
      null,
      null,
      -2013,
      -2013,
    ]);
    expect(codeOf({ status: 400, body: { code: '-2013' } })).toBeNull();
  });
});

describe('an order', () => {
  test('is requested by the id of Binance if known, else by ours', () => {
    expect(namesOf(refOf(orderFor(), null))).toEqual({ symbol: 'BTCUSDT', origClientOrderId: ORDER_ID });
    expect(namesOf(refOf(orderFor(), null, '28'))).toEqual({ symbol: 'BTCUSDT', orderId: '28' });
  });

  test('that is listed has both names, its side and what is filled', () => {
    expect(openOf(WireOrder.parse({ ...bodyOf('order'), side: 'SELL' }))).toEqual({
      venueOrderId: '1',
      clientOrderId: 'myOrder1',
      tokenId: 'LTCBTC',
      side: 'sell',
      amount: '1',
      limitPrice: '0.1',
      filledAmount: '0',
      placedAt: new Date(1499827319559),
    });
  });

  test.each([
    [orderFor(), { ...BTCUSDT, status: 'paused' as const }, 'The market is paused.'],
    [orderFor({ limitPrice: '1.001' }), BTCUSDT, 'The price is not a multiple of the tick size of 0.01.'],
    [orderFor({ amount: '0.000001' }), BTCUSDT, 'The amount is less than one step of 0.00001.'],
    [orderFor(), { ...BTCUSDT, minSize: '1' }, "The amount is below the venue's minimum of 1."],
    [orderFor({ amount: '0.00001' }), BTCUSDT, "The order is worth less than the venue's minimum of 5."],
  ])('that cannot be built states the reason (%#)', (order, instrument, reason) => {
    expect(prepareOrder(order, instrument, { now: NOW, offsetMs: 0 })).toMatchObject({
      kind: 'refused',
      reason,
    });
  });
});

describe('a cursor of fills', () => {
  test('is parsed back as it was written', () => {
    const cursor = new Map([
      ['BTCUSDT', '28457'],
      ['ETHUSDT', null],
    ]);
    expect(cursorOf(cursorText(cursor))).toEqual(cursor);
    expect(cursorOf(null)).toEqual(new Map());
  });

  test.each(['', '[]', '{"BTCUSDT":28457}', '{"BTCUSDT":"x"}', '{"":"1"}'])(
    '%j is none, and an error',
    (text) => {
      expect(() => cursorOf(text)).toThrow('not one of Binance');
    },
  );
});
