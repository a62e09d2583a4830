/** The simulated Binance refuses the same requests as Binance, so that the adapter and it cannot share an error. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { payloadOf } from '../../venues/binance/trading/sign.ts';
import { API_KEY, openExchange, SECRET } from './support/binance-exchange.ts';

type Exchange = Awaited<ReturnType<typeof openExchange>>;
type Sent = { status: number; body: Record<string, unknown>; headers: Headers };

const hmac = (payload: string): string => createHmac('sha256', SECRET).update(payload).digest('hex');

async function send(exchange: Exchange, method: string, path: string, query: string): Promise<Sent> {
  const headers = { 'x-mbx-apikey': API_KEY };
  const response = await fetch(`${exchange.hosts.api}${path}?${query}`, { method, headers });
  return {
    status: response.status,
    body: (await response.json()) as Sent['body'],
    headers: response.headers,
  };
}

const paramsAt = (exchange: Exchange, more: Record<string, string | number> = {}) => ({
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '50000',
  newClientOrderId: crypto.randomUUID(),
  timestamp: exchange.simulator.clock.now(),
  ...more,
});

function place(exchange: Exchange, more: Record<string, string | number> = {}, path = 'api/v3/order') {
  const payload = payloadOf(paramsAt(exchange, more));
  return send(exchange, 'POST', path, `${payload}&signature=${hmac(payload)}`);
}

describe('the simulated Binance', () => {
  test('row 47: accepts a payload that was signed percent-encoded, and refuses one that was not (-1022)', async () => {
    await using exchange = await openExchange();
    const params = paramsAt(exchange, { symbol: '１２３４５６' });
    const raw = Object.entries(params)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    const encoded = payloadOf(params);
    expect(await send(exchange, 'POST', 'api/v3/order', `${encoded}&signature=${hmac(raw)}`)).toMatchObject({
      body: { code: -1022 },
    });
    expect(
      await send(exchange, 'POST', 'api/v3/order', `${encoded}&signature=${hmac(encoded)}`),
    ).toMatchObject({
      body: { code: -1121 },
    });
  });

  test.each([
    ['too old', -5_001, {}, -1021],
    ['just young enough', -5_000, {}, undefined],
    ['too far ahead', 1_000, {}, -1021],
    ['a little ahead', 999, {}, undefined],
    ['too old for its own window', -1_001, { recvWindow: 1_000 }, -1021],
    ['of a window beyond the longest', 0, { recvWindow: 60_001 }, -1102],
  ])('checks the time of a request: %s', async (_, ageMs, more, code) => {
    await using exchange = await openExchange();
    const { body } = await place(exchange, { timestamp: exchange.simulator.clock.now() + ageMs, ...more });
    expect(body['code']).toBe(code);
  });

  test.each([
    ['off the tick', { price: '50000.001' }, -1013],
    ['off the step', { quantity: '0.000011' }, -1013],
    ['worth too little', { quantity: '0.00001' }, -1013],
    ['without a price', { price: '' }, -1102],
    ['of an unused parameter', { reduceOnly: 'true' }, -1104],
    ['of an id with a blank', { newClientOrderId: 'a b' }, -1100],
    ['of another type', { type: 'MARKET' }, -1116],
    ['beyond what there is', { quantity: '3' }, -2010],
  ])('refuses an order %s, and its test refuses it alike', async (_, more, code) => {
    await using exchange = await openExchange();
    expect(await place(exchange, more)).toMatchObject({ status: 400, body: { code } });
    const tested = await place(exchange, more, 'api/v3/order/test');
    // The matching engine checks the money, and a test order never reaches it.
    expect(tested.body['code']).toBe(code === -2010 ? undefined : code);
    expect(exchange.venue.exchange.orders.size).toBe(0);
  });

  test('counts unfilled orders, and takes more once they are filled', async () => {
    await using exchange = await openExchange();
    exchange.venue.limits.ordersPer10Sec = 2;
    const first = exchange.order();
    await exchange.broker.place(first, exchange.prepare(first));
    const second = await place(exchange);
    expect(second.headers.get('x-mbx-order-count-10s')).toBe('2');
    const third = await place(exchange);
    expect(third).toMatchObject({ status: 429, body: { code: -1015 } });
    expect(Number(third.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    await exchange.trade(first, first.amount);
    expect((await place(exchange)).status).toBe(200);
    exchange.simulator.clock.advance(10);
    expect((await place(exchange)).status).toBe(200);
  });

  test('limits requests by weight, and bans a client that continues', async () => {
    await using exchange = await openExchange();
    exchange.venue.limits.weightPerMin = 3;
    const answers: Sent[] = [];
    for (let request = 0; request < 15; request += 1) answers.push(await place(exchange));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 3 }, () => 200),
      ...Array.from({ length: 10 }, () => 429),
      418,
      418,
    ]);
    expect(answers[2]?.headers.get('x-mbx-used-weight-1m')).toBe('3');
    expect(answers[14]?.headers.get('retry-after')).toBe('120');
    exchange.simulator.clock.advance(120);
    expect((await place(exchange)).status).toBe(200);
  });

  test('gives a cancel its own id, and answers a cancel of an ended order with -2011', async () => {
    await using exchange = await openExchange();
    const { order } = await exchange.rest();
    const cancel = () => {
      const payload = payloadOf({
        symbol: 'BTCUSDT',
        origClientOrderId: order.id,
        timestamp: exchange.simulator.clock.now(),
      });
      return send(exchange, 'DELETE', 'api/v3/order', `${payload}&signature=${hmac(payload)}`);
    };
    const { body } = await cancel();
    expect(body).toMatchObject({ origClientOrderId: order.id, status: 'CANCELED' });
    expect(body['clientOrderId']).not.toBe(order.id);
    expect(await cancel()).toMatchObject({ status: 400, body: { code: -2011 } });
  });

  test('knows no wallet outside of the live environment', async () => {
    await using exchange = await openExchange({ environment: 'testnet' });
    const response = await fetch(`${exchange.hosts.api}sapi/v1/account/apiRestrictions`);
    expect(response.status).toBe(404);
  });

  test('survives a peer that requests an unknown stream and disconnects before the refusal', async () => {
    await using exchange = await openExchange();
    const { hostname, port } = new URL(exchange.simulator.url);
    for (let times = 0; times < 20; times += 1) {
      const peer = connect(Number(port), hostname);
      await once(peer, 'connect');
      const lines = [
        'GET /kalshi/nothing HTTP/1.1',
        'Host: simulator',
        'Connection: Upgrade',
        'Upgrade: websocket',
      ];
      await new Promise((resolve) => peer.write(`${lines.join('\r\n')}\r\n\r\n`, resolve));
      peer.resetAndDestroy();
      await once(peer, 'close');
    }
    expect(await place(exchange)).toMatchObject({ status: 200 });
  });

  test('survives a stream client with a malformed key, and cuts only that one', async () => {
    await using exchange = await openExchange();
    exchange.account.keys.set('odd', {
      id: 'odd',
      material: '-----BEGIN NOTHING',
      scopes: ['read'],
      expiresMs: null,
      tags: {},
    });
    const socket = new WebSocket(exchange.hosts.socket);
    await once(socket, 'open');
    const params = { apiKey: 'odd', timestamp: exchange.simulator.clock.now(), signature: 'x' };
    socket.send(JSON.stringify({ id: 1, method: 'userDataStream.subscribe.signature', params }));
    await once(socket, 'close');
    expect(await place(exchange)).toMatchObject({ status: 200 });
  });

  test('shows the balances of the account in its ledger, to the last digit', async () => {
    await using exchange = await openExchange();
    const { order } = await exchange.rest({ amount: '0.5' });
    await exchange.trade(order, '0.2');
    const response = await fetch(`${exchange.simulator.url}/simulator/ledger`);
    const { binance } = (await response.json()) as { binance: { holdings: Record<string, string> }[] };
    expect(binance[0]?.holdings).toMatchObject({ USDT: '90000', BTC: '2.1998' });
  });
});
