import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { restFacade } from '../../openapi/facade.ts';
import type { Context } from '../../routers/context.ts';

const CALLS = 2_000;
const KEPT_BYTES_MAX = 1_000;

setFlagsFromString('--expose-gc');
const collect: NonNullable<typeof global.gc> = runInNewContext('gc');

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

/** Bytes that each call of a round keeps. */
async function keptByEach(): Promise<number> {
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let calls = 0; calls < CALLS; calls++) await call();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return (process.memoryUsage().heapUsed - before) / CALLS;
}

test('a collection of young objects frees each ended REST call of an open route', async () => {
  for (let calls = 0; calls < CALLS; calls++) await call();
  // Other work of this process keeps bytes, too. A call that keeps some does so in each round.
  const rounds = [await keptByEach(), await keptByEach(), await keptByEach()];
  expect(Math.min(...rounds)).toBeLessThan(KEPT_BYTES_MAX);
});
