import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uncaughtErrorHandler } from '../../server/http/uncaught-error-handler.ts';
import { requestIds } from '../../server/http-kit/requests.ts';

const REQUEST_ID = 'trace_0123-ABC';

let base: string;
let close: () => void;

/** A service whose every path fails, as with a deleted file. */
beforeAll(async () => {
  const app = express();
  app.use(requestIds, (_request, _response, next) => next(new Error('ENOENT: /secret/dist/index.html')));
  app.use(uncaughtErrorHandler(pino({ level: 'silent' })));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => void server.close();
});
afterAll(() => close());

const ask = (path: string, accept: string) =>
  fetch(base + path, { headers: { accept, 'x-request-id': REQUEST_ID } });

describe('an uncaught error', () => {
  test('a browser that requests a page gets one: the remedy, the request id to quote, and no internals', async () => {
    const response = await ask('/orders', 'text/html,application/xhtml+xml');
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toContain(REQUEST_ID);
    expect(page).toContain('Reload in a moment');
    expect(page).not.toMatch(/ENOENT|secret|<script|(src|href)="(https?:)?\/\//);
  });

  test.each([
    ['/orders', 'application/json'],
    ['/api/orders', 'text/html'],
    ['/assets/index.js', 'text/html'],
  ])('a program gets JSON: %s, accepting %s', async (path, accept) => {
    const response = await ask(path, accept);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: 'internal', requestId: REQUEST_ID } });
  });
});
