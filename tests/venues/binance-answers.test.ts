/** Documented bodies of Binance through the parsers of the adapter. */
import { describe, expect, test } from 'vitest';
import {
  canceledOf,
  fillOf,
  ownRateOf,
  parseBody,
  placedOf,
  stateOf,
} from '../../venues/binance/trading/answer.ts';
import { parseUserMessage } from '../../venues/binance/trading/events.ts';
import { MyTrades, OrderStatus, WireOrder, WireRestrictions } from '../../venues/binance/trading/wire.ts';
import { BODIES, bodyOf, eventOf, type Fields, requestFor } from './support/binance-trading.ts';

const ok = (body: unknown) => ({ status: 200, body });
const failed = (status: number, code: number, msg = 'x') => ({ status, body: { code, msg } });
const FULL = bodyOf('newOrderFull');
const REQUEST = requestFor(FULL);

describe('the answer to a new order', () => {
  test('FULL is taken, filled, with its trades, whose ids hold the symbol', () => {
    const placed = placedOf(ok(FULL), REQUEST);
    expect(placed).toMatchObject({
      kind: 'taken',
      order: { venueOrderId: '28', status: 'filled', filledAmount: '10', reasonCode: null },
    });
    const trades = 'trades' in placed ? (placed.trades ?? []) : [];
    expect(trades.map((trade) => fillOf(trade, '1'))[1]).toEqual({
      tradeId: 'BTCUSDT:57',
      amount: '5',
      price: '3999',
      fee: '19.995',
      feeAsset: 'USDT',
      feeAmount: '19.995',
      liquidity: 'taker',
      state: 'final',
      at: new Date(1507725176595),
    });
  });

  test.each(['newOrderAck', 'newOrderResult'])(
    '%s, which lacks the fills, is refused as unreadable',
    (name) => {
      expect(() => placedOf(ok(bodyOf(name)), REQUEST)).toThrow('unexpected shape');
    },
  );

  test.each([
    ['another client id', { clientOrderId: 'somebody-elses' }],
    ['another symbol', { symbol: 'ETHUSDT' }],
    ['another side', { side: 'BUY' }],
    ['another amount', { origQty: '11.00000000', executedQty: '10.00000000', status: 'EXPIRED' }],
    ['fills that do not add up to the filled amount', { fills: (FULL['fills'] as Fields[]).slice(1) }],
    ['an unknown status', { status: 'HALF_FILLED' }],
    ['the unused PENDING_CANCEL', { status: 'PENDING_CANCEL' }],
    ['NEW though it is filled', { status: 'NEW' }],
  ])('with %s is refused as unreadable: the order stays unknown', (_, change) => {
    expect(() => placedOf(ok({ ...FULL, ...change }), REQUEST)).toThrow('unexpected shape');
  });

  test('FILLED of less than was asked for, cut to the step, has ended without the rest', () => {
    expect(placedOf(ok(FULL), { ...REQUEST, asked: '10.004' })).toMatchObject({
      kind: 'taken',
      order: { status: 'canceled', filledAmount: '10', reasonCode: 'cut_to_step' },
    });
  });

  test('REJECTED is a refusal', () => {
    const body = { ...FULL, status: 'REJECTED', executedQty: '0.00000000', fills: [] };
    expect(placedOf(ok(body), REQUEST)).toMatchObject({ kind: 'refused', code: 'venue_refused' });
  });

  test.each([
    [failed(400, -2010, 'Account has insufficient balance for requested action.'), 'insufficient_balance'],
    [failed(400, -2010, 'Market is closed.'), 'market_not_open'],
    [failed(400, -2010, 'Something new.'), 'venue_refused'],
    [failed(400, -1013, 'Filter failure: LOT_SIZE'), 'off_step'],
    [failed(400, -1013, 'Filter failure: NOTIONAL'), 'too_small'],
    [failed(400, -1013, 'Filter failure: SOMETHING_NEW'), 'filter_failure'],
    [failed(400, -1021), 'arrived_late'],
    [failed(400, -1022), 'bad_signature'],
    [failed(401, -2015), 'unauthorized'],
    [failed(400, -2014), 'unauthorized'],
    [failed(400, -1234), 'venue_refused'],
    [failed(429, -1015), 'rate_limited'],
    [failed(429, -1003), 'rate_limited'],
    [{ status: 418, body: undefined }, 'rate_limited'],
    [{ status: 403, body: undefined }, 'blocked'],
    [{ status: 451, body: undefined }, 'restricted_location'],
  ])('%j is definite: there is no order (%s)', (answer, code) => {
    const placed = placedOf(answer, REQUEST);
    expect(placed).toMatchObject({ kind: 'refused', code });
    expect(JSON.stringify(placed)).not.toContain('Something new');
  });

  test('row 14: −2010 "Duplicate order sent." says that the order exists', () => {
    expect(placedOf(failed(400, -2010, 'Duplicate order sent.'), REQUEST)).toEqual({ kind: 'exists' });
  });

  test.each([
    ['−1006', failed(400, -1006)],
    ['−1007', failed(400, -1007)],
    ['−1000', failed(400, -1000)],
    ['−1001', failed(400, -1001)],
    ['a 5xx with a code that elsewhere is definite', failed(503, -1013)],
    ['rows 10 and 11: HTML of a gateway', { status: 502, body: undefined }],
    ['a 409 of cancelReplace', failed(409, -2021)],
    ['a 400 of an unknown sender', { status: 400, body: { error: 'no' } }],
    ['row 8: 200 with half a body', ok(undefined)],
    ['a redirect', { status: 302, body: undefined }],
    ['201', { status: 201, body: FULL }],
  ])('%s is no evidence about the order', (_, answer) => {
    expect(() => placedOf(answer, REQUEST)).toThrow('Binance');
  });
});

