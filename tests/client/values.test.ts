import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../client/src/client.ts';
import type { StreamState } from '../../client/src/event-source.ts';
import { followValues } from '../../client/src/values.ts';
import { ENDED_STATUSES, OrderNotReached } from '../../client/src/wait-for-order.ts';
import { ORDER_STATUSES } from '../../db/entities/order.ts';
import { isFinal } from '../../engine/platform/order-states.ts';

const open = new Set<http.Server>();
afterEach(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
  open.clear();
});

async function serve(handler: http.RequestListener, port = 0) {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  open.add(server);
  const { port: taken } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${taken}`, key: 'tsk_any' };
}

const price = (tokenId: string, bid: number) =>
  `event: price\ndata: ${JSON.stringify({ type: 'price', at: '', payload: { tokenId, bid } })}\n\n`;

test('a loop slower than the changes gets the newest value of each instrument, and not those in between', async () => {
  const isFirstSeen = Promise.withResolvers<void>();
  const isSent = Promise.withResolvers<void>();
  const { url, key } = await serve(async (request, response) => {
    expect(request.url).toBe('/api/stream?prices=BTCUSDT%2CETHUSDT');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(price('BTCUSDT', 0));
    await isFirstSeen.promise;
    for (let bid = 1; bid < 500; bid++) response.write(price('BTCUSDT', bid) + price('ETHUSDT', bid));
    response.write(price('BTCUSDT', 500) + price('ETHUSDT', 500), () => isSent.resolve());
  });
  const seen: string[] = [];
  for await (const value of followValues({ url, key, prices: ['BTCUSDT', 'ETHUSDT'] })) {
    if (value.type !== 'price') throw new Error(value.type);
    seen.push(`${value.payload.tokenId} ${value.payload.bid}`);
    if (seen.length === 3) break;
    isFirstSeen.resolve();
    await isSent.promise;
    // Meanwhile the client reads ahead.
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  expect(seen).toEqual(['BTCUSDT 0', 'BTCUSDT 500', 'ETHUSDT 500']);
});

test('it is stale while the service is away, gets the present again, and ended once the loop is left', async () => {
  const states: StreamState['state'][] = [];
  const first = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(price('BTCUSDT', 1));
  });
  const { port } = first.server.address() as AddressInfo;
  const bids: unknown[] = [];
  const onState = ({ state }: StreamState) => states.push(state);
  for await (const { payload } of followValues({ ...first, prices: ['BTCUSDT'], onState })) {
    bids.push('bid' in payload && payload.bid);
    if (bids.length === 2) break;
    first.server.closeAllConnections();
    await new Promise((resolve) => first.server.close(resolve));
    await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(price('BTCUSDT', 2));
    }, port);
  }
  expect(bids).toEqual([1, 2]);
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual([
    'connecting',
    'live',
    'stale',
    'live',
    'ended',
  ]);
});

test('a revoked key ends the loop with the reason', async () => {
  const { url, key } = await serve((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`event: end\ndata: {"code":"credentials_invalid","message":"revoked","requestId":"r"}\n\n`);
  });
  const drain = async () => {
    for await (const _ of followValues({ url, key, prices: ['BTCUSDT'] }));
  };
  await expect(drain()).rejects.toMatchObject({ data: { error: { code: 'credentials_invalid' } } });
});

/** A service whose order goes through these statuses, one for each read. */
async function orderOf(statuses: readonly string[]) {
  let reads = 0;
  const { url, key } = await serve((_, response) => {
    const status = statuses[Math.min(reads++, statuses.length - 1)];
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify([{ result: { data: { id: 'o', status } } }]));
  });
  return createClient({ url, key }).orders;
}

test('orders.waitFor resolves with the order once it has the status, or one of several', async () => {
  const orders = await orderOf(['pending', 'open', 'filled']);
  expect(await orders.waitFor({ id: 'o', status: ['partially_filled', 'filled'] })).toMatchObject({
    status: 'filled',
  });
});

test('orders.waitFor throws once the order ended otherwise, and after its deadline, with the order', async () => {
  const canceled = await orderOf(['open', 'canceled']);
  await expect(canceled.waitFor({ id: 'o', status: 'filled' })).rejects.toThrow('ended as canceled');
  const open = await orderOf(['open']);
  const late = open.waitFor({ id: 'o', status: 'filled', timeoutMs: 1_000 });
  await expect(late).rejects.toThrow('Order o is open after 1000 ms, not filled.');
  await expect(late).rejects.toBeInstanceOf(OrderNotReached);
  await expect(late).rejects.toMatchObject({ order: { status: 'open' } });
});

test('an aborted wait rejects with the reason of the abort', async () => {
  const orders = await orderOf(['open']);
  const stop = new AbortController();
  const waiting = orders.waitFor({ id: 'o', status: 'filled', signal: stop.signal });
  stop.abort(new Error('not needed'));
  await expect(waiting).rejects.toThrow();
});

test('the package knows the final statuses of the service', () => {
  expect([...ENDED_STATUSES].sort()).toEqual(ORDER_STATUSES.filter(isFinal).sort());
});
