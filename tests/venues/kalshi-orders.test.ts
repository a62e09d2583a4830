/** Signed requests to venue A. Pure. */
import { constants, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BrokerOrder, TradedInstrument } from '../../venues/broker.ts';
import type { CreateRequest } from '../../venues/kalshi/trading/request.ts';
import * as requests from '../../venues/kalshi/trading/request.ts';
import { KalshiSigner } from '../../venues/kalshi/trading/sign.ts';
import { ED25519, NOON, orderOf, RSA } from './support/kalshi-trading.ts';
import { fixture } from './support/replay.ts';

const TIMESTAMP = 1_703_123_456_789;

function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = createPublicKey(publicKey);
  const bytes = Buffer.from(signature, 'base64');
  if (key.asymmetricKeyType === 'ed25519') return verify(null, Buffer.from(text), key, bytes);
  // As in the documentation: PSS, MGF1 with SHA-256, salt as long as the digest.
  return verify(
    'sha256',
    Buffer.from(text),
    { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
    bytes,
  );
}

describe('a signature for venue A', () => {
  test.each([
    ['RSA', RSA],
    ['Ed25519', ED25519],
  ])('by %s is over timestamp, method and path, without the query', (_, keys) => {
    const signer = new KalshiSigner('a952bcbe-ec3b-4b5b-b8f9-11dae589608c', keys.privateKey);
    const headers = signer.headers('GET', '/trade-api/v2/portfolio/orders?limit=5', TIMESTAMP);
    expect(headers).toMatchObject({
      'KALSHI-ACCESS-KEY': 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c',
      'KALSHI-ACCESS-TIMESTAMP': '1703123456789',
    });
    const signature = headers['KALSHI-ACCESS-SIGNATURE'];
    expect(isSignedBy(keys.publicKey, '1703123456789GET/trade-api/v2/portfolio/orders', signature)).toBe(
      true,
    );
    expect(isSignedBy(keys.publicKey, '1703123456789POST/trade-api/v2/portfolio/orders', signature)).toBe(
      false,
    );
  });

  test('accepts the key in the venue’s format, the older PEM of RSA', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' });
    expect(() => new KalshiSigner('key', String(pem))).not.toThrow();
  });

  test.each([
    ['no key', 'secret-of-mine'],
    [
      'a key of another kind',
      generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
    [
      'a short key',
      generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({
        type: 'pkcs8',
        format: 'pem',
      }),
    ],
  ])('is refused for %s, with an error that repeats nothing of it', (_, pem) => {
    const text = String(pem);
    expect(() => new KalshiSigner('key', text)).toThrow(
      'a private key of venue A is Ed25519, or RSA of 2048 bits or more, in PEM',
    );
    expect(() => new KalshiSigner('key\nid', ED25519.privateKey)).toThrow('key id');
  });

  test('hides its key from every print', () => {
    const signer = new KalshiSigner('key', ED25519.privateKey);
    expect(JSON.stringify({ signer })).toBe('{"signer":{"keyId":"key"}}');
  });
});

const TAPERED = [
  { start: '0', end: '0.1', step: '0.001' },
  { start: '0.1', end: '0.9', step: '0.01' },
  { start: '0.9', end: '1', step: '0.001' },
];

const instrumentOf = (outcome: 'yes' | 'no', changes: Partial<TradedInstrument> = {}): TradedInstrument => ({
  tokenId: `KXPRESPARTY-2028-D:${outcome}`,
  venue: 'venue-a',
  kind: 'outcome',
  market: 'KXPRESPARTY-2028-D',
  outcome,
  tickSize: '0.01',
  priceRanges: TAPERED,
  stepSize: '0.01',
  minSize: '0.01',
  minNotional: null,
  feeSchedule: null,
  status: 'open',
  ...changes,
});

const draftOf = (outcome: 'yes' | 'no', changes: Partial<BrokerOrder> = {}): BrokerOrder =>
  orderOf({ tokenId: `KXPRESPARTY-2028-D:${outcome}`, limitPrice: '0.4', ...changes });

const now = new Date(NOON);
function requestFor(order: BrokerOrder, group: string | null = null): CreateRequest {
  const outcome = order.tokenId.endsWith(':no') ? 'no' : 'yes';
  const preparation = requests.prepare(order, instrumentOf(outcome), now, group);
  if (preparation.kind === 'refused') throw new Error(preparation.code);
  return preparation.prepared.request as CreateRequest;
}

