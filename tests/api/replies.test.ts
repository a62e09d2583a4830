/** Metadata of a response beyond its body, by each transport. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/src/client.ts';
import { isRefusedWith } from '../../client/src/refusal.ts';
import { createRestClient, replyOf } from '../../client/src/rest.ts';
import { allOf, createTrpcClient } from '../../client/src/trpc.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, pendingBuy } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;
const names = ['One', 'Two', 'Three'];
const newestFirst = names.toReversed();
beforeAll(async () => {
  account = await world.account();
  for (const name of names) await addBlueprint(account, name, { nodes: [], edges: [] });
});

const client = (of = account) => createClient({ url: world.base, key: of.key });
const rest = (of = account) => createRestClient({ url: world.base, key: of.key });

async function tool(of: Account, name: string, input: object, meta: object = {}) {
  const { body } = await world.send('POST', '/mcp', {
    headers: { authorization: `Bearer ${of.key}` },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input, _meta: meta },
    },
  });
  return (body as { result: { _meta?: object; isError?: boolean; content: { text: string }[] } }).result;
}

describe('a list that continues', () => {
  test('tRPC returns the cursor of each call of a batch in that call’s own envelope', async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: { limit: 1 }, 1: { limit: 2 }, 2: {} }));
    const calls = 'blueprints.list,blueprints.list,orders.list';
    const answer = await account.http('GET', `/trpc/${calls}?batch=1&input=${input}`);
    const metas = (answer.body as { result: { meta: Record<string, string> } }[]).map(
      ({ result }) => result.meta,
    );
    const requestId = answer.headers.get('x-request-id');
    expect(metas).toMatchObject([
      { requestId, nextCursor: expect.any(String) },
      { requestId, nextCursor: expect.any(String) },
      { requestId },
    ]);
    expect(metas[0]?.['nextCursor']).not.toBe(metas[1]?.['nextCursor']);
    expect(metas[2]).not.toHaveProperty('nextCursor');
    expect(answer.headers.get('link')).toBeNull();
  });

  test('the package yields every row, by each entry, and throws the refusal of a page', async () => {
    const listed: string[] = [];
    for await (const { name } of client().blueprints.list.all({ limit: 1 })) listed.push(name);
    expect(listed).toEqual(newestFirst);
    const typed: string[] = [];
    const trpc = createTrpcClient({ url: world.base, key: account.key });
    for await (const { name } of allOf(trpc.blueprints.list, { limit: 1 })) typed.push(name);
    expect(typed).toEqual(newestFirst);
    const overRest: string[] = [];
    const query = { limit: 2, status: 'draft' as const };
    for await (const { name } of rest().ALL('/api/blueprints', { params: { query } })) overRest.push(name);
    expect(overRest).toEqual(newestFirst);
    const stranger = createRestClient({ url: world.base, key: 'tsk_no_key' });
    const refused = await stranger
      .ALL('/api/orders')
      .next()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(isRefusedWith(refused, 'credentials_invalid')).toBe(true);
  });
});

test('a list through a client that passes no metadata is refused, not cut after one page', async () => {
  const rows = allOf({ query: async () => ['row'] }, {});
  await expect(rows.next()).rejects.toThrow('createTrpcClient');
});

describe('a version that was read', () => {
  const waiting = async () => {
    const trader = await world.account();
    const blueprintId = await addBlueprint(trader, 'Trader', { nodes: [], edges: [] });
    const { id } = await pendingBuy(world, trader, { blueprintId, amount: '0.001' });
    return { trader, id };
  };

  test('is the same by REST, tRPC and MCP', async () => {
    const { trader, id } = await waiting();
    const { response } = await rest(trader).GET('/api/orders/{id}', { params: { path: { id } } });
    const { version } = replyOf(response);
    expect(version).toBeGreaterThan(0);
    const { reply, data } = await client(trader).orders.read.queryReply({ id });
    expect([reply.version, data.id]).toEqual([version, id]);
    expect((await tool(trader, 'orders_read', { id }))._meta).toMatchObject({
      version,
      requestId: expect.any(String),
    });
  });

  test('binds an approval to it, by tRPC and MCP as by REST: another is refused, it is approved', async () => {
    const { trader, id } = await waiting();
    const { reply } = await client(trader).orders.read.queryReply({ id });
    const other = (reply.version ?? 0) + 1;
    const refused = await client(trader)
      .orders.approve.mutate({ id }, { context: { expectedVersion: other } })
      .catch((error: unknown) => error);
    expect(isRefusedWith(refused, 'precondition_failed')).toBe(true);
    const byTool = await tool(trader, 'orders_approve', { id, expectedVersion: other });
    expect(byTool.content[0]?.text).toContain('precondition_failed');
    const nonsense = await tool(trader, 'orders_approve', { id, expectedVersion: `"v${reply.version}"` });
    expect(nonsense.content[0]?.text).toContain('/expectedVersion');
    const approved = await tool(trader, 'orders_approve', { id, expectedVersion: reply.version });
    expect(approved.isError).toBeFalsy();
  });
});

test('a replayed answer is marked by tRPC and MCP', async () => {
  const context = { idempotencyKey: 'once' };
  const create = () => client().blueprints.create.mutateReply({ name: 'Once' }, { context });
  expect((await create()).reply).not.toHaveProperty('replayed');
  expect((await create()).reply).toMatchObject({ replayed: true });
  const again = () => tool(account, 'blueprints_create', { name: 'By tool' }, { idempotencyKey: 'tool' });
  expect((await again())._meta).not.toHaveProperty('replayed');
  expect((await again())._meta).toMatchObject({ replayed: true });
});

test('429 states in each call of a batch how long that call waits', async () => {
  await using limited = await openWorld({
    settings: { RATE_LIMITS: JSON.stringify({ read: { points: 1, windowSec: 600 } }) },
  });
  const narrow = await limited.account();
  const path = '/trpc/riskRules.read,orders.list?batch=1&input=%7B%220%22%3A%7B%7D%2C%221%22%3A%7B%7D%7D';
  const { body } = await narrow.http('GET', path);
  expect(body).toMatchObject([
    { result: { meta: { version: expect.any(Number) } } },
    { error: { data: { retryAfterSec: expect.any(Number), error: { code: 'rate_limited' } } } },
  ]);
});