describe('the status of an order', () => {
  const orderWith = (status: string, executedQty: string, expiryReason?: string) =>
    WireOrder.parse({ ...bodyOf('order'), status, executedQty, ...(expiryReason && { expiryReason }) });

  test.each([
    ['NEW', '0.0', 'open', null],
    ['PENDING_NEW', '0.0', 'open', null],
    ['PARTIALLY_FILLED', '0.4', 'open', null],
    ['FILLED', '1.0', 'filled', null],
    ['CANCELED', '0.4', 'canceled', 'at_venue'],
    ['REJECTED', '0.0', 'rejected', 'venue_refused'],
    ['EXPIRED', '0.4', 'canceled', 'no_more_offers'],
    ['EXPIRED_IN_MATCH', '0.0', 'canceled', 'self_trade'],
  ])('%s with %s filled is %s (%s)', (status, executed, own, reasonCode) => {
    const { state } = stateOf(orderWith(status, executed), '1.0');
    expect(state).toMatchObject({ status: own, filledAmount: String(Number(executed)), reasonCode });
  });

  test('has a meaning wherever the documents name it, and no other', () => {
    expect(OrderStatus.options).toHaveLength(8);
    for (const unknown of ['PENDING_CANCEL', 'new', 'DONE', '']) {
      expect(WireOrder.safeParse({ ...bodyOf('order'), status: unknown }).success).toBe(false);
    }
  });

  test('row 78: an order that the venue expired against one of the same account is canceled for that', () => {
    const order = parseBody(ok(bodyOf('expiredInMatch')), WireOrder, 'an order');
    expect(stateOf(order, '3').state).toMatchObject({ status: 'canceled', reasonCode: 'self_trade' });
  });

  test('that an exchange canceled says so', () => {
    const { state } = stateOf(orderWith('EXPIRED', '0.0', 'EXCHANGE_CANCELED'), null);
    expect(state).toMatchObject({ status: 'canceled', reasonCode: 'venue_canceled' });
  });
});

describe('a cancel', () => {
  test('is asked for, or finds nothing: neither says how the order ended', () => {
    expect(canceledOf(ok(bodyOf('cancel')), { symbol: 'LTCBTC' })).toEqual({ kind: 'asked' });
    expect(canceledOf(failed(400, -2011, 'Unknown order sent.'), { symbol: 'LTCBTC' })).toEqual({
      kind: 'gone',
    });
  });

  test.each([
    ['about another symbol', ok(bodyOf('cancel')), 'BTCUSDT'],
    ['refused for another reason', failed(400, -1021), 'LTCBTC'],
    ['lost', failed(504, -1007), 'LTCBTC'],
    ['unreadable', ok({}), 'LTCBTC'],
  ])('%s is asked for again', (_, answer, symbol) => {
    expect(() => canceledOf(answer, { symbol })).toThrow('Binance');
  });
});

