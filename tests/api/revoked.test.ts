import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createKey } from '../../engine/trading/keys/create.ts';
import { revokeKey } from '../../engine/trading/keys/revoke.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { createManualOrder } from '../../engine/trading/orders/entry/manual-order.ts';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { createSignal, rotateToken } from '../../engine/usecases/signals/signals.ts';
import { restRoutes } from '../../openapi/routes.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import {
  bearer,
  credentialsLookedUp,
  expectRefusal,
  pathOf,
  sendBytes,
  storedState,
  titleOf,
} from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { openSocket } from '../support/sockets.ts';
import { type Account, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';

const world = openedForFile(openWorld);
let account: Account;
beforeAll(async () => {
  account = await world.account();
});

const read = (path: string, key: string) => world.send('GET', path, { headers: bearer(key) });

/** A key that the process has cached as valid. */
async function rememberedKey() {
  const made = await createKey(account.work, { name: 'Test', scopes: SCOPE_NAMES, createdBy: null });
  expect((await read('/api/portfolio', made.key)).status).toBe(200);
  return made;
}

const reads = restRoutes.filter(({ open, type }) => !open && type === 'query');
const MIDDLE = Math.ceil(reads.length / 2);

test.each([
  ['first half', reads.slice(0, MIDDLE)],
  ['second half', reads.slice(MIDDLE)],
])(
  'a revoked key is refused by its very next request, whatever it reads, and changes nothing: %s',
  async (_half, routes) => {
    for (const route of routes) {
      const { key, id } = await rememberedKey();
      await revokeKey(account.work, id);
      const before = await storedState(world);
      const answer = await read(pathOf(route, MISSING), key);
      expect({ title: titleOf(route), status: answer.status }).toEqual({
        title: titleOf(route),
        status: 401,
      });
      expectRefusal(answer, 401, 'credentials_invalid');
      expect(answer.headers.get('ratelimit')).toBeNull();
      expect(await storedState(world)).toEqual(before);
    }
  },
);

test('a key that is revoked between two requests sent at once is refused by the second', async () => {
  const { key, id } = await rememberedKey();
  const line = (method: string, path: string, by: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${by}\r\n`;
  const text = await sendBytes(
    world.base,
    [
      `${line('GET', '/api/portfolio', key)}\r\n`,
      `${line('DELETE', `/api/api-keys/${id}`, account.key)}\r\n`,
      `${line('GET', '/api/portfolio', key)}\r\n`,
      `${line('GET', '/api/orders', key)}Connection: close\r\n\r\n`,
    ].join(''),
  );
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
    ['200', '200', '401', '401'].map((code) => `HTTP/1.1 ${code}`),
  );
});

const NOTE = { name: 'Late' };
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

test.each([
  ['/api/blueprints', NOTE],
  ['/trpc/blueprints.create', NOTE],
  ['/mcp', rpc('tools/call', { name: 'blueprints_create', arguments: NOTE })],
])(
  'a key that is revoked while the body of its request arrives changes nothing: %s',
  async (path, content) => {
    const { key, id } = await rememberedKey();
    const body = JSON.stringify(content);
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
    ];
    const begun = await openSocket(world.base, { send: `${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}` });
    await credentialsLookedUp(world);
    await revokeKey(account.work, id);
    const before = await storedState(world);
    begun.socket.write(body.slice(5));
    await begun.closed;
    expect(begun.received).toMatch(/^HTTP\/1\.1 401 /);
    expect(await storedState(world)).toEqual(before);
  },
);

test('a request changes nothing whose key cannot be looked up again after its body arrived', async () => {
  const { key } = await rememberedKey();
  const body = JSON.stringify(NOTE);
  const head = `POST /api/blueprints HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}`;
  const begun = await openSocket(world.base, {
    send: `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  });
  await credentialsLookedUp(world);
  const before = await storedState(world);
  await sql`alter table api_key rename token_hash to lost`.execute(world.db);
  begun.socket.write(body.slice(5));
  await begun.closed;
  await sql`alter table api_key rename lost to token_hash`.execute(world.db);
  expect(begun.received).toMatch(/^HTTP\/1\.1 50[03] /);
  expect(await storedState(world)).toEqual(before);
});

test('a key that is revoked while its request waits deploys nothing, trades nothing, and is shown no token of a signal', async () => {
  const visual = { nodes: [{ id: 'n', type: 'note', data: { label: 'x' } }], edges: [] };
  const blueprint = await createBlueprint(account.work, { name: 'Waits', visual });
  const { id } = await rememberedKey();
  await createSignal(account.work, 'waits');
  await revokeKey(account.work, id);
  const late = { ...account.work, actor: `key:${id}` };
  const before = await storedState(world);
  const refused = { code: 'credentials_invalid' };
  const options = { market: world.market, shardCount: 16 };
  await expect(deployBlueprint(late, blueprint.id, options)).rejects.toMatchObject(refused);
  const sell = { tokenId: 'BTCUSDT', side: 'sell', type: 'market', timeInForce: 'ioc', amount: '1' } as const;
  await expect(createManualOrder(late, sell)).rejects.toMatchObject(refused);
  await expect(createManualOrder(late, { ...sell, side: 'buy' })).rejects.toMatchObject(refused);
  await expect(closePosition(late, sell)).rejects.toMatchObject(refused);
  await expect(createSignal(late, 'late')).rejects.toMatchObject(refused);
  await expect(rotateToken(late, 'waits')).rejects.toMatchObject(refused);
  expect(await storedState(world)).toEqual(before);
});

test('a read by a cached key takes one connection, not two', async () => {
  const { key } = await rememberedKey();
  let taken = 0;
  const count = () => taken++;
  world.pool.native.on('acquire', count);
  for (let reads = 0; reads < 10; reads++) expect((await read('/api/portfolio', key)).status).toBe(200);
  world.pool.native.off('acquire', count);
  // The process announces events meanwhile.
  expect(taken).toBeLessThan(15);
});

test('an expired key is refused from its end on, even in a process that has cached it', async () => {
  const other = await world.another();
  const { key, id } = await rememberedKey();
  const there = () => fetch(`http://127.0.0.1:${other.address?.port}/api/orders`, { headers: bearer(key) });
  expect((await there()).status).toBe(200);
  await world.db
    .updateTable('api_key')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute();
  expect((await there()).status).toBe(401);
  expectRefusal(await read('/api/orders', key), 401, 'credentials_invalid');
  await other.stop();
});

test('accounts that read at once each see their own, whichever is revoked meanwhile', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => world.account()));
  for (const { http } of others)
    expect((await http('POST', '/api/blueprints', { name: 'Mine' })).status).toBe(200);
  const doomed = await Promise.all(
    others.map(({ work }) => createKey(work, { name: 'Doomed', scopes: SCOPE_NAMES, createdBy: null })),
  );
  for (const { key } of doomed) expect((await read('/api/blueprints', key)).status).toBe(200);
  await Promise.all(others.map(({ work }, at) => revokeKey(work, doomed[at]?.id ?? '')));
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => {
      const who = at % others.length;
      const isDoomed = at % 3 === 0;
      const key = (isDoomed ? doomed : others)[who]?.key ?? '';
      return read('/api/blueprints', key).then(({ status, body }) => ({ isDoomed, status, body, who }));
    }),
  );
  for (const { isDoomed, status, body } of answers) {
    expect(status).toBe(isDoomed ? 401 : 200);
    if (!isDoomed) expect(body).toHaveLength(1);
  }
});
