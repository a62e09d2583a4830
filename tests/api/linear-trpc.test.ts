/** Every procedure of the console, and each header beside a valid key: cost grows no faster than the request. */

import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BODY_BYTES_MAX } from '../../openapi/body.ts';
import { appRouter } from '../../routers/index.ts';
import { sendRaw } from '../support/api.ts';
import { fillingsOf, growingFields, TEXTS } from '../support/growing-inputs.ts';
import { expectBoundedGrowth } from '../support/growth.ts';
import { openedForFile } from '../support/opened.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

/** The helper doubles a size, so these are half of what a body or a head may have. */
const BODY_BYTES = BODY_BYTES_MAX / 2 - 1_000;
const HEAD_BYTES = 6_000;
const isFull = process.env['GROWTH'] === 'full';

const world = openedForFile(openWorld);
let headers: { session: string[]; key: Record<string, string> };
beforeAll(async () => {
  const { cookie } = await world.signUp();
  const { key } = await world.account();
  headers = {
    session: ['Cookie', cookie, 'Origin', ORIGIN, 'Content-Type', 'application/json'],
    key: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  };
});

type Definition = { _def: { type: string; meta?: { openapi?: unknown }; inputs: unknown[] } };
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Definition>).flatMap(
  ([name, { _def }]) => {
    const [input] = _def.inputs;
    const isOfTrpcAlone = _def.meta?.openapi === undefined && _def.type !== 'subscription';
    return isOfTrpcAlone && input instanceof z.ZodType ? [{ name, type: _def.type, input }] : [];
  },
);

async function send(name: string, type: string, input: unknown): Promise<void> {
  const text = JSON.stringify(input);
  const request =
    type === 'query'
      ? { method: 'GET', path: `/trpc/${name}?input=${encodeURIComponent(text)}` }
      : { method: 'POST', path: `/trpc/${name}`, body: text };
  const { status } = await sendRaw(world.base, { ...request, headers: headers.session });
  expect(status).toBeLessThan(500);
}

test('the procedures without a REST path are found', () => {
  expect(procedures.map(({ name }) => name)).toContain('console.orders');
});

test.each(procedures.map((each) => [each.name, each] as const))(
  'four times the bytes cost at most about four times in each field of %s',
  async (name, { type, input }) => {
    const bytes = type === 'query' ? HEAD_BYTES / 3 : BODY_BYTES;
    for (const [at, place] of growingFields(input).entries()) {
      const all = fillingsOf(place);
      for (const { filling, fill } of isFull ? all : all.slice(at % all.length).slice(0, 1))
        await expectBoundedGrowth(`${name} ${place.path.join('.')}: ${filling}`, bytes, (size) =>
          send(name, type, fill({}, size)),
        );
    }
  },
);

describe('with a valid key, four times the bytes cost at most about four times in each header', () => {
  test.each([
    ['POST', '/api/blueprints/stop', ['Idempotency-Key', 'Content-Type', 'Accept', 'User-Agent']],
    ['PUT', '/api/risk-rules', ['If-Match', 'Idempotency-Key', 'Origin']],
    ['GET', '/api/events', ['Last-Event-ID']],
    ['POST', '/mcp', ['mcp-protocol-version', 'mcp-session-id', 'Accept']],
  ])('of %s %s', async (method, path, names) => {
    for (const name of names)
      for (const piece of TEXTS.filter((text) => text !== '\n'))
        await expectBoundedGrowth(`${name}: ${piece}`, HEAD_BYTES, async (size) => {
          const value = `x${piece.repeat(size / piece.length)}x`;
          const own = Object.entries({ ...headers.key, [name]: value }).flat();
          const body = method === 'GET' ? {} : { body: '{}' };
          const { status } = await sendRaw(world.base, { method, path, headers: own, ...body });
          expect(status).toBeLessThan(500);
        });
  });
});
