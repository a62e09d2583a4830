import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../client/src/client.ts';
import { type StreamState, waitMsOf } from '../../client/src/event-source.ts';
import { follow } from '../../client/src/events.ts';

const open = new Set<http.Server>();
afterEach(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
  open.clear();
});

async function serve(
  handler: http.RequestListener,
  port = 0,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  open.add(server);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const event = (id: number) =>
  `id: ${id}\nevent: order.changed\ndata: {"type":"order.changed","payload":{}}\n\n`;
const streams =
  (id: number, after: (string | undefined)[] = []): http.RequestListener =>
  (request, response) => {
    after.push(request.headers['last-event-id']?.toString());
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event(id));
  };
const at = (port: number) => ({ url: `http://127.0.0.1:${port}`, key: 'tsk_any' });
const drain = async (options: Parameters<typeof follow>[0]) => {
  for await (const _ of follow(options));
};

test('the stream reports live, stale while the service is away, live again, and ended', async () => {
  const states: StreamState[] = [];
  const after: (string | undefined)[] = [];
  const first = await serve(streams(1, after));
  const ids: string[] = [];
  for await (const { id } of follow({ ...at(first.port), onState: (state) => states.push(state) })) {
    ids.push(id);
    if (id === '2') break;
    await first.stop();
    await serve(streams(2, after), first.port);
  }
  expect(ids).toEqual(['1', '2']);
  expect(after).toEqual([undefined, '1']);
  const distinct = states.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
  expect(distinct).toEqual(['connecting', 'live', 'stale', 'live', 'ended']);
  expect(states.find(({ state }) => state === 'stale')).toMatchObject({ attempt: 1 });
  expect(states.at(-1)).toMatchObject({ error: null });
});

test('a first connection that finds no service throws with the reason', async () => {
  const gone = await serve(() => {});
  await gone.stop();
  const states: StreamState[] = [];
  const reports = { onState: (state: StreamState) => states.push(state) };
  await expect(drain({ ...at(gone.port), ...reports })).rejects.toThrow(TypeError);
  expect(states.map(({ state }) => state)).toEqual(['connecting', 'ended']);
  expect(states.at(-1)?.error).toBeInstanceOf(TypeError);
  for (const status of [404, 200]) {
    const other = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    });
    await expect(drain(at(other.port))).rejects.toThrow(`answered ${status} without an event stream`);
  }
});

test('with waitForService, the stream connects to a service that starts later', async () => {
  const gone = await serve(() => {});
  await gone.stop();
  const options = {
    ...at(gone.port),
    waitForService: true,
    onState: ({ state, attempt }: StreamState) => {
      if (state === 'stale' && attempt === 1) void serve(streams(7), gone.port);
    },
  };
  for await (const { id } of follow(options)) {
    expect(id).toBe('7');
    break;
  }
});

test('an invalid key throws at once; a temporary refusal is retried as the service asks', async () => {
  let requests = 0;
  const { port } = await serve((request, response) => {
    requests++;
    const code = requests === 1 ? 'overloaded' : 'credentials_invalid';
    response
      .writeHead(requests === 1 ? 503 : 401, { 'content-type': 'application/json', 'retry-after': '0' })
      .end(JSON.stringify({ error: { code, message: `${code} ${request.method}`, requestId: 'r' } }));
  });
  await expect(drain(at(port))).rejects.toMatchObject({ data: { error: { code: 'credentials_invalid' } } });
  expect(requests).toBe(2);
});

test('a service that accepts the request and never answers is stale after `timeoutMs`, which the error names', async () => {
  const { port } = await serve(() => {});
  const over = new AbortController();
  const errors: string[] = [];
  await drain({
    ...at(port),
    timeoutMs: 20,
    signal: over.signal,
    onState: ({ state, error }) => {
      if (state !== 'stale') return;
      errors.push(error?.message ?? '');
      over.abort();
    },
  });
  expect(errors).toEqual([expect.stringMatching(/^No answer from .*\/api\/events within 20 ms/)]);
});

test('a call waits `timeoutMs` for its answer, which the error names', async () => {
  const { port } = await serve(() => {});
  const client = createClient({ ...at(port), timeoutMs: 20, retriesMax: 0 });
  await expect(client.orders.list.query({})).rejects.toThrow(/within 20 ms/);
  await expect(client.blueprints.create.mutate({ name: 'Late' })).rejects.toThrow(/within 20 ms/);
});

test('the wait before another attempt grows to 2 s, or is that of Retry-After, up to a minute', () => {
  const waits = Array.from({ length: 50 }, (_, attempt) => waitMsOf(attempt + 1, null, 1));
  expect(waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 2_000]);
  expect(Math.max(...waits)).toBe(2_000);
  expect(waitMsOf(1, 7_000, 0)).toBe(7_000);
  expect(waitMsOf(1, 86_400_000, 0)).toBe(60_000);
});
