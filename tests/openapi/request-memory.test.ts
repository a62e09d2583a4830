import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { restFacade } from '../../openapi/facade.ts';
import { Visual } from '../../routers/blueprints/schemas.ts';
import type { Context } from '../../routers/context.ts';
import { keptByEach } from '../support/kept-bytes.ts';

const CALLS = 2_000;
const KEPT_BYTES_MAX = 1_000;
/** The same of large values: less than a tenth of one. */
const LARGE_KEPT_BYTES_MAX = 8_000;

/** The part of a context that an open route reads, and as many bytes as a whole one has. */
const openContext = async () =>
  ({
    requestProblem: null,
    replyHeaders: {},
    replies: [],
    sink: null,
    services: Array(500).fill(null),
  }) as Partial<Context> as Context;

const handle = restFacade({
  createContext: openContext,
  messagesOf: () => null,
  onError: (_context, error) => {
    throw error;
  },
});

async function call(): Promise<void> {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/health' });
  const response = new ServerResponse(request);
  await handle(request as never, response as never, () => expect.unreachable());
  expect(response.statusCode).toBe(200);
}

test('a collection of young objects frees each ended REST call of an open route', async () => {
  expect(await keptByEach(CALLS, call)).toBeLessThan(KEPT_BYTES_MAX);
});

/** Parsed again each time, as of a request: some 100 kB in memory. */
const graphText = JSON.stringify(
  Array.from({ length: 1_000 }, (_, at) => ({ id: `node ${at}`, position: { x: at, y: 0 } })),
);

test('a collection of young objects frees each checked graph', async () => {
  expect(await keptByEach(100, () => Visual.parse(JSON.parse(graphText)))).toBeLessThan(LARGE_KEPT_BYTES_MAX);
});
