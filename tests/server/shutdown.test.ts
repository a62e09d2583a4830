import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { clientConfig } from '../../db/migrating/migrate.ts';
import type { Service } from '../../server/process/service.ts';
import { bearer } from '../support/api.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

/** Holds the account's lock, so that a change of it stays in flight until the lock is released. */
async function holdAccount({ database }: World, { accountId }: Account) {
  const client = new pg.Client(clientConfig(database.owner));
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from account where id = $1 for update', [accountId]);
  return {
    /** Resolves once another session waits for the lock. */
    async waitedFor() {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      // Within a transaction PostgreSQL returns the same snapshot of activity until it is cleared.
      const readWaiting = async () => {
        await client.query('select pg_stat_clear_snapshot()');
        return client.query(waiting);
      };
      while ((await readWaiting()).rowCount === 0) await sleep(10);
    },
    async release() {
      await client.query('rollback');
      await client.end();
    },
  };
}

const addressOf = ({ address }: Service): string => `http://127.0.0.1:${address?.port}`;

describe('stopping', () => {
  test('a database connection that is never returned does not delay it', { tags: ['long'] }, async () => {
    const world = await openWorld();
    const service = await world.another();
    await service.pool.native.connect();
    await service.stop();
    await world.close();
  });

  test('the last commit is announced before the stop, whenever that comes, and no connection is left in use', {
    tags: ['long'],
  }, async () => {
    for (let afterMs = 0; afterMs <= 30; afterMs += 5) {
      const world = await openWorld();
      const account = await world.account();
      await account.http('PUT', '/api/risk-rules', { maxOpenPositions: 3 });
      await sleep(afterMs);
      await world.close();
      const trouble = world.logged.filter((line) => !line.includes('"level":"info"'));
      expect({ afterMs, trouble }).toEqual({ afterMs, trouble: [] });
    }
  });

  test('a request in flight finishes, new ones are not accepted, and then the process ends', async () => {
    const world = await openWorld();
    const account = await world.account();
    const service = await world.another();
    const base = addressOf(service);
    const held = await holdAccount(world, account);
    const change = fetch(`${base}/api/risk-rules`, {
      method: 'PUT',
      headers: { ...bearer(account.key), 'content-type': 'application/json' },
      body: '{"maxOpenPositions":3}',
    });
    await held.waitedFor();
    const stopped = service.stop();
    let isStopped = false;
    void stopped.then(() => {
      isStopped = true;
    });
    await sleep(200);
    await expect(fetch(`${base}/health`)).rejects.toThrow();
    expect(isStopped).toBe(false);
    await held.release();
    const answer = await change;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ maxOpenPositions: 3 });
    await stopped;
    await world.close();
  });

  test('a kept-alive connection is closed with its answer, and readiness reports the stop before', {
    tags: ['long'],
  }, async () => {
    const world = await openWorld();
    const account = await world.account();
    const service = await world.another();
    const { hostname, port } = new URL(addressOf(service));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (path: string): Promise<number | undefined> => {
      const sent = request({ agent, hostname, port, path }).end();
      const [response] = await once(sent, 'response');
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    };
    expect(await ask('/health/ready')).toBe(200);
    const held = await holdAccount(world, account);
    const change = fetch(`${addressOf(service)}/api/risk-rules`, {
      method: 'PUT',
      headers: { ...bearer(account.key), 'content-type': 'application/json' },
      body: '{}',
    });
    await held.waitedFor();
    const stopped = service.stop();
    await sleep(300);
    await expect(ask('/health/ready')).rejects.toThrow();
    await held.release();
    expect((await change).status).toBe(200);
    await stopped;
    agent.destroy();
    await world.close();
  });

  test('readiness is 503 before the port closes, and answers announce that their connection closes', {
    tags: ['long'],
  }, async () => {
    const world = await openWorld();
    const service = await world.another({ SHUTDOWN_GRACE_SEC: '2' });
    const base = addressOf(service);
    expect((await fetch(`${base}/health/ready`)).status).toBe(200);
    const stopped = service.stop();
    const [ready, health] = await Promise.all([fetch(`${base}/health/ready`), fetch(`${base}/health`)]);
    expect([ready.status, health.status]).toEqual([503, 200]);
    expect([ready, health].map(({ headers }) => headers.get('connection'))).toEqual(['close', 'close']);
    await stopped;
    await expect(fetch(`${base}/health`)).rejects.toThrow();
    await world.close();
  });

  test('stopping twice is stopping once', async () => {
    const world = await openWorld();
    const service = await world.another();
    await Promise.all([service.stop(), service.stop()]);
    await service.stop();
    await world.close();
  });
});
