import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { BODY_MAX_BYTES } from '../../venues/http/body.ts';
import { sendOnce } from '../../venues/http/send-once.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

async function serving(listener: RequestListener) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    seen,
    url: (path: string) => new URL(path, origin),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const within = (timeoutMs: number) => ({ headers: {}, signal: AbortSignal.timeout(timeoutMs) });

describe('a request that moves money', () => {
  test.each(METHODS)(
    'leaves once if %s is answered 421, which a browser would send again',
    async (method) => {
      await using venue = await serving((_, response) => response.writeHead(421).end('{}'));
      const answer = await sendOnce({ method, url: venue.url('/order'), ...within(5_000) });
      expect(answer.status).toBe(421);
      expect(venue.seen).toEqual([`${method} /order`]);
    },
  );

  test.each(METHODS)(
    'leaves once if the connection of a %s is cut, on a reused connection too',
    async (method) => {
      await using venue = await serving((request, response) => {
        if (request.url === '/cut') request.socket.destroy();
        else response.end('{}');
      });
      await sendOnce({ method, url: venue.url('/first'), ...within(5_000) });
      await expect(sendOnce({ method, url: venue.url('/cut'), ...within(5_000) })).rejects.toThrow();
      expect(venue.seen).toEqual([`${method} /first`, `${method} /cut`]);
    },
  );

  test('follows no redirect, and leaves once if an answer never comes', async () => {
    await using venue = await serving((request, response) => {
      if (request.url === '/moved') response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const moved = await sendOnce({ method: 'POST', url: venue.url('/moved'), ...within(5_000) });
    expect(moved).toMatchObject({ status: 307, body: undefined });
    await expect(sendOnce({ method: 'POST', url: venue.url('/silent'), ...within(50) })).rejects.toThrow();
    expect(venue.seen).toEqual(['POST /moved', 'POST /silent']);
  });

  test('carries exactly the bytes it was given', async () => {
    const bodies: string[] = [];
    await using venue = await serving(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      bodies.push(text);
      response.end(JSON.stringify({ length: request.headers['content-length'] }));
    });
    const body = '{"a": "ü" }';
    const answer = await sendOnce({ method: 'POST', url: venue.url('/order'), body, ...within(5_000) });
    expect(bodies).toEqual([body]);
    expect(answer.body).toEqual({ length: String(Buffer.byteLength(body)) });
  });
});

describe('an answer', () => {
  test.each([
    ['no JSON', 200, '<html>Bad gateway</html>'],
    ['empty', 204, ''],
    ['too large', 200, `"${'x'.repeat(BODY_MAX_BYTES)}"`],
    ['half of one', 200, '{"orderId": 1'],
  ])('that is %s has a status and no body', async (_, status, text) => {
    await using venue = await serving((_request, response) => response.writeHead(status).end(text));
    const answer = await sendOnce({ method: 'POST', url: venue.url('/order'), ...within(5_000) });
    expect(answer).toMatchObject({ status, body: undefined });
  });

  test('that is cut in the middle of its body has a status and no body', async () => {
    await using venue = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"orderId":', () => response.destroy());
    });
    const answer = await sendOnce({ method: 'POST', url: venue.url('/order'), ...within(5_000) });
    expect(answer).toMatchObject({ status: 200, body: undefined });
  });
});
