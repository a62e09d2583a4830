/** A venue that sends prepared answers, and stores the requests. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMarketData } from '../../../simulator/market-data.ts';

export type Reply = {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
};

type Answer = (url: URL, body: unknown, headers: IncomingHttpHeaders) => Reply;

export const reply = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  return () => ({ status, body, headers });
};

/**
 * Market data whose venues answer by path (`/kalshi/trade-api/v2/markets`). A plain value is the body of a 200; a function
 * makes a reply of the URL. Everything else is 404.
 */
export async function replaying(routes: Record<string, unknown>) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response, routes, requests).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const market = await openMarketData({ mode: 'simulator', simulatorUrl: `http://127.0.0.1:${port}` });
  return {
    market,
    url: `http://127.0.0.1:${port}`,
    /** Paths and queries, in order. */
    requests,
    async [Symbol.asyncDispose]() {
      await market.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Record<string, unknown>,
  requests: string[],
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://replay');
  requests.push(`${url.pathname}${url.search}`);
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const route = routes[url.pathname];
  const made =
    typeof route === 'function'
      ? (route as Answer)(url, text === '' ? undefined : JSON.parse(text), request.headers)
      : { status: route === undefined ? 404 : 200, body: route ?? {} };
  response.writeHead(made.status, { 'content-type': 'application/json', ...made.headers });
  response.end(typeof made.body === 'string' ? made.body : JSON.stringify(made.body));
}

/** A recorded answer of `tests/fixtures/venues`. */
export function fixture<T = unknown>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../fixtures/venues/${name}`, import.meta.url), 'utf8')) as T;
}

/** The kind of the VenueError that a promise is rejected with. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ kind: string; message: string; retryAfterSec: number | null }> {
  try {
    await promise;
  } catch (error) {
    const { kind, message, retryAfterSec } = error as {
      kind: string;
      message: string;
      retryAfterSec: number | null;
    };
    return { kind, message, retryAfterSec };
  }
  throw new Error('nothing failed');
}
