/** Binance's hosts, keys and answers, word for word: the parts that its documentation lacks. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { canceledOf, placedOf, stateOf } from '../../venues/binance/trading/answer.ts';
import { parseUserMessage } from '../../venues/binance/trading/events.ts';
import { type BinanceEnvironment, hostsOf } from '../../venues/binance/trading/hosts.ts';
import { Signer } from '../../venues/binance/trading/sign.ts';
import { bodyOf, eventOf, requestFor } from './support/binance-trading.ts';

test('its hosts are a table, and those of a simulator lie below its address', () => {
  const environments: BinanceEnvironment[] = ['live', 'testnet', 'demo'];
  expect(environments.map((environment) => hostsOf(environment))).toEqual([
    {
      api: 'https://api.binance.com/',
      socket: 'wss://ws-api.binance.com:443/ws-api/v3',
      hasWallet: true,
    },
    {
      api: 'https://testnet.binance.vision/',
      socket: 'wss://ws-api.testnet.binance.vision/ws-api/v3',
      hasWallet: false,
    },
    {
      api: 'https://demo-api.binance.com/',
      socket: 'wss://demo-ws-api.binance.com/ws-api/v3',
      hasWallet: false,
    },
  ]);
  const address = 'http://127.0.0.1:41000';
  expect(hostsOf('live', address)).toEqual({
    api: 'http://127.0.0.1:41000/binance/',
    socket: 'ws://127.0.0.1:41000/binance/ws-api/v3',
    hasWallet: true,
  });
  expect(hostsOf('testnet', `${address}/http`)).toEqual({
    api: 'http://127.0.0.1:41000/http/binance-testnet/',
    socket: 'ws://127.0.0.1:41000/http/binance-testnet/ws-api/v3',
    hasWallet: false,
  });
});

describe('a key', () => {
  const KEY = 'k'.repeat(16);
  const SECRET = 's'.repeat(16);

  test('is sent in the headers, and never printed', () => {
    const signer = Signer.of(KEY, SECRET);
    expect(signer.headers).toEqual({ 'x-mbx-apikey': KEY });
    expect(inspect(signer)).toBe('[Signer]');
    expect(JSON.stringify({ signer })).toBe('{"signer":"[Signer]"}');
  });

  test('is letters and digits, and its secret long enough or a key that can be read', () => {
    for (const key of ['k'.repeat(15), 'k'.repeat(129), `${KEY}-`, `-${KEY}`])
      expect(() => Signer.of(key, SECRET), key).toThrow(
        'the API key of Binance is 16 to 128 letters and digits',
      );
    expect(() => Signer.of(KEY, 's'.repeat(15))).toThrow(
      'the secret of Binance is at least 16 characters long',
    );
    expect(() => Signer.of(KEY, '\n  -----BEGIN PRIVATE KEY-----')).toThrow(
      'the private key cannot be read: it has to be a PEM of PKCS#8 without a password',
    );
  });
});

describe('an answer', () => {
  const full = bodyOf('newOrderFull');
  const request = requestFor(full);
  const placed = (body: unknown, status = 200) => placedOf({ status, body }, request);

  test('to a new order is about that order, on its side', () => {
    expect(placed(full)).toMatchObject({ kind: 'taken' });
    expect(() => placed({})).toThrow('a new order');
    for (const changes of [{ symbol: 'OTHER' }, { clientOrderId: 'other' }, { side: 'BUY' }])
      expect(() => placed({ ...full, ...changes })).toThrow('a new order');
    const bought = { ...full, side: 'BUY' };
    expect(placedOf({ status: 200, body: bought }, requestFor(bought))).toMatchObject({ kind: 'taken' });
    expect(() => placedOf({ status: 200, body: full }, requestFor(bought))).toThrow('a new order');
  });

  test('that takes an order tells its trades apart, and none where there were none', () => {
    const resting = { ...full, status: 'NEW', executedQty: '0.00000000', fills: [] };
    expect(placed(resting)).toMatchObject({ order: { status: 'open', fills: [] }, trades: [] });
    expect(placed(full)).toMatchObject({ order: { fills: [] } });
  });

  test('whose fills contradict the charged price is refused', () => {
    const charged = (cummulativeQuoteQty: string) => placed({ ...full, cummulativeQuoteQty });
    const quote = String(full['cummulativeQuoteQty']);
    expect(charged(quote)).toMatchObject({ kind: 'taken' });
    expect(() => charged(String(2 * Number(quote)))).toThrow('unexpected shape');
    // Binance no longer knows it for old orders.
    expect(charged('-1')).toMatchObject({ kind: 'taken' });
  });

  test('has its status converted to those of orders', () => {
    const filledOrder = { orderId: '1', status: 'FILLED', executedQty: '1.00', origQty: '1.00' } as const;
    expect(stateOf(filledOrder, '1').state).toMatchObject({
      status: 'filled',
      reasonCode: null,
      reason: null,
    });
    expect(stateOf(filledOrder, '1.001').state).toMatchObject({
      status: 'canceled',
      reasonCode: 'cut_to_step',
      reason: "Filled completely after 1.001 was rounded down to 1: the rest is below the venue's step.",
    });
    const over = { ...filledOrder, executedQty: '0.50', status: 'CANCELED' } as const;
    expect(stateOf(over, '2').state).toMatchObject({ reasonCode: 'at_venue' });
    const banded = { expiryReason: 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED' };
    expect(stateOf({ ...over, ...banded }, null).state).toMatchObject({ reasonCode: 'at_venue' });
    const expired = { ...over, status: 'EXPIRED' } as const;
    expect(stateOf({ ...expired, ...banded }, null).state).toMatchObject({ reasonCode: 'price_out_of_band' });
    expect(stateOf(expired, null).state).toMatchObject({
      status: 'canceled',
      reasonCode: 'no_more_offers',
      reason: 'No offers were left at its price.',
    });
    const refused = { kind: 'refused', code: 'venue_refused', reason: 'Binance refused the order.' };
    expect(stateOf({ ...filledOrder, status: 'REJECTED', executedQty: '0' }, null)).toMatchObject({
      state: { status: 'rejected', reason: 'Binance refused the order.' },
      refused,
    });
  });

  test('to a cancel is about that market, or leaves the outcome open', () => {
    const body = bodyOf('cancel');
    expect(canceledOf({ status: 200, body }, { symbol: 'LTCBTC' })).toEqual({ kind: 'asked' });
    expect(() => canceledOf({ status: 200, body }, { symbol: 'OTHER' })).toThrow('a cancel');
    expect(() => canceledOf({ status: 200, body: {} }, { symbol: 'LTCBTC' })).toThrow('a cancel');
    expect(() => canceledOf({ status: 503, body: {} }, { symbol: 'LTCBTC' })).toThrow(
      /did not return a cancel: status 503$/,
    );
    expect(() => canceledOf({ status: 400, body: { code: -1, msg: '' } }, { symbol: 'LTCBTC' })).toThrow(
      /status 400, code -1$/,
    );
  });
});

test('a trade of the stream may come without a commission', () => {
  const { n: _n, N: _N, ...event } = eventOf('executionReport');
  const traded = {
    ...event,
    x: 'TRADE',
    X: 'FILLED',
    l: '1.00000000',
    z: '1.00000000',
    L: '0.10264410',
    t: 7,
  };
  for (const commission of [{}, { n: null, N: null }]) {
    const message = parseUserMessage(
      JSON.stringify({ subscriptionId: 0, event: { ...traded, ...commission } }),
    );
    if (message.kind === 'report')
      expect(message.trade).toMatchObject({ commission: '0', commissionAsset: '', id: '7' });
    else expect(message).toEqual({ kind: 'unreadable', about: 'an executionReport' });
  }
  expect(parseUserMessage('{')).toEqual({ kind: 'unreadable', about: 'a message of the user stream' });
});