test('a create at venue A is sent as the official client sends it', () => {
  type Vector = Pick<BrokerOrder, 'side' | 'timeInForce' | 'limitPrice' | 'amount'> & {
    outcome: 'yes' | 'no';
    group: string | null;
    method: string;
    path: string;
    body: string;
  };
  for (const { outcome, group, method, path, body, ...order } of fixture<Vector[]>('kalshi-creates.json')) {
    const id = '00000000-0000-4000-8000-00000000000a';
    const sent = requests.createOf(requestFor(draftOf(outcome, { id, ...order }), group));
    expect([sent.method, sent.path]).toEqual([method, path]);
    expect(JSON.parse(sent.body ?? '')).toEqual(JSON.parse(body));
  }
});

describe('a create at venue A', () => {
  test.each([
    ['yes', 'buy', 'bid', '0.4000'],
    ['yes', 'sell', 'ask', '0.4000'],
    ['no', 'buy', 'ask', '0.6000'],
    ['no', 'sell', 'bid', '0.6000'],
  ] as const)('of %s to %s is a %s of yes at %s', (outcome, side, bookSide, price) => {
    expect(requestFor(draftOf(outcome, { side }))).toMatchObject({ side: bookSide, price, count: '10.00' });
  });

  test('row 71: has the exact mirror of a price of no, for any price', () => {
    const prices = fc.oneof(
      fc.integer({ min: 1, max: 99 }).map((step) => new Decimal(step).div(1_000)),
      fc.integer({ min: 10, max: 89 }).map((step) => new Decimal(step).div(100)),
      fc.integer({ min: 901, max: 999 }).map((step) => new Decimal(step).div(1_000)),
    );
    fc.assert(
      fc.property(prices, (price) => {
        const { price: yes } = requestFor(draftOf('no', { limitPrice: price.toFixed() }));
        expect(yes).toMatch(/^0\.\d{4}$/);
        expect(new Decimal(yes).plus(price).equals(1)).toBe(true);
      }),
    );
  });

  test('marks a sale as reduce-only, and a purchase not', () => {
    expect(requestFor(draftOf('yes')).reduce_only).toBe(false);
    expect(requestFor(draftOf('yes', { side: 'sell' })).reduce_only).toBe(true);
  });

  test('that rests to buy ends within ten minutes, or at its own end; a sale at its own end only', () => {
    const endOf = (changes: Partial<BrokerOrder>) => requestFor(draftOf('yes', changes)).expiration_time;
    const soon = new Date(NOON + 60_500);
    const late = new Date(NOON + 3_600_000);
    expect(endOf({})).toBe(NOON / 1_000 + 600);
    expect(endOf({ goodTill: soon })).toBe(NOON / 1_000 + 60);
    expect(endOf({ goodTill: late })).toBe(NOON / 1_000 + 600);
    expect(endOf({ side: 'sell' })).toBeUndefined();
    expect(endOf({ side: 'sell', goodTill: late })).toBe(NOON / 1_000 + 3_600);
    expect(endOf({ timeInForce: 'ioc' })).toBeUndefined();
  });

  test('ends when the venue pauses, yields to our own orders, and belongs to its group', () => {
    expect(requestFor(draftOf('yes'), 'group-1')).toMatchObject({
      cancel_order_on_pause: true,
      self_trade_prevention_type: 'taker_at_cross',
      order_group_id: 'group-1',
    });
    expect(requestFor(draftOf('yes'))).not.toHaveProperty('order_group_id');
  });

  test('is sent as texts, to the one route that takes orders', () => {
    const order = draftOf('yes', { timeInForce: 'ioc', id: 'c-1' });
    expect(requests.createOf(requestFor(order))).toEqual({
      method: 'POST',
      path: '/portfolio/events/orders',
      body:
        '{"ticker":"KXPRESPARTY-2028-D","client_order_id":"c-1","side":"bid","count":"10.00","price":"0.4000",' +
        '"time_in_force":"immediate_or_cancel","self_trade_prevention_type":"taker_at_cross",' +
        '"cancel_order_on_pause":true,"reduce_only":false}',
    });
  });

  test.each([
    ['a price between two steps', draftOf('yes', { limitPrice: '0.405' }), {}, 'price_off_grid'],
    ['a price finer than the edge', draftOf('yes', { limitPrice: '0.0005' }), {}, 'price_off_grid'],
    ['a price of nothing', draftOf('yes', { limitPrice: '0' }), {}, 'price_off_grid'],
    ['a price of all', draftOf('yes', { limitPrice: '1' }), {}, 'price_off_grid'],
    ['an amount between two steps', draftOf('yes', { amount: '0.015' }), {}, 'amount_off_step'],
    ['no amount', draftOf('yes', { amount: '0' }), {}, 'amount_off_step'],
    ['a market that is closed', draftOf('yes'), { status: 'closed' }, 'market_not_open'],
    ['another instrument', draftOf('no'), {}, 'instrument_mismatch'],
    ['another venue', draftOf('yes'), { venue: 'venue-b' }, 'instrument_mismatch'],
    ['an id that is too long', draftOf('yes', { id: 'x'.repeat(65) }), {}, 'id_too_long'],
  ] as const)('cannot be made of %s', (_, order, changes, code) => {
    const instrument = instrumentOf('yes', changes);
    expect(requests.prepare(order, instrument, now, null)).toMatchObject({ kind: 'refused', code });
  });

  test('arrives within 75 s, and is named by the order', () => {
    const order = draftOf('yes');
    expect(requests.prepare(order, instrumentOf('yes'), now, null)).toMatchObject({
      prepared: {
        clientOrderId: order.id,
        venueOrderId: null,
        signedFor: now,
        arrivesBy: new Date(NOON + 75_000),
      },
    });
  });
});

