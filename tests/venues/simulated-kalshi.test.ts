/** The simulated venue A answers like the real one: paths, bodies and errors as recorded on its demo and as documented. */
import { constants, sign } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { chargeOf } from '../../simulator/trading/kalshi/fees.ts';
import { BASE_PATH } from '../../venues/kalshi/trading/sign.ts';
import { MARS, member, NOON, RSA } from './support/kalshi-trading.ts';

type Venue = Awaited<ReturnType<typeof member>>;
type RequestParts = {
  path: string;
  method?: string;
  body?: unknown;
  signedAtMs?: number;
  headers?: Record<string, string>;
};

async function ask(
  venue: Venue,
  { path, method = 'GET', body, signedAtMs = NOON, headers = {} }: RequestParts,
) {
  const signed = venue.signer.headers(method, `${BASE_PATH}${path}`, signedAtMs);
  const response = await fetch(`${venue.hosts.rest}${BASE_PATH}${path}`, {
    method,
    headers: { ...signed, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
}

const createOf = (changes: Record<string, unknown> = {}) => ({
  ticker: MARS,
  client_order_id: 'c-1',
  side: 'bid',
  count: '1.00',
  price: '0.0100',
  time_in_force: 'good_till_canceled',
  self_trade_prevention_type: 'taker_at_cross',
  ...changes,
});
const ORDERS = '/portfolio/events/orders';
const create = (venue: Venue, changes: Record<string, unknown> = {}) =>
  ask(venue, { path: ORDERS, method: 'POST', body: createOf(changes) });
const failing = (status: number, code: string) => ({ status, body: { error: { code } } });

describe('signatures at simulated venue A', () => {
  const balance = '/portfolio/balance';

  test('of both kinds of keys are accepted, for any query', async () => {
    for (const options of [{}, { keys: RSA }]) {
      await using venue = await member(options);
      expect((await ask(venue, { path: balance })).status).toBe(200);
      expect((await ask(venue, { path: '/portfolio/fills?limit=10' })).status).toBe(200);
    }
  });

  test('row 43: with the query in the text, or a salt of another length, are refused', async () => {
    await using venue = await member({ keys: RSA });
    const { RSA_PKCS1_PSS_PADDING: padding } = constants;
    const signatureOf = (text: string, saltLength: number) =>
      sign('sha256', Buffer.from(text), { key: RSA.privateKey, padding, saltLength }).toString('base64');
    const text = `${NOON}GET${BASE_PATH}/portfolio/fills`;
    const send = async (signature: string) =>
      ask(venue, { path: '/portfolio/fills?limit=10', headers: { 'KALSHI-ACCESS-SIGNATURE': signature } });
    const wrong = {
      status: 401,
      body: { error: { code: 'authentication_error', details: 'INCORRECT_API_KEY_SIGNATURE' } },
    };
    expect(await send(signatureOf(text, 32))).toMatchObject({ status: 200 });
    expect(await send(signatureOf(`${text}?limit=10`, 32))).toMatchObject(wrong);
    expect(await send(signatureOf(text, constants.RSA_PSS_SALTLEN_MAX_SIGN))).toMatchObject(wrong);
  });

  test('of another time, of no known key or of another environment are refused', async () => {
    await using venue = await member();
    expect(await ask(venue, { path: balance, signedAtMs: NOON - 59_000 })).toMatchObject({ status: 200 });
    const late = { path: balance, signedAtMs: NOON - 60_000 };
    expect(await ask(venue, late)).toMatchObject(failing(401, 'header_timestamp_expired'));
    const unknown = { path: balance, headers: { 'KALSHI-ACCESS-KEY': 'nobody' } };
    expect((await ask(venue, unknown)).body).toMatchObject({ error: { details: 'NOT_FOUND' } });
    const live = { ...venue, hosts: { ...venue.hosts, rest: venue.hosts.rest.replace('-demo', '') } };
    expect((await ask(live, { path: balance })).body).toMatchObject({ error: { details: 'NOT_FOUND' } });
  });

  test('of a key without the scope move nothing', async () => {
    await using venue = await member({ scopes: ['read'] });
    expect((await create(venue)).status).toBe(403);
    expect(venue.ordersThere()).toEqual([]);
  });
});

describe('orders at simulated venue A', () => {
  test('are answered with texts, without status', async () => {
    await using venue = await member();
    expect(await create(venue)).toMatchObject({
      status: 201,
      body: { client_order_id: 'c-1', fill_count: '0.00', remaining_count: '1.00', ts_ms: NOON },
    });
  });

  test('whose numbers are no strings are refused as malformed, flat', async () => {
    await using venue = await member();
    expect(await create(venue, { count: 1 })).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  });

  test('of a used id are reported as existing, even after the first was canceled or killed', async () => {
    await using venue = await member();
    const exists = failing(409, 'order_already_exists');
    const { body } = await create(venue);
    expect(await create(venue)).toMatchObject(exists);
    await ask(venue, { path: `${ORDERS}/${String(body['order_id'])}`, method: 'DELETE' });
    expect(await create(venue)).toMatchObject(exists);
    const killed = { client_order_id: 'c-2', time_in_force: 'fill_or_kill' };
    expect(await create(venue, killed)).toMatchObject(
      failing(409, 'fill_or_kill_insufficient_resting_volume'),
    );
    expect(await create(venue, killed)).toMatchObject(exists);
  });

  test.each([
    ['off the ladder', { price: '0.0155' }, 400, 'invalid_price'],
    ['of nothing', { count: '0.00' }, 400, 'invalid_order_size'],
    ['beyond the money', { count: '999999.00' }, 400, 'insufficient_balance'],
    ['post-only that cross', { price: '0.9900', post_only: true }, 400, 'invalid_order'],
    ['for no market', { ticker: 'KXNOTHING' }, 404, 'market_not_found'],
    ['that end in the past', { expiration_time: NOON / 1_000 }, 400, 'invalid_order'],
  ])('%s are refused', async (_, changes, status, code) => {
    await using venue = await member();
    expect(await create(venue, changes)).toMatchObject(failing(status, code));
    expect(venue.ordersThere()).toEqual([]);
  });

  test('are not accepted by the removed routes', async () => {
    await using venue = await member();
    const legacy = { path: '/portfolio/orders', method: 'POST', body: {} };
    expect(await ask(venue, legacy)).toMatchObject(failing(410, 'deprecated_v1_order_endpoint'));
  });

  test('on another shard than 0 cannot be canceled without their ticker', async () => {
    await using venue = await member();
    const ticker = 'KXBTC15M-26NOV220715-15';
    const { body } = await create(venue, { ticker, price: '0.0010' });
    const path = `${ORDERS}/${String(body['order_id'])}`;
    expect(await ask(venue, { path, method: 'DELETE' })).toMatchObject(failing(404, 'not_found'));
    const answer = await ask(venue, { path: `${path}?market_ticker=${ticker}`, method: 'DELETE' });
    expect(answer).toMatchObject({ status: 200, body: { reduced_by: '1.00' } });
  });

  test('are visible in reads only once these have caught up, and as_of_time states how current they are', async () => {
    await using venue = await member({ readLagMs: 400 });
    const { body } = await create(venue);
    const path = `/portfolio/orders/${String(body['order_id'])}`;
    expect((await ask(venue, { path })).status).toBe(404);
    const { body: asOf } = await ask(venue, { path: '/exchange/user_data_timestamp' });
    expect(Date.parse(String(asOf['as_of_time']))).toBe(NOON - 400);
    venue.simulator.clock.advance();
    expect((await ask(venue, { path })).body).toMatchObject({
      order: { status: 'resting', book_side: 'bid' },
    });
  });
});

describe('fees at simulated venue A', () => {
  const precision = new Decimal('0.01');
  const ONE = new Decimal(1);

  test('round as in the documentation: three lots at $0.055 for whole-cent balances', () => {
    const price = new Decimal('0.055');
    // The example names a trade fee of $0.0085 and no rate.
    const rate = new Decimal('0.1635');
    let accumulated = new Decimal(0);
    const fees = [1, 2, 3].map(() => {
      const charge = chargeOf(
        { price, amount: ONE, revenue: price.negated() },
        { rate, precision },
        accumulated,
      );
      accumulated = charge.accumulated;
      return charge.fee.toFixed(4);
    });
    expect(fees).toEqual(['0.0150', '0.0050', '0.0150']);
  });

  test('are those of a recorded fill: 1 at $0.52 costs $0.0175', () => {
    const price = new Decimal('0.52');
    const terms = { rate: new Decimal('0.07'), precision: new Decimal('0.0001') };
    expect(
      chargeOf({ price, amount: ONE, revenue: price.negated() }, terms, new Decimal(0)).fee.toFixed(4),
    ).toBe('0.0175');
  });
});

describe('the accounts of simulated venue A', () => {
  test('net yes against no: an owner of no who buys yes gets the dollar, less both prices', async () => {
    await using venue = await member();
    const cashOf = () => venue.account.holds('USD/0').toNumber();
    const before = cashOf();
    await create(venue, { side: 'ask', price: '0.0100', time_in_force: 'immediate_or_cancel' });
    expect(venue.account.holds(MARS).toNumber()).toBe(-1);
    const [sold] = venue.exchange.fills;
    const paidForNo = before - cashOf() - (sold?.fee.toNumber() ?? 0);
    expect(paidForNo).toBeCloseTo(1 - (sold?.price.toNumber() ?? 0), 9);
    await create(venue, { client_order_id: 'c-2', price: '0.9900', time_in_force: 'immediate_or_cancel' });
    expect(venue.account.holds(MARS).toNumber()).toBe(0);
    const [, bought] = venue.exchange.fills;
    const fees = (sold?.fee.toNumber() ?? 0) + (bought?.fee.toNumber() ?? 0);
    expect(cashOf()).toBeCloseTo(
      before + (sold?.price.toNumber() ?? 0) - (bought?.price.toNumber() ?? 0) - fees,
      9,
    );
  });

  test('are paid once when their market is settled, and hold no contracts of it afterwards', async () => {
    await using venue = await member();
    const ticker = 'KXBTC15M-26NOV220715-15';
    await create(venue, { ticker, price: '0.9990', time_in_force: 'immediate_or_cancel' });
    const before = venue.account.holds('USD/2');
    venue.simulator.clock.advance(20 * 60);
    venue.exchange.advance();
    const { body } = await ask(venue, { path: '/portfolio/settlements', signedAtMs: NOON + 1_200_000 });
    const [settled] = body['settlements'] as { market_result: string; revenue: number }[];
    expect(settled?.revenue).toBe(settled?.market_result === 'yes' ? 100 : 0);
    expect(venue.account.holds('USD/2').minus(before).times(100).toNumber()).toBe(settled?.revenue);
    expect(venue.account.holds(ticker).isZero()).toBe(true);
  });

  test('have their own ledger, which adds up to every balance', async () => {
    await using venue = await member();
    await create(venue, { price: '0.9900', time_in_force: 'immediate_or_cancel' });
    const answer = await fetch(`${venue.simulator.url}/simulator/ledger`);
    const { kalshi } = (await answer.json()) as {
      kalshi: { holdings: Record<string, string>; entries: { asset: string; amount: string }[] }[];
    };
    const [own] = kalshi;
    for (const [asset, amount] of Object.entries(own?.holdings ?? {})) {
      const entries = own?.entries.filter((entry) => entry.asset === asset) ?? [];
      expect(Decimal.sum(...entries.map((entry) => entry.amount)).toFixed()).toBe(amount);
    }
  });
});
