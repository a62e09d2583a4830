/** Venue B's answers and statuses, word for word, and the evaluation of its orders: the parts without recordings. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readCancelAnswer, readPlaceAnswer, retryAfterSec } from '../../venues/polymarket/trading/answer.ts';
import { ApiCredentials } from '../../venues/polymarket/trading/auth.ts';
import {
  ClosedOnly,
  Geoblock,
  isVersionKnown,
  permissionsOf,
  ServerTime,
  SessionSigners,
  sessionKeyOf,
} from '../../venues/polymarket/trading/trading-permissions.ts';
import { wordOf } from '../../venues/polymarket/trading/typed-data.ts';
import { readFrame } from '../../venues/polymarket/trading/user-stream.ts';
import {
  acceptedOf,
  type Body,
  OTHER_ID,
  orderRecord,
  refusedWith,
  takerTrade,
} from './support/polymarket-bodies.ts';
import { NOW, prepared } from './support/polymarket-trading.ts';

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

  test('its exchange is the version that this service signs for', () => {
    expect(isVersionKnown({ version: 2 })).toBe(true);
    for (const other of [{ version: 1 }, { version: '2' }, {}, null])
      expect(isVersionKnown(other)).toBe(false);
  });

  test('its answers about an account have a known shape', () => {
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

  test('an account may trade, only close, or only read', () => {
    const rights = { isBlocked: false, isClosedOnly: false, isKeyValid: true };
    expect(permissionsOf(rights)).toEqual(['read', 'trade']);
    expect(permissionsOf({ ...rights, isClosedOnly: true })).toEqual(['read', 'close']);
    expect(permissionsOf({ ...rights, isBlocked: true })).toEqual(['read']);
    expect(permissionsOf({ ...rights, isKeyValid: false, isClosedOnly: true })).toEqual(['read']);
  });
});

describe('credentials of the API', () => {
  const credentials = new ApiCredentials({ key: 'k', secret: 'c2VjcmV0', passphrase: 'p' });

  test('sign a call with or without a body, and name the caller', () => {
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

  test('are sent to the stream, and print no secret', () => {
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
    readPlaceAnswer({ status, body }, request, id);

  test('of an unknown kind is named in the error', () => {
    const live = acceptedOf(RESTING.id);
    expect(() => placed(300, live)).toThrow('venue B answered with status 300');
    expect(() => placed(199, live)).toThrow('venue B answered with status 199');
    expect(() => placed(500, { error: 'could not insert order' })).toThrow(
      'venue B answered with status 500',
    );
    expect(() => placed(200, {})).toThrow('venue B sent an answer of unexpected shape');
    expect(() => placed(200, acceptedOf(OTHER_ID))).toThrow('venue B sent an answer about another order');
    expect(() => placed(200, acceptedOf(RESTING.id, { errorMsg: 'banned' }))).toThrow(
      'an answer about another order',
    );
    expect(() => placed(200, acceptedOf(RESTING.id, { status: 'x' }))).toThrow(
      'venue B sent an unknown status of an order',
    );
    expect(() => placed(200, refusedWith('x'))).toThrow('venue B refuses an order for an unknown reason');
  });

  test('is a repeat only of a request that is refused for it', () => {
    const body = { error: 'the order is duplicated' };
    expect(placed(400, body)).toEqual({ kind: 'exists' });
    expect(placed(403, body)).toMatchObject({ kind: 'refused', code: 'forbidden' });
  });

  test('refuses with a reason, by its text if known', () => {
    expect(placed(400, { error: 'not enough balance' })).toEqual({
      kind: 'refused',
      code: 'insufficient_balance',
      reason: 'venue B refuses the order: insufficient balance',
    });
    expect(placed(403, { error: 'not enough balance' })).toMatchObject({ code: 'forbidden' });
    expect(placed(425, undefined)).toMatchObject({ reason: 'venue B refuses the order: venue restarting' });
    expect(() => placed(503, undefined)).toThrow('status 503');
  });

  test('matched, fills the stated amount and ends the rest that may not rest', () => {
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
    // A partial sell, although as many dollars came in as there were shares.
    expect(matched(SELLING, '9', '10')).toMatchObject({ order: { status: 'canceled', filledAmount: '9' } });
    expect(matched(RESTING, '', '')).toMatchObject({ order: { status: 'open', filledAmount: null } });
    const live = acceptedOf(RESTING.id, { makingAmount: '1', takingAmount: '2' });
    expect(placed(200, live)).toMatchObject({ order: { status: 'open', filledAmount: null } });
  });
});

describe('an answer to a cancel', () => {
  test('without an outcome is an error that names it', () => {
    const ours = { canceled: [RESTING.id], not_canceled: {} };
    expect(readCancelAnswer({ status: 200, body: ours }, RESTING.id)).toEqual({
      kind: 'asked',
      isConfirmed: true,
    });
    expect(() => readCancelAnswer({ status: 500, body: ours }, RESTING.id)).toThrow(
      'venue B did not state the outcome of a cancel (status 500)',
    );
    expect(() => readCancelAnswer({ status: 200, body: { canceled: [OTHER_ID] } }, RESTING.id)).toThrow(
      'venue B answered a cancel about another order',
    );
  });

  test('may state when orders are accepted again', () => {
    expect([{ retry_after_seconds: 1.2 }, { retry_after_seconds: 3_601 }, {}].map(retryAfterSec)).toEqual([
      2,
      null,
      null,
    ]);
  });
});

describe('a frame of the stream', () => {
  const event = (changes: Body) =>
    readFrame(
      JSON.stringify({ event_type: 'order', type: 'CANCELLATION', ...orderRecord(RESTING.id), ...changes }),
    );

  test('without content, or that only answers, reports nothing', () => {
    expect([readFrame(''), readFrame('PONG'), readFrame('[]')]).toEqual([[], [], []]);
    expect(readFrame('{')).toEqual([{ kind: 'unreadable', about: 'a frame' }]);
  });

  test('that cannot be parsed is named, if its name may be logged', () => {
    const about = (name: unknown) => readFrame(JSON.stringify({ event_type: name }));
    expect(about('last_price')).toEqual([{ kind: 'unreadable', about: 'last_price' }]);
    for (const name of ['two words', ' x', 'x ', '', 'x'.repeat(51), 7])
      expect(about(name), String(name)).toEqual([{ kind: 'unreadable', about: 'an event' }]);
    const trade = { ...takerTrade(RESTING.id), event_type: 'trade', type: 'TRADE', side: 'NEITHER' };
    expect(readFrame(JSON.stringify(trade))).toEqual([{ kind: 'unreadable', about: 'trade' }]);
  });

  test('states how an order ended in words, and no unknown end', () => {
    const end = (status: string) => event({ status });
    const reasons = ['INVALID', 'CANCELED_MARKET_RESOLVED', 'CANCELLED'].map((status) => end(status)[0]);
    expect(reasons).toMatchObject([
      { order: { reason: 'the venue declared the order invalid', fills: [] } },
      { order: { reason: 'the market is resolved' } },
      { order: { reason: 'canceled at the venue' } },
    ]);
    const unknown = [{ kind: 'unreadable', about: 'the end of an order' }];
    expect([end('NOT_CANCELED'), end('LIVE')]).toEqual([unknown, unknown]);
    expect(event({ type: 'UPDATE', status: 'ODD' })).toEqual([{ kind: 'unreadable', about: RESTING.id }]);
  });
});