describe('other requests to venue A', () => {
  test('row 28: a cancel names the market, so that the right shard is searched', () => {
    expect(requests.cancelOf('a/b', 'KXBTC-26')).toEqual({
      method: 'DELETE',
      path: '/portfolio/events/orders/a%2Fb?market_ticker=KXBTC-26',
    });
  });

  test('a search covers every status, from two minutes before the order was signed', () => {
    const order = draftOf('yes');
    const preparation = requests.prepare(order, instrumentOf('yes'), now, null);
    if (preparation.kind === 'refused') throw new Error(preparation.code);
    const ref = { ...order, prepared: preparation.prepared, venueOrderId: null };
    expect(requests.ordersOf(requests.searchOf(ref), null).path).toBe(
      `/portfolio/orders?ticker=KXPRESPARTY-2028-D&min_ts=${NOON / 1_000 - 120}&limit=1000`,
    );
    expect(requests.ordersOf(requests.searchOf({ ...ref, prepared: null }), 'next').path).toBe(
      '/portfolio/orders?ticker=KXPRESPARTY-2028-D&limit=1000&cursor=next',
    );
  });

  test.each([
    [requests.orderOf('o-1'), '/portfolio/orders/o-1'],
    [requests.ordersOf({ status: 'resting' }, null), '/portfolio/orders?status=resting&limit=1000'],
    [requests.fillsOf({ venueOrderId: 'o-1' }, null), '/portfolio/fills?order_id=o-1&limit=1000'],
    [requests.fillsOf({ since: now }, 'c'), `/portfolio/fills?min_ts=${NOON / 1_000}&limit=1000&cursor=c`],
    [requests.positionsOf(null), '/portfolio/positions?limit=1000'],
    [requests.balanceOf(), '/portfolio/balance'],
    [requests.asOfTimeOf(), '/exchange/user_data_timestamp'],
    [requests.exchangeStatusOf(), '/exchange/status'],
    [requests.apiKeysOf(), '/api_keys'],
    [requests.communicationsIdOf(), '/communications/id'],
    [requests.nettingOf(), '/portfolio/subaccounts/netting'],
  ])('%j asks', (outgoing, path) => {
    expect(outgoing).toEqual({ method: 'GET', path });
  });

  test('groups are made of a shard, and acted on there', () => {
    expect(requests.createGroupOf(2, '50')).toEqual({
      method: 'POST',
      path: '/portfolio/order_groups/create',
      body: '{"contracts_limit_fp":"50.00","exchange_index":2}',
    });
    expect(requests.groupActionOf('g-1', 'reset', 2)).toEqual({
      method: 'PUT',
      path: '/portfolio/order_groups/g-1/reset?exchange_index=2',
      body: '{}',
    });
    expect(requests.cancelAllOf()).toEqual({ method: 'DELETE', path: '/portfolio/events/orders' });
  });
});