describe('a commission', () => {
  const [trade] = MyTrades.parse(BODIES['myTrades']);
  const paidIn = (symbol: string, commissionAsset: string) =>
    ownRateOf({ ...(trade as NonNullable<typeof trade>), symbol, commissionAsset });

  test('row 75: in the coin bought counts at the price of the trade, in dollars at 1', () => {
    expect(paidIn('BTCUSDT', 'BTC')).toBe('4.00000100');
    expect(paidIn('BNBUSDC', 'BNB')).toBe('4.00000100');
    expect(paidIn('BTCUSDT', 'USDT')).toBe('1');
  });

  test('row 76: in any other coin has to be looked up', () => {
    expect(paidIn('BTCUSDT', 'BNB')).toBeNull();
    expect(paidIn('BNBBTC', 'BNB')).toBeNull();
    expect(paidIn('BTCUSDT', 'B')).toBeNull();
  });

  test('row 77: of the same trade id on two symbols belongs to two fills', () => {
    const ids = ['BTCUSDT', 'ETHUSDT'].map(
      (symbol) => fillOf({ ...(trade as NonNullable<typeof trade>), symbol }, '1').tradeId,
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe('the user stream', () => {
  const report = (changes: Fields = {}) =>
    parseUserMessage(
      JSON.stringify({ subscriptionId: 0, event: { ...eventOf('executionReport'), ...changes } }),
    );
  const TRADE = {
    x: 'TRADE',
    X: 'PARTIALLY_FILLED',
    l: '0.4',
    z: '0.4',
    L: '0.1',
    n: '0.0004',
    N: 'ETH',
    t: 7,
  };

  test('tells of an order by our id', () => {
    expect(report()).toMatchObject({
      kind: 'report',
      clientOrderId: 'mUvoqJxFIILMdfAW5iGSOW',
      tokenId: 'ETHBTC',
      side: 'buy',
      state: { venueOrderId: '4293153', status: 'open', filledAmount: '0' },
      trade: null,
    });
  });

  test('row 34: a cancel has our id in `C` and its own in `c`', () => {
    expect(report({ x: 'CANCELED', X: 'CANCELED', C: 'our-own-id', c: 'id-of-the-cancel' })).toMatchObject({
      clientOrderId: 'our-own-id',
      state: { status: 'canceled' },
    });
  });

  test('tells of a trade with its commission and the coin it was taken in', () => {
    expect(report(TRADE)).toMatchObject({
      state: { status: 'open', filledAmount: '0.4' },
      trade: {
        symbol: 'ETHBTC',
        id: '7',
        qty: '0.4',
        price: '0.1',
        commission: '0.0004',
        commissionAsset: 'ETH',
      },
    });
  });

  test.each([
    ['outboundAccountPosition', 'ignored'],
    ['balanceUpdate', 'ignored'],
    ['listStatus', 'ignored'],
    ['externalLockUpdate', 'ignored'],
    ['eventStreamTerminated', 'ending'],
  ])('%s is %s', (name, kind) => {
    expect(parseUserMessage(JSON.stringify(bodyOf(name)))).toEqual({ kind });
  });

  test('serverShutdown is an end to prepare for', () => {
    expect(parseUserMessage('{"event":{"e":"serverShutdown","E":1770123456789}}')).toEqual({
      kind: 'ending',
    });
  });

  test.each([
    ['row 83: an event of an unknown type', '{"event":{"e":"somethingNew"}}'],
    ['no JSON', '{"event":'],
    ['no event', '[]'],
    ['row 83: an unknown status', JSON.stringify({ event: { ...eventOf('executionReport'), X: 'DONE' } })],
    ['a trade without an id', JSON.stringify({ event: { ...eventOf('executionReport'), ...TRADE, t: -1 } })],
    ['a trade of nothing', JSON.stringify({ event: { ...eventOf('executionReport'), ...TRADE, l: '0.00' } })],
    [
      'a trade without a coin',
      JSON.stringify({ event: { ...eventOf('executionReport'), ...TRADE, N: null } }),
    ],
  ])('%s is reported as unreadable, without its content', (_, text) => {
    const message = parseUserMessage(text);
    expect(message).toMatchObject({ kind: 'unreadable' });
    expect(JSON.stringify(message)).not.toMatch(/somethingNew|DONE|ETHBTC/);
  });

  test('row 83: a new field beside those known changes nothing', () => {
    expect(report({ zz: { new: true } })).toEqual(report());
  });
});

describe('rights of a key', () => {
  const KEY = {
    ipRestrict: true,
    enableReading: true,
    enableSpotAndMarginTrading: true,
    enableWithdrawals: false,
  };
  test('that are not stated count as given, so that a key is never taken for a harmless one', () => {
    expect(WireRestrictions.parse(KEY)).toMatchObject({
      enableWithdrawals: false,
      enableInternalTransfer: true,
      permitsUniversalTransfer: true,
    });
    expect(WireRestrictions.safeParse({ ...KEY, enableWithdrawals: undefined }).success).toBe(false);
  });
});
