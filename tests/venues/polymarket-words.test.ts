/** What venue B's answers and statuses come to, word for word, and how its orders are judged: the parts beside the recordings. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { AccountFill, TradedInstrument, VenueFill } from '../../venues/broker.ts';
import { type Asked, orderAmounts } from '../../venues/polymarket/trading/amounts.ts';
import { readCanceled, readPlaced, retryAfterSec } from '../../venues/polymarket/trading/answer.ts';
import { ApiCredentials } from '../../venues/polymarket/trading/auth.ts';
import { judge, ownFills, type Sight } from '../../venues/polymarket/trading/find.ts';
import { prepareOrder } from '../../venues/polymarket/trading/order.ts';
import { partsOf, WireOrder, WireTrade } from '../../venues/polymarket/trading/records.ts';
import {
  ClosedOnly,
  Geoblock,
  isVersionKnown,
  permissionsOf,
  ServerTime,
  SessionSigners,
  sessionKeyOf,
} from '../../venues/polymarket/trading/status.ts';
import { readFrame } from '../../venues/polymarket/trading/stream.ts';
import { wordOf } from '../../venues/polymarket/trading/typed-data.ts';
import {
  acceptedOf,
  type Body,
  makerOf,
  mintTrade,
  OTHER_ID,
  orderRecord,
  refusedWith,
  takerTrade,
} from './support/polymarket-bodies.ts';
import {
  buyOf,
  instrumentOf,
  NOW,
  OTHER_TOKEN,
  prepared,
  SIGNER,
  TOKEN,
  WALLET,
} from './support/polymarket-trading.ts';

const RESTING = prepared();
const TAKING = prepared({ timeInForce: 'ioc' });
const SELLING = prepared({ timeInForce: 'ioc', side: 'sell' });

describe('whether venue B can be traded at', () => {
  test('its time is whole seconds, as a number or as text', () => {
    expect([1_795_341_600, '1795341600'].map((time) => ServerTime.parse(time))).toEqual([
      1_795_341_600, 1_795_341_600,
    ]);
    for (const none of [0, -1, 1.5, '', '179534160', '17953416000', 'x1795341600', null])
      expect(ServerTime.safeParse(none).success, String(none)).toBe(false);
    expect(ServerTime.safeParse(0).error?.issues[0]?.message).toBe('no time');
  });

  test('its exchange is the one whose orders are signed here', () => {
    expect(isVersionKnown({ version: 2 })).toBe(true);
    for (const other of [{ version: 1 }, { version: '2' }, {}, null])
      expect(isVersionKnown(other)).toBe(false);
  });

  test('what it says of an account has its shape', () => {
    expect(ClosedOnly.parse({ closed_only: true })).toEqual({ closed_only: true });
    expect(Geoblock.parse({ blocked: false })).toEqual({ blocked: false });
    expect(ClosedOnly.safeParse({}).success || Geoblock.safeParse({}).success).toBe(false);
  });

  const endsAt = NOW.getTime() / 1_000 + 60;
  const keyOf = (changes: Body = {}, address = '0xab') => {
    const signer = { address: '0xAB', scopes: ['CLOB'], valid_until: endsAt, ...changes };
    return sessionKeyOf(SessionSigners.parse({ signers: [signer] }), address, NOW);
  };
  test('a session key trades while it is listed, in time and for trading', () => {
    const expiresAt = new Date(endsAt * 1_000);
    expect(keyOf()).toEqual({ isValid: true, expiresAt });
    expect(keyOf({ scopes: ['X', 'ALL'] })).toEqual({ isValid: true, expiresAt });
    expect(keyOf({ scopes: ['X'] })).toEqual({ isValid: false, expiresAt });
    expect(keyOf({ scopes: [] }).isValid).toBe(false);
    expect(keyOf({ valid_until: NOW.getTime() / 1_000 }).isValid).toBe(false);
    expect(keyOf({}, '0xcd')).toEqual({ isValid: false, expiresAt: null });
    expect(
      SessionSigners.safeParse({ signers: [{ address: 'x', scopes: [], valid_until: -1 }] }).success,
    ).toBe(false);
  });

  test('an account may trade, only close, or only look', () => {
    const rights = { isBlocked: false, isClosedOnly: false, isKeyValid: true };
    expect(permissionsOf(rights)).toEqual(['read', 'trade']);
    expect(permissionsOf({ ...rights, isClosedOnly: true })).toEqual(['read', 'close']);
    expect(permissionsOf({ ...rights, isBlocked: true })).toEqual(['read']);
    expect(permissionsOf({ ...rights, isKeyValid: false, isClosedOnly: true })).toEqual(['read']);
  });
});

describe('credentials of the API', () => {
  const credentials = new ApiCredentials({ key: 'k', secret: 'c2VjcmV0', passphrase: 'p' });

  test('sign a call with or without a body, and say who calls', () => {
    const call = { method: 'GET', path: '/data/orders' };
    const headers = credentials.headers('0xab', call, 1_795_341_600);
    expect(headers).toEqual({
      POLY_ADDRESS: '0xab',
      POLY_API_KEY: 'k',
      POLY_PASSPHRASE: 'p',
      POLY_TIMESTAMP: '1795341600',
      POLY_SIGNATURE: credentials.signatureOf({ ...call, body: '' }, 1_795_341_600),
    });
    const withBody = credentials.headers('0xab', { ...call, body: '{}' }, 1_795_341_600);
    expect(withBody['POLY_SIGNATURE']).not.toBe(headers['POLY_SIGNATURE']);
    expect(credentials.signatureOf(call, 1_795_341_600)).toBe(headers['POLY_SIGNATURE']);
    const signatures = Array.from({ length: 50 }, (_, at) => credentials.signatureOf(call, at)).join('');
    expect(signatures).toMatch(/^[\w=-]+$/);
    expect(signatures).toContain('-');
    expect(signatures).toContain('_');
  });

  test('are shown to the stream, and print no secret', () => {
    expect(credentials.streamAuth()).toEqual({ apiKey: 'k', secret: 'c2VjcmV0', passphrase: 'p' });
    expect(`${inspect(credentials)}${JSON.stringify(credentials)}`).not.toMatch(/c2VjcmV0|passphrase/);
  });

  test('need a secret', () => {
    expect(() => new ApiCredentials({ key: 'k', secret: '', passphrase: 'p' })).toThrow(
      'the secret of API credentials is base64',
    );
  });
});

test('a word holds 0 to 2^256 - 1', () => {
  const most = (1n << 256n) - 1n;
  expect(Buffer.from(wordOf(0n)).toString('hex')).toBe('0'.repeat(64));
  expect(Buffer.from(wordOf(most)).toString('hex')).toBe('f'.repeat(64));
  for (const value of [-1n, most + 1n]) expect(() => wordOf(value)).toThrow('a word holds 0 to 2^256 - 1');
});

describe('an answer to an order', () => {
  const placed = (status: number, body: unknown, { request, id } = RESTING) =>
    readPlaced({ status, body }, request, id);

  test('of an unknown kind says what it is', () => {
    const live = acceptedOf(RESTING.id);
    expect(() => placed(300, live)).toThrow('venue B answered with status 300');
    expect(() => placed(199, live)).toThrow('venue B answered with status 199');
    expect(() => placed(500, { error: 'could not insert order' })).toThrow(
      'venue B answered with status 500',
    );
    expect(() => placed(200, {})).toThrow('venue B sent an answer of another shape than expected');
    expect(() => placed(200, acceptedOf(OTHER_ID))).toThrow(
      'venue B sent an answer that is not about the order it was sent',
    );
    expect(() => placed(200, acceptedOf(RESTING.id, { errorMsg: 'banned' }))).toThrow(
      'is not about the order',
    );
    expect(() => placed(200, acceptedOf(RESTING.id, { status: 'x' }))).toThrow(
      'venue B sent a status of an order that nobody knows',
    );
    expect(() => placed(200, refusedWith('x'))).toThrow('venue B refuses an order for a reason nobody knows');
  });

  test('is a repeat only of a request that is refused for it', () => {
    const body = { error: 'the order is duplicated' };
    expect(placed(400, body)).toEqual({ kind: 'exists' });
    expect(placed(403, body)).toMatchObject({ kind: 'refused', code: 'forbidden' });
  });

  test('refuses in words, by its text where that is known', () => {
    expect(placed(400, { error: 'not enough balance' })).toEqual({
      kind: 'refused',
      code: 'insufficient_balance',
      reason: 'venue B refuses the order: insufficient balance',
    });
    expect(placed(403, { error: 'not enough balance' })).toMatchObject({ code: 'forbidden' });
    expect(placed(425, undefined)).toMatchObject({ reason: 'venue B refuses the order: venue restarting' });
    expect(() => placed(503, undefined)).toThrow('status 503');
  });

  test('matched, fills what it says and ends what may not rest', () => {
    const matched = (order: typeof TAKING, makingAmount: string, takingAmount: string) =>
      placed(200, acceptedOf(order.id, { status: 'matched', makingAmount, takingAmount }), order);
    expect(matched(TAKING, '2.4', '4')).toMatchObject({
      order: { status: 'canceled', filledAmount: '4', reasonCode: 'time_in_force' },
    });
    expect(matched(RESTING, '6', '10')).toMatchObject({ order: { status: 'filled', filledAmount: '10' } });
    expect(matched(SELLING, '3', '7')).toMatchObject({ order: { status: 'canceled', filledAmount: '3' } });
    expect(matched(TAKING, '', '4')).toMatchObject({ order: { status: 'open', filledAmount: null } });
    expect(matched(TAKING, '2.4', '')).toMatchObject({ order: { status: 'open', filledAmount: null } });
    expect(matched(SELLING, '3', '')).toMatchObject({ order: { status: 'open', filledAmount: null } });
    // A sell of all but a part, though as many dollars came in as there were shares.
    expect(matched(SELLING, '9', '10')).toMatchObject({ order: { status: 'canceled', filledAmount: '9' } });
    expect(matched(RESTING, '', '')).toMatchObject({ order: { status: 'open', filledAmount: null } });
    const live = acceptedOf(RESTING.id, { makingAmount: '1', takingAmount: '2' });
    expect(placed(200, live)).toMatchObject({ order: { status: 'open', filledAmount: null } });
  });
});

describe('an answer to a cancel', () => {
  test('that does not say what became of it says so', () => {
    const ours = { canceled: [RESTING.id], not_canceled: {} };
    expect(readCanceled({ status: 200, body: ours }, RESTING.id)).toEqual({
      kind: 'asked',
      isConfirmed: true,
    });
    expect(() => readCanceled({ status: 500, body: ours }, RESTING.id)).toThrow(
      'venue B did not say what became of a cancel (status 500)',
    );
    expect(() => readCanceled({ status: 200, body: { canceled: [OTHER_ID] } }, RESTING.id)).toThrow(
      'venue B answered a cancel about another order',
    );
  });

  test('may say when orders are taken again', () => {
    expect([{ retry_after_seconds: 1.2 }, { retry_after_seconds: 3_601 }, {}].map(retryAfterSec)).toEqual([
      2,
      null,
      null,
    ]);
  });
});

const FILL: VenueFill = {
  tradeId: 't',
  amount: '4',
  price: '0.6',
  fee: '0',
  feeAsset: 'USD',
  feeAmount: '0',
  liquidity: 'taker',
  state: 'final',
  at: NOW,
};
const told = (changes: Partial<AccountFill> = {}): AccountFill => ({
  ...FILL,
  venueOrderId: RESTING.id,
  clientOrderId: null,
  tokenId: TOKEN,
  side: 'buy',
  ...changes,
});
const sight = (changes: Partial<Sight> = {}): Sight => ({
  orderId: RESTING.id,
  request: RESTING.request,
  listed: null,
  fills: [],
  lastMatched: '0',
  isAcknowledged: false,
  isCancelConfirmed: false,
  isSettled: false,
  now: NOW,
  ...changes,
});
const listed = (changes: Body = {}) => WireOrder.parse(orderRecord(RESTING.id, changes));

describe('what became of an order', () => {
  test('its trades are those of its id, all of its token and side', () => {
    const other = told({ venueOrderId: OTHER_ID, side: 'sell', tokenId: OTHER_TOKEN });
    expect(ownFills([told(), other], RESTING.id, RESTING.request)).toEqual([told()]);
    const sold = told({ venueOrderId: SELLING.id, side: 'sell' });
    expect(ownFills([sold], SELLING.id, SELLING.request)).toEqual([sold]);
    for (const damaged of [told({ side: 'sell' }), told({ tokenId: OTHER_TOKEN })])
      expect(() => ownFills([told(), damaged], RESTING.id, RESTING.request)).toThrow('venue B');
    expect(() => ownFills([told({ venueOrderId: SELLING.id })], SELLING.id, SELLING.request)).toThrow(
      'venue B',
    );
  });

  test('a record of another order, or of another token, is none', () => {
    expect(judge(sight({ listed: listed() }))).toMatchObject({ status: 'open', filledAmount: '0' });
    for (const changes of [{ id: OTHER_ID }, { asset_id: OTHER_TOKEN }])
      expect(() => judge(sight({ listed: listed(changes) }))).toThrow('venue B');
  });

  test('a status that only begins like an end is one nobody knows', () => {
    for (const status of ['CANCELED', 'CANCELLED_x'])
      expect(judge(sight({ listed: listed({ status }) }))).toMatchObject({ status: 'canceled' });
    expect(() => judge(sight({ listed: listed({ status: 'NOT_CANCELED' }) }))).toThrow('nobody knows');
  });

  test('that nothing is known of is null; one that was seen is open, and over once nothing moves', () => {
    expect(judge(sight())).toBeNull();
    expect(judge(sight({ isAcknowledged: true }))).toMatchObject({ status: 'open' });
    expect(judge(sight({ isAcknowledged: true, isSettled: true }))).toMatchObject({
      status: 'canceled',
      reasonCode: 'at_venue',
    });
    expect(judge(sight({ isCancelConfirmed: true }))).toMatchObject({
      reasonCode: 'requested',
      reason: 'as asked',
    });
    const due = prepared({ goodTill: new Date(NOW.getTime() + 600_000) });
    const late = { request: due.request, orderId: due.id, isAcknowledged: true, isSettled: true };
    expect(judge(sight({ ...late, now: new Date(NOW.getTime() + 3_600_000) }))).toMatchObject({
      status: 'expired',
      reasonCode: 'expired',
      reason: 'its time is over',
    });
    expect(judge(sight(late))).toMatchObject({ status: 'canceled', reasonCode: 'at_venue' });
  });

  test('of a sell is whole by what it gives, of a buy by what it gets', () => {
    const fills = [{ ...FILL, amount: '10' }];
    expect(judge(sight({ fills }))).toMatchObject({ status: 'filled', filledAmount: '10' });
    const sold = sight({ request: SELLING.request, orderId: SELLING.id, fills });
    expect(judge(sold)).toMatchObject({ status: 'filled' });
    const some = sight({ ...sold, fills: [{ ...FILL, amount: '6' }], isSettled: true });
    expect(judge(some)).toMatchObject({ status: 'canceled', reasonCode: 'time_in_force' });
  });
});

describe('a frame of the stream', () => {
  const event = (changes: Body) =>
    readFrame(
      JSON.stringify({ event_type: 'order', type: 'CANCELLATION', ...orderRecord(RESTING.id), ...changes }),
    );

  test('without anything, or that only answers, tells nothing', () => {
    expect([readFrame(''), readFrame('PONG'), readFrame('[]')]).toEqual([[], [], []]);
    expect(readFrame('{')).toEqual([{ kind: 'unreadable', about: 'a frame' }]);
  });

  test('that cannot be read is named, as far as its name is fit for a log', () => {
    const about = (name: unknown) => readFrame(JSON.stringify({ event_type: name }));
    expect(about('last_price')).toEqual([{ kind: 'unreadable', about: 'last_price' }]);
    for (const name of ['two words', ' x', 'x ', '', 'x'.repeat(51), 7])
      expect(about(name), String(name)).toEqual([{ kind: 'unreadable', about: 'an event' }]);
    const trade = { ...takerTrade(RESTING.id), event_type: 'trade', type: 'TRADE', side: 'NEITHER' };
    expect(readFrame(JSON.stringify(trade))).toEqual([{ kind: 'unreadable', about: 'trade' }]);
  });

  test('tells how an order ended in words, and no end nobody knows', () => {
    const end = (status: string) => event({ status });
    const reasons = ['INVALID', 'CANCELED_MARKET_RESOLVED', 'CANCELLED'].map((status) => end(status)[0]);
    expect(reasons).toMatchObject([
      { order: { reason: 'the venue no longer takes it for valid', fills: [] } },
      { order: { reason: 'the market is resolved' } },
      { order: { reason: 'canceled at the venue' } },
    ]);
    const unknown = [{ kind: 'unreadable', about: 'the end of an order' }];
    expect([end('NOT_CANCELED'), end('LIVE')]).toEqual([unknown, unknown]);
    expect(event({ type: 'UPDATE', status: 'ODD' })).toEqual([{ kind: 'unreadable', about: RESTING.id }]);
  });
});

describe('amounts and prices of an order', () => {
  const amounts = (asked: Partial<Asked>, changes: Partial<TradedInstrument> = {}) =>
    orderAmounts(
      { side: 'buy', timeInForce: 'gtc', amount: '10', limitPrice: '0.6', ...asked },
      instrumentOf(changes),
    );

  test('are refused in words, with what was asked for', () => {
    const reason = (...given: Parameters<typeof amounts>) => {
      const asked = amounts(...given);
      return asked.kind === 'refused' ? asked.reason : asked;
    };
    expect(reason({}, { tickSize: '0.02' })).toBe('prices in steps of 0.02 are not known');
    expect(reason({ amount: '1.001' })).toBe('an amount is above 0 and has at most two decimals, not 1.001');
    expect(reason({ limitPrice: '0.605' })).toBe('the price 0.605 is not on the grid of steps of 0.01');
    expect(reason({ amount: '4' })).toBe('an order that rests is of at least 5 shares');
    expect(reason({ amount: '1', timeInForce: 'ioc' })).toBe('an order that takes is of at least 1 USD');
    expect(reason({ amount: '1', timeInForce: 'ioc', side: 'sell' })).toMatchObject({ kind: 'amounts' });
    expect(reason({ amount: '10', limitPrice: '0.01' })).toMatchObject({ kind: 'amounts' });
  });

  test('that rest are what was asked for, to the unit; what takes spends whole cents', () => {
    const odd = { amount: '10.01', limitPrice: '0.33' };
    expect(amounts(odd)).toEqual({ kind: 'amounts', makerAmount: '3303300', takerAmount: '10010000' });
    expect(amounts({ ...odd, timeInForce: 'ioc' })).toEqual({
      kind: 'amounts',
      makerAmount: '3300000',
      takerAmount: '10000000',
    });
  });

  test('are of a contract that is signed for, and of the wallet that signs', () => {
    const order = (changes: Parameters<typeof buyOf>[0] = {}, wallet = WALLET, market = instrumentOf()) =>
      prepareOrder(buyOf(changes), market, wallet, SIGNER.address, NOW);
    const { contract: _, ...unknown } = instrumentOf();
    expect(order({}, WALLET, unknown)).toEqual({
      kind: 'refused',
      code: 'unknown_contract',
      reason: 'the venue settles this market by a contract this service does not sign for',
    });
    const own = { ...WALLET, signatureType: 0 as const };
    expect(order()).toMatchObject({
      prepared: { request: { order: { signer: WALLET.address, side: 'BUY' } } },
    });
    expect(order({ side: 'sell' }, own)).toMatchObject({
      prepared: { request: { order: { signer: SIGNER.address, side: 'SELL' } } },
    });
  });
});

describe('a record', () => {
  const created = (created_at: unknown) => WireOrder.safeParse(orderRecord(RESTING.id, { created_at }));

  test('has its time in seconds, in milliseconds or as text, between 2020 and 2100', () => {
    const at = new Date('2026-11-22T10:00:00.000Z');
    for (const time of [
      1_795_341_600,
      '1795341600',
      1_795_341_600_000,
      '1795341600000',
      '2026-11-22T10:00:00Z',
    ])
      expect(created(time).data?.created_at, String(time)).toEqual(at);
    expect(created('2020-01-01T00:00:00Z').success && created('2100-01-01T00:00:00Z').success).toBe(true);
    const none = ['2019-12-31T23:59:59Z', '2100-01-01T00:00:01Z', '179534160', 'x1795341600', '1795341600x'];
    for (const time of [...none, ' 2026-11-22T10:00:00Z', '2026', 5, '17953416000000'])
      expect(created(time).error?.issues, String(time)).toMatchObject([
        { code: 'custom', message: 'not a time' },
      ]);
  });

  const trade = (changes: Body) => WireTrade.safeParse(takerTrade(RESTING.id, changes));
  test('of a trade has a price inside of 0 and 1, and a status with or without its prefix', () => {
    for (const price of ['0', '1', '1.5']) expect(trade({ price }).success, price).toBe(false);
    expect(trade({ status: 'TRADE_STATUS_FAILED' }).data?.status).toBe('failed');
    expect(trade({ status: 'MY_TRADE_STATUS_FAILED' }).error?.issues).toMatchObject([
      { code: 'custom', message: 'a status of a trade nobody knows' },
    ]);
  });

  test('of a trade without an order of this account, or whose sides do not meet, is none', () => {
    const parts = (body: Body) => partsOf(WireTrade.parse(body), WALLET.address);
    expect(() => parts(mintTrade(RESTING.id, { maker_orders: [makerOf()] }))).toThrow(
      'venue B sent a trade that has no order of this account',
    );
    expect(() => parts(takerTrade(RESTING.id, { maker_orders: [makerOf({ side: 'BUY' })] }))).toThrow(
      'venue B sent a trade whose sides do not meet',
    );
    const sold = takerTrade(RESTING.id, { side: 'SELL', maker_orders: [makerOf({ side: 'BUY' })] });
    expect(parts(sold)).toMatchObject([{ side: 'sell', liquidity: 'taker' }]);
    const against = { maker_address: WALLET.address, order_id: OTHER_ID };
    const both = takerTrade(RESTING.id, {
      side: 'SELL',
      maker_orders: [makerOf({ ...against, side: 'BUY' })],
    });
    expect(parts(both)).toMatchObject([{ side: 'sell' }, { side: 'buy', liquidity: 'maker' }]);
  });
});
