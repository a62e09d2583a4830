import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { createKey } from '../../engine/trading/keys/create.ts';
import { revokeKey } from '../../engine/trading/keys/revoke.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { CAPACITY } from '../../server/kernel/capacity.ts';
import { bearer, expectOk } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { openSocket, requestLine } from '../support/sockets.ts';
import { openMarket, TOKEN } from '../support/trading.ts';
import { type Answer, messagesOf, nextAnswer, openWebSocket } from '../support/web-sockets.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const open = (path: string, headers: Record<string, string>) => openWebSocket(world.base, path, headers);

/** Status and body of a refused handshake. */
async function refusalOf(path: string, headers: Record<string, string>) {
  const [, response] = await once(open(path, headers), 'unexpected-response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, body: JSON.parse(text) };
}

describe('an event stream over WebSocket', () => {
  test('sends each event as one message, with the id after which another one resumes', async () => {
    const account = await world.account();
    const first = open('/api/events', bearer(account.key));
    const next = messagesOf(first);
    await once(first, 'open');
    for (const size of ['41', '42']) await updateRules(account.work, { maxOrderSize: size });
    const sent = [await next(), await next()];
    expect(sent).toMatchObject([
      { id: '1', event: 'risk_rules.changed', data: { type: 'risk_rules.changed', payload: { version: 2 } } },
      { id: '2', event: 'risk_rules.changed', data: { payload: { version: 3 } } },
    ]);
    first.close();
    const again = open('/api/events?lastEventId=1', bearer(account.key));
    expect(await messagesOf(again)()).toEqual(sent[1]);
    again.close();
  });

  test('sends prices and pings, and its reply states the request id', async () => {
    const { key } = await world.account();
    const socket = open('/api/stream?prices=BTCUSDT', { ...bearer(key), 'x-request-id': 'of-the-caller' });
    const [[response]] = await Promise.all([once(socket, 'upgrade'), once(socket, 'ping')]);
    expect(response.headers['x-request-id']).toBe('of-the-caller');
    expect(await messagesOf(socket)()).toMatchObject({
      event: 'price',
      data: { type: 'price', payload: { tokenId: 'BTCUSDT' } },
    });
    socket.close();
  });

  test('is refused as over HTTP, in a handshake with status and error', async () => {
    const { key } = await world.account('orders:read');
    expect(await refusalOf('/api/events', {})).toMatchObject({
      status: 401,
      body: { error: { code: 'credentials_missing' } },
    });
    expect(await refusalOf('/api/events?kinds=fill.applied,risk_rules.changed', bearer(key))).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_scope' } },
    });
    expect(await refusalOf('/api/stream?prices=', bearer(key))).toMatchObject({ status: 403 });
  });

  test('counts as an event stream of its key, until it is closed', async () => {
    const { key } = await world.account();
    const sockets = Array.from({ length: CAPACITY.streamsPerKey }, () => open('/api/events', bearer(key)));
    await Promise.all(sockets.map((socket) => once(socket, 'open')));
    expect(await refusalOf('/api/events', bearer(key))).toMatchObject({ status: 429 });
    for (const socket of sockets) socket.terminate();
    await expect
      .poll(async () => {
        const socket = open('/api/events', bearer(key));
        const [isOpen] = await Promise.race([
          once(socket, 'open').then(() => [true]),
          once(socket, 'unexpected-response').then(() => [false]),
        ]);
        socket.terminate();
        return isOpen;
      })
      .toBe(true);
  });

  test('takes no cookie: a browser sends it with the handshake of any page', async () => {
    const { cookie } = await world.signUp();
    expect(await refusalOf('/api/events', { cookie, origin: world.base })).toMatchObject({ status: 401 });
  });

  test('ends with its key, and states why', async () => {
    const account = await world.account();
    const { id, key } = await createKey(account.work, {
      name: 'Short',
      scopes: ['orders:read'],
      createdBy: account.accountId,
    });
    const socket = open('/api/events', bearer(key));
    const next = messagesOf(socket);
    await once(socket, 'open');
    await revokeKey(account.work, id);
    expect(await next()).toMatchObject({
      event: 'end',
      data: { code: 'credentials_invalid' },
    });
    const [code] = await once(socket, 'close');
    expect(code).toBe(1000);
  });

  test('a frame over the limit closes it, and a flood of pings cuts it', async () => {
    const { key } = await world.account();
    expect(await closeOf(key, (socket) => socket.send('x'.repeat(CAPACITY.webSocketFrameBytes + 1)))).toEqual(
      [1009, ''],
    );
    expect(
      await closeOf(key, (socket) => {
        for (let pings = 0; pings <= CAPACITY.webSocketFrames; pings++) socket.ping();
      }),
    ).toEqual([1006, '']);
  });
});

