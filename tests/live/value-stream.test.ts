import { describe, expect, test } from 'vitest';
import { createKey } from '../../engine/trading/keys/create.ts';
import { revokeKey } from '../../engine/trading/keys/revoke.ts';
import { BLUEPRINTS_MAX, BOOKS_MAX, PRICES_MAX } from '../../routers/events/value-stream.ts';
import { CAPACITY } from '../../server/kernel/capacity.ts';
import type { OpenedMarketData } from '../../simulator/market-data.ts';
import { bearer, expectRefusal } from '../support/api.ts';
import { addDeployment } from '../support/deployments.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';

const world = openedForFile(openWorld);
const faults = () => (world.market as OpenedMarketData).simulator?.faults ?? expect.unreachable();

type Message = { event: string; data: { type?: string; code?: string; payload?: Record<string, unknown> } };

/** An open stream of a key: its messages as they come. */
async function listen(key: string, search: string) {
  const hangUp = new AbortController();
  const response = await fetch(`${world.base}/api/stream${search}`, {
    headers: bearer(key),
    signal: AbortSignal.any([hangUp.signal, AbortSignal.timeout(15_000)]),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const messages = messagesOf(response);
  return {
    hangUp: () => hangUp.abort(),
    next: async () => (await messages.next()).value,
    /** Reads up to the first message of the type. */
    async until(type: string): Promise<Message['data']> {
      for (;;) {
        const { value, done } = await messages.next();
        if (done) throw new Error(`The stream ended without ${type}.`);
        if (value.event === type) return value.data;
      }
    },
  };
}

async function* messagesOf({ body }: Response): AsyncGenerator<Message, undefined> {
  let rest = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    rest += chunk;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

async function blueprintOf(account: Account): Promise<string> {
  const { body } = await account.http('POST', '/api/blueprints', { name: 'Streamed' });
  return (body as { id: string }).id;
}

/** Runs a blueprint, as a deploy and a first tick do. */
async function running(account: Account): Promise<{ blueprintId: string; deploymentId: string }> {
  const blueprintId = await blueprintOf(account);
  const { accountId } = account;
  const deploymentId = await addDeployment(world.db, { accountId, blueprintId }, new Date());
  await world.db
    .updateTable('blueprint')
    .set({ status: 'running', deployment_id: deploymentId })
    .where('id', '=', blueprintId)
    .execute();
  return { blueprintId, deploymentId };
}

describe('prices and books', () => {
  test('the present of each comes after the connection, and later what changed, as numbers', async () => {
    const account = await world.account('market_data:read');
    const stream = await listen(account.key, '?prices=BTCUSDT&books=BTCUSDT');
    const first = [await stream.next(), await stream.next()];
    expect(first.map((message) => message?.event).sort()).toEqual(['book', 'price']);
    const price = first.find((message) => message?.event === 'price')?.data.payload;
    expect(price).toMatchObject({ tokenId: 'BTCUSDT', bid: expect.any(Number), marketStatus: 'open' });
    const book = first.find((message) => message?.event === 'book')?.data.payload as {
      bids: { price: number }[];
    };
    expect(book.bids.length).toBeGreaterThan(0);
    expect(book.bids.length).toBeLessThanOrEqual(20);
    expect((await stream.until('price')).payload?.['tokenId']).toBe('BTCUSDT');
    stream.hangUp();
  });

  test('an instrument that its venue does not list is unavailable, and the others come', async () => {
    const account = await world.account();
    const stream = await listen(account.key, '?prices=NOSUCHCOIN,ETHUSDT');
    expect((await stream.until('unavailable')).payload).toEqual({
      of: 'price',
      id: 'NOSUCHCOIN',
      code: 'not_found',
    });
    expect((await stream.until('price')).payload?.['tokenId']).toBe('ETHUSDT');
    stream.hangUp();
  });
});

describe('node values', () => {
  test('come first as they are, then when they changed; the deployment counts as watched', async () => {
    const account = await world.account('blueprints:read', 'blueprints:write');
    const { blueprintId, deploymentId } = await running(account);
    const stream = await listen(account.key, `?blueprints=${blueprintId}`);
    expect((await stream.until('nodes')).payload).toEqual({
      blueprintId,
      deploymentId,
      status: 'running',
      nodeStates: null,
    });
    const state = await world.db
      .selectFrom('deployment_state')
      .select('watched_until')
      .where('deployment_id', '=', deploymentId)
      .executeTakeFirstOrThrow();
    expect(state.watched_until).not.toBeNull();
    await world.db
      .updateTable('blueprint')
      .set({ status: 'error', error: 'test' })
      .where('id', '=', blueprintId)
      .execute();
    expect((await stream.until('nodes')).payload).toMatchObject({ status: 'error' });
    stream.hangUp();
    await world.db
      .updateTable('blueprint')
      .set({ status: 'stopped', error: null })
      .where('id', '=', blueprintId)
      .execute();
  });

  test('404: another account’s blueprint answers exactly as a missing one', async () => {
    const [mine, other] = [await world.account(), await world.account()];
    const foreign = await mine.http('GET', `/api/stream?blueprints=${await blueprintOf(other)}`);
    const missing = await mine.http('GET', `/api/stream?blueprints=${MISSING}`);
    const own = await blueprintOf(mine);
    const mixed = await mine.http('GET', `/api/stream?blueprints=${own},${await blueprintOf(other)}`);
    const [one, two, three] = [foreign, missing, mixed].map((answer) => {
      const { requestId, ...refusal } = expectRefusal(answer, 404, 'not_found');
      return refusal;
    });
    expect(one).toEqual(two);
    expect(three).toEqual(two);
  });

  test('a blueprint that is deleted meanwhile is unavailable, and the stream continues', async () => {
    const account = await world.account();
    const [kept, deleted] = [await blueprintOf(account), await blueprintOf(account)];
    const stream = await listen(account.key, `?blueprints=${kept},${deleted}`);
    await stream.until('nodes');
    await stream.until('nodes');
    await account.http('DELETE', `/api/blueprints/${deleted}`);
    expect((await stream.until('unavailable')).payload).toEqual({
      of: 'nodes',
      id: deleted,
      code: 'not_found',
    });
    stream.hangUp();
  });
});

describe('who may', () => {
  test.each([
    ['market_data:read', `blueprints=${MISSING}`, 'blueprints:read for node values'],
    ['market_data:read', `prices=BTCUSDT&blueprints=${MISSING}`, 'blueprints:read for node values'],
    ['blueprints:read', 'prices=BTCUSDT', 'market_data:read for prices and books'],
    ['blueprints:read', 'books=BTCUSDT', 'market_data:read for prices and books'],
    ['orders:read', 'prices=BTCUSDT', 'market_data:read'],
  ] as const)('403: a key with %s asks for %s', async (scope, query, lacking) => {
    const account = await world.account(scope);
    const { message } = expectRefusal(
      await account.http('GET', `/api/stream?${query}`),
      403,
      'insufficient_scope',
    );
    expect(message).toContain(lacking);
  });

  test('each of the two scopes alone opens the stream for its own values', async () => {
    const [prices, nodes] = [await world.account('market_data:read'), await world.account()];
    const { key } = await createKey(nodes.work, {
      name: 'Nodes alone',
      scopes: ['blueprints:read'],
      createdBy: null,
    });
    const one = await listen(prices.key, '?prices=BTCUSDT');
    const two = await listen(key, `?blueprints=${await blueprintOf(nodes)}`);
    await one.until('price');
    await two.until('nodes');
    one.hangUp();
    two.hangUp();
  });

  test.each([
    ['is revoked', ({ work, keyId }: Account) => revokeKey(work, keyId)],
    [
      'expires',
      ({ keyId }: Account) =>
        world.db.updateTable('api_key').set({ expires_at: new Date() }).where('id', '=', keyId).execute(),
    ],
  ])('ends, and says why, once the key %s', async (_how, end) => {
    const account = await world.account();
    const stream = await listen(account.key, '?prices=BTCUSDT');
    await stream.until('price');
    await end(account);
    expect((await stream.until('end')).code).toBe('credentials_invalid');
    expect(await stream.next()).toBeUndefined();
  });
});

describe('bounds', () => {
  const coins = (count: number) => Array.from({ length: count }, (_, index) => `COIN${index}USDT`).join();
  const ids = Array.from({ length: BLUEPRINTS_MAX + 1 }, (_, index) => MISSING.replace(/.$/, `${index}`));
  test.each([
    [`prices=${coins(PRICES_MAX + 1)}`, '/prices', `at most ${PRICES_MAX}`],
    [`books=${coins(BOOKS_MAX + 1)}`, '/books', `at most ${BOOKS_MAX}`],
    [`blueprints=${ids.join()}`, '/blueprints', `at most ${BLUEPRINTS_MAX}`],
    [`books=${'A'.repeat(600)}`, '/books', '555'],
    ['prices=BTCUSDT,', '/prices/1', 'is not the id of an instrument'],
    ['prices=BTCUSDT,../x', '/prices/1', 'is not the id of an instrument'],
    ['blueprints=mine', '/blueprints/0', 'is not a UUID'],
    ['prices=BTCUSDT&lastEventId=4', '/lastEventId', 'unknown field'],
    ['', '', 'one of prices, books and blueprints is required'],
  ])('400: %s', async (query, path, message) => {
    const account = await world.account();
    const { issues } = expectRefusal(await account.http('GET', `/api/stream?${query}`), 400);
    expect(issues).toMatchObject([{ path, message: expect.stringContaining(message) }]);
  });

  test('429: streams of values and of events share the maximum of a key; closing one makes room', async () => {
    const account = await world.account();
    const one = await listen(account.key, '?prices=BTCUSDT');
    const hangUp = new AbortController();
    const others = Array.from({ length: CAPACITY.streamsPerKey - 1 }, () =>
      fetch(`${world.base}/api/events`, { headers: bearer(account.key), signal: hangUp.signal }),
    );
    await Promise.all(others);
    expectRefusal(await account.http('GET', '/api/stream?prices=BTCUSDT'), 429, 'rate_limited');
    one.hangUp();
    await expect.poll(async () => (await account.http('GET', '/api/stream?prices=BTCUSDT')).status).toBe(200);
    hangUp.abort();
  });

  test('over tRPC it is one query of the present', async () => {
    const account = await world.account();
    const input = encodeURIComponent(JSON.stringify({ prices: 'BTCUSDT', books: 'BTCUSDT' }));
    const { body } = await account.http('GET', `/trpc/valueStream?input=${input}`);
    const { data } = (body as { result: { data: string } }).result;
    expect(data).toMatch(/^event: price\n.*\n\nevent: book\n/);
  });
});

test('a venue that stops answering makes its prices unavailable, and the stream stays open', async () => {
  const account = await world.account();
  const stream = await listen(account.key, '?prices=SOLUSDT');
  await stream.until('price');
  faults().set('/binance', { kind: 'status', status: 500 });
  expect((await stream.until('unavailable')).payload).toEqual({
    of: 'price',
    id: 'SOLUSDT',
    code: 'upstream_unavailable',
  });
  faults().clear();
  expect((await stream.until('price')).payload?.['tokenId']).toBe('SOLUSDT');
  stream.hangUp();
});
