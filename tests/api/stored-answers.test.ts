import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

/** Annotations only: any size, deploys and idles. Its keys are in an order that the database changes. */
const drawing = (mark: string) => ({
  zoom: 1.5,
  nodes: [{ type: 'note', id: 'a', data: { text: `${mark} ${'x'.repeat(200_000)}` } }],
  b: 'é',
  edges: [],
});

const keyed = (key: string) => ({ 'idempotency-key': key });
const storedBytes = async ({ accountId }: Account): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(body::text)), 0)::int as bytes from idempotency_key where account_id = ${accountId}
  `.execute(world.db);
  return rows[0]?.bytes ?? 0;
};

/** Sends a request twice with one key, with a task in between. Asserts that both responses are equal. */
async function twice({ http }: Account, path: string, body: object | undefined, between = async () => {}) {
  const key = randomUUID();
  const first = await http('POST', path, body, keyed(key));
  expectOk(first);
  await between();
  const again = await http('POST', path, body, keyed(key));
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.text).toBe(first.text);
  return first.body as { id: string };
}

describe('a stored answer with a large graph', () => {
  test('of creating, deploying, stopping and restoring is replayed unchanged, and takes no space', async () => {
    const account = await world.account();
    const { id } = await twice(account, '/api/blueprints', { name: 'x', visual: drawing('one') });
    await twice(account, `/api/blueprints/${id}/deploy`, undefined);
    await twice(account, `/api/blueprints/${id}/stop`, undefined, async () => {
      expectOk(await account.http('PUT', `/api/blueprints/${id}`, { visual: drawing('two') }));
    });
    await twice(account, `/api/blueprints/${id}/releases/1/restore`, undefined);
    expect(await storedBytes(account)).toBeLessThan(10_000);
  });

  test('is replayed after the blueprint was edited or deleted, as its request has the graph', async () => {
    const account = await world.account();
    const key = randomUUID();
    const create = () =>
      account.http('POST', '/api/blueprints', { name: 'x', visual: drawing('one') }, keyed(key));
    const first = await create();
    const { id } = expectOk(first) as { id: string };
    expectOk(await account.http('PUT', `/api/blueprints/${id}`, { visual: null }));
    expect((await create()).text).toBe(first.text);
    expectOk(await account.http('DELETE', `/api/blueprints/${id}`));
    expect((await create()).text).toBe(first.text);
  });

  test('422: if the graph is stored nowhere anymore, and the effect still happens once', async () => {
    const account = await world.account();
    const visual = drawing('one');
    const { id } = expectOk(await account.http('POST', '/api/blueprints', { name: 'x', visual })) as {
      id: string;
    };
    expectOk(await account.http('POST', `/api/blueprints/${id}/deploy`));
    const key = randomUUID();
    const stop = () => account.http('POST', `/api/blueprints/${id}/stop`, undefined, keyed(key));
    expectOk(await stop());
    expectOk(await account.http('PUT', `/api/blueprints/${id}`, { visual: null }));
    await sql`update release_body set visual = '{}' where account_id = ${account.accountId}`.execute(
      world.db,
    );
    expectRefusal(await stop(), 422, 'idempotency_replay_unavailable');
    await sql`update release_body set visual = ${JSON.stringify(visual)} where account_id = ${account.accountId}`.execute(
      world.db,
    );
  });

  test('creating and deleting repeatedly stores no graph for good', async () => {
    const account = await world.account();
    for (let n = 0; n < 10; n++) {
      const body = { name: 'x', visual: drawing(String(n)) };
      const made = await account.http('POST', '/api/blueprints', body, keyed(randomUUID()));
      const { id } = expectOk(made) as { id: string };
      expectOk(await account.http('DELETE', `/api/blueprints/${id}`));
    }
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(octet_length(visual::text)), 0)::int as bytes from blueprint
      where account_id = ${account.accountId}`.execute(world.db);
    expect(rows[0]?.bytes).toBe(0);
    expect(await storedBytes(account)).toBeLessThan(10_000);
  });

  test('checks and previews store no answer at all', async () => {
    const account = await world.account();
    const { id } = expectOk(await account.http('POST', '/api/blueprints', { name: 'x' })) as { id: string };
    const visual = { nodes: Array(200).fill(1), edges: [] };
    expectOk(await account.http('POST', `/api/blueprints/${id}/validate`, { visual }, keyed(randomUUID())));
    expect(await storedBytes(account)).toBe(0);
  });
});