/** Code and reason of the end of a socket that sends something. */
async function closeOf(key: string, send: (socket: WebSocket) => void) {
  const socket = open('/api/events', bearer(key));
  await once(socket, 'open');
  send(socket);
  const [code, reason] = await once(socket, 'close');
  return [code, String(reason)];
}

describe('a request by message', () => {
  type Input = { headers?: object; body?: object };

  const messageOf = (method: string, path: string, { headers, body }: Input = {}) =>
    JSON.stringify({ id: 'mine', method, path, headers, body });

  /** Opens a socket and sends requests by it, each once the one before is answered. */
  async function openCaller(key: string) {
    const socket = open('/api/events', bearer(key));
    const next = messagesOf(socket);
    await once(socket, 'open');
    const send = async (message: string): Promise<Answer> => {
      socket.send(message);
      return nextAnswer(next);
    };
    const ask = (method: string, path: string, input?: Input) => send(messageOf(method, path, input));
    return { socket, next, send, ask };
  }

  test('places an order as over HTTP, once under one idempotency key, and the events of it follow', async () => {
    const account = await world.account();
    await openMarket(world);
    const { socket, ask, next } = await openCaller(account.key);
    const order = {
      headers: { 'Idempotency-Key': 'by-message-1' },
      body: { tokenId: TOKEN, side: 'buy', type: 'limit', amount: 0.001, limitPrice: 50_000 },
    };
    const answer = await ask('POST', '/api/orders', order);
    expect(answer).toMatchObject({
      id: 'mine',
      status: 200,
      headers: { 'X-Request-Id': expect.any(String) },
      body: { status: 'queued', amount: 0.001, limitPrice: 50_000 },
    });
    expect(await next()).toMatchObject({ event: expect.stringContaining('order.') });
    const again = await ask('POST', '/api/orders', order);
    expect(again).toMatchObject({ body: answer.body, headers: { 'Idempotent-Replayed': 'true' } });
    const overHttp = await account.http('GET', '/api/orders');
    expect(await ask('GET', '/api/orders')).toMatchObject({ status: 200, body: overHttp.body });
    expect(overHttp.body).toHaveLength(1);
    socket.close();
  });

  test('is refused as over HTTP: by scope, by version, and by each digit of its numbers', async () => {
    const account = await world.account();
    const { key } = await createKey(account.work, {
      name: 'Narrow',
      scopes: ['orders:read', 'risk:write'],
      createdBy: account.accountId,
    });
    const { socket, ask, send } = await openCaller(key);
    expect(await ask('POST', '/api/blueprints/stop')).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_scope' } },
    });
    expect(await ask('GET', '/api/orders?limit=many')).toMatchObject({ status: 400 });
    const ifMatch = { headers: { 'If-Match': '"v9"' }, body: { maxOrderSize: 41 } };
    expect(await ask('PUT', '/api/risk-rules', ifMatch)).toMatchObject({ status: 412 });
    const exact =
      '{"id":"exact","method":"PUT","path":"/api/risk-rules","body":{"maxOrderSize":1.00000000000000000001}}';
    expect(await send(exact)).toMatchObject({
      id: 'exact',
      status: 400,
      body: { error: { issues: [{ path: '/maxOrderSize', code: 'too_precise' }] } },
    });
    socket.close();
  });

  test('has the credentials of the handshake, and is answered while they are valid', async () => {
    const account = await world.account();
    const terms = { name: 'Short', scopes: ['orders:read' as const], createdBy: account.accountId };
    const { id, key } = await createKey(account.work, terms);
    const { socket, ask } = await openCaller(key);
    expect(await ask('GET', '/api/orders')).toMatchObject({ status: 200 });
    const answers: Answer[] = [];
    socket.on('message', (data) => {
      const { event, data: answer } = JSON.parse(String(data));
      if (event === 'answer') answers.push(answer);
    });
    await revokeKey(account.work, id);
    socket.send(messageOf('GET', '/api/orders'));
    await once(socket, 'close');
    expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
  });

  test.each([
    ['no JSON', '{"id":"x"', 'The message is not valid JSON.'],
    ['nested too deeply', `${'['.repeat(8_000)}1${']'.repeat(8_000)}`, /expected object/],
    ['another shape', '{"id":"x","method":"GET"}', /\/path/],
    [
      'credentials of its own',
      messageOf('GET', '/api/orders', { headers: { Authorization: 'Bearer x' } }),
      /Authorization/,
    ],
    ['a header of its own', messageOf('GET', '/api/orders\r\nX-Other: 1'), /\/path/],
    ['a whole address', messageOf('GET', 'http://localhost/api/orders'), /\/path/],
    ['what is no operation', messageOf('POST', '/api/auth/sign-in/email'), /no such operation/],
    ['a stream', messageOf('GET', '/api/events'), /over HTTP only/],
    ['a download', messageOf('GET', '/api/account/export'), /over HTTP only/],
  ])('that is %s closes the connection, which says why', async (_, message, why) => {
    const { key } = await world.account();
    expect(await closeOf(key, (socket) => socket.send(message))).toEqual([1008, expect.stringMatching(why)]);
  });

  test('in binary closes the connection', async () => {
    const { key } = await world.account();
    const message = Buffer.from(messageOf('GET', '/api/orders'));
    expect(await closeOf(key, (socket) => socket.send(message))).toEqual([1003, 'Send text.']);
  });

  test('whose answer is too large for a message closes the connection, and holds none of it', async () => {
    const account = await world.account();
    const visual = { nodes: [], edges: [], note: 'x'.repeat(250_000) };
    for (let at = 0; at < 5; at++)
      expectOk(await account.http('POST', '/api/blueprints', { name: `Large ${at}`, visual }));
    const ask = (socket: WebSocket) => socket.send(messageOf('GET', '/api/blueprints'));
    for (let at = 0; at <= CAPACITY.heavyReadsPerAccount; at++)
      expect(await closeOf(account.key, ask)).toEqual([
        1009,
        'The answer is too large: ask for less, or over HTTP.',
      ]);
    expectOk(await account.http('GET', '/api/blueprints'));
  });

  test('waits for the one before, and a caller that sends too many ahead is cut', async () => {
    const { key } = await world.account();
    const { socket } = await openCaller(key);
    const sendAhead = (requests: number) => {
      for (let at = 0; at < requests; at++)
        socket.send(JSON.stringify({ id: `${at}`, method: 'GET', path: '/api/risk-rules' }));
    };
    const answers: string[] = [];
    socket.on('message', (data) => {
      const { event, data: answer } = JSON.parse(String(data));
      if (event === 'answer') answers.push(answer.id);
    });
    const most = CAPACITY.requestsPerConnection;
    sendAhead(most);
    await expect.poll(() => answers).toEqual(Array.from({ length: most }, (_, at) => `${at}`));
    sendAhead(2 * most);
    const [code] = await once(socket, 'close');
    expect(code).toBe(1006);
  });

  test('of a caller that hangs up no longer holds a place', async () => {
    const { key } = await world.account();
    for (let at = 0; at < 2 * CAPACITY.requestsPerAccount; at++) {
      const { socket } = await openCaller(key);
      socket.send(messageOf('GET', '/api/portfolio'));
      socket.terminate();
      await once(socket, 'close');
    }
    const { socket, ask } = await openCaller(key);
    expect(await ask('GET', '/api/portfolio')).toMatchObject({ status: 200 });
    socket.close();
  });
});

test('a handshake behind another request of its connection is answered as if it were none', async () => {
  const { key } = await world.account();
  const lines = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Authorization: Bearer ${key}`,
  ];
  const handshake = requestLine('/api/events').replace(
    '\r\n\r\n',
    `\r\n${lines.join('\r\n')}\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
  );
  const ahead = await openSocket(world.base, {
    send: requestLine('/health/ready') + requestLine('/health/ready') + handshake,
  });
  const statuses = () => [...ahead.received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
  await expect.poll(statuses).toEqual(['200', '200', '200']);
  ahead.socket.destroy();
});

test('a refused handshake ends its connection, though its caller does not', async () => {
  const socket = connect({ port: Number(new URL(world.base).port), allowHalfOpen: true });
  socket.write(requestLine('/api/events', 'Connection: Upgrade', 'Upgrade: websocket'));
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  const [answer] = await once(socket, 'data');
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  await once(socket, 'end');
  // The server has closed its side of it, so that it answers any byte by a reset.
  await expect
    .poll(() => {
      socket.write('x');
      return socket.errored;
    })
    .toMatchObject({ code: expect.any(String) });
});

test('another operation answers a handshake as if nothing had been said of WebSocket', async () => {
  const { key } = await world.account();
  const [, response] = await once(open('/api/orders', bearer(key)), 'unexpected-response');
  expect(response.statusCode).toBe(200);
  response.resume();
});
