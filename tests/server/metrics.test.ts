import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { DATABASE_GAUGES, serveDatabaseGauges } from '../../server/metrics/database-metrics.ts';
import { routeLabel } from '../../server/metrics/route-label.ts';
import type { Service } from '../../server/process/service.ts';
import { expectRefusal } from '../support/api.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { openedForFile } from '../support/opened.ts';
import { closeAll, openSockets } from '../support/sockets.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(() => openWorld({ settings: { METRICS_PORT: '0' }, runnerGraceMs: 1_500 }));
let account: Account;
/** A runner of the same database, while there is one. */
let runner: Service | null = null;

beforeAll(async () => {
  account = await world.account();
});
afterAll(() => runner?.stop());

const read = async (path: string, { metricsPort }: Service = world.service) => {
  const response = await fetch(`http://127.0.0.1:${metricsPort}${path}`);
  return { status: response.status, text: await response.text() };
};

const close = () =>
  account.http('POST', '/api/portfolio/positions/close', { tokenId: 'BTCUSDT', amount: 0.001 });

/** Names of metrics in a text, as they are registered. */
const namesIn = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/\b(?:trading|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    ),
  );

describe('metrics', () => {
  test('every metric that alerts and dashboard name is served', async () => {
    const served = namesIn((await read('/metrics')).text);
    for (const file of ['alerts.yml', 'alerts.test.yml', 'dashboard.json']) {
      const named = namesIn(readFileSync(new URL(`../../ops/${file}`, import.meta.url), 'utf8'));
      expect(
        [...named].filter((name) => !served.has(name)),
        file,
      ).toEqual([]);
    }
  });

  test('the dashboard has a panel for every metric of the service', async () => {
    const visible = namesIn(readFileSync(new URL('../../ops/dashboard.json', import.meta.url), 'utf8'));
    const { text } = await read('/metrics');
    const served = [...text.matchAll(/^# TYPE (trading_\w+)/gm)].map(([, name = '']) => name);
    expect(served.length).toBeGreaterThan(50);
    expect(served.filter((name) => !visible.has(name))).toEqual([]);
  });

  test.skipIf(spawnSync('promtool', ['--version']).error !== undefined)(
    'names and texts are as Prometheus has them',
    async () => {
      for (const path of ['/metrics', '/metrics/results']) {
        const input = (await read(path)).text;
        const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
          input,
          encoding: 'utf8',
        });
        expect({ status, said: `${stdout}${stderr}` }, path).toEqual({ status: 0, said: '' });
      }
    },
  );

  test('metrics of accounts are served only if enabled', async () => {
    const of = `{mode="paper",account="${account.accountId}"}`;
    expect((await read('/metrics/results')).text).toContain(`trading_account_cash_usd${of} 10000`);
    expect((await read('/metrics')).text).not.toContain(account.accountId);
  });

  test('requests are counted by the template of their route: an invented path makes no line', async () => {
    const made = 'made-up-by-the-caller';
    await account.http('GET', `/api/orders/${world.service.address?.port}-${made}`);
    await world.send('GET', '/api/orders');
    await world.send('GET', `/${made}`);
    await world.send('GET', `/trpc/${made}`);
    await world.send('GET', `/api/auth/${made}`);
    const { text } = await read('/metrics');
    expect(text).not.toContain(made);
    expect(text).toMatch(
      /trading_http_request_duration_seconds_count\{method="GET",route="\/api\/orders\/\{id\}"/,
    );
    expect(text).toContain('route="other"');
    expect(text).toMatch(/trading_http_refusals_total\{code="credentials_missing"\} [1-9]/);
  });

  test('the database is queried once in ten seconds, however many scrapes come', async () => {
    let queries = 0;
    const count = () => queries++;
    world.pool.native.on('acquire', count);
    await Promise.all(Array.from({ length: 10 }, () => read('/metrics')));
    world.pool.native.off('acquire', count);
    expect(queries).toBeLessThan(20);
  });

  test('while the database hangs, a scrape is answered, and soon says that it is down', async () => {
    const { host, port } = world.database.connection;
    const wire = await DatabaseProxy.open({ host, port });
    const pool = await openPool(wire.carry(world.database.connection), { poolMax: 2 });
    const register = new Registry();
    const gauges = serveDatabaseGauges(register, pool, [{ gauges: DATABASE_GAUGES, holdsMs: 0 }]);
    await gauges.refresh();
    expect(await register.metrics()).toContain('trading_database_up 1\n');
    wire.silence();
    await gauges.refresh();
    // The values from before are served until the statement fails.
    expect(await register.metrics()).toMatch(/^trading_runners 0$/m);
    const isUp = async () => {
      await gauges.refresh();
      return (await register.metrics()).includes('trading_database_up 1\n');
    };
    await expect.poll(isUp, { timeout: 60_000 }).toBe(false);
    expect(await register.metrics()).not.toMatch(/^trading_runners /m);
    await wire.close();
    await pool.close();
  });

  test('a port of its own answers nothing else, and reveals nothing about a request', async () => {
    expect((await read('/api/orders')).status).toBe(404);
    expect((await read('/health')).status).toBe(200);
  });
});

describe('a runner', () => {
  test('without a runner a close and an approval are refused at once, and readiness says so; with one they are not', {
    tags: ['long'],
  }, async () => {
    await expect
      .poll(async () => (await world.send('GET', '/health/ready')).body)
      .toEqual({
        status: 'ready',
        warnings: ['no_runner'],
      });
    expectRefusal(await close(), 503, 'no_runner');
    const approval = await account.http('POST', `/api/orders/${crypto.randomUUID()}/approve`);
    expectRefusal(approval, 503, 'no_runner');
    expect((await read('/health/ready')).text).toContain('"isRunnerMissing":true');
    expect((await read('/metrics')).text).toMatch(/trading_runner_missing 1\n/);

    runner = await world.another({ ROLE: 'runner' });
    await expect
      .poll(async () => (await world.send('GET', '/health/ready')).body)
      .toEqual({ status: 'ready' });
    expect((await close()).status).not.toBe(503);
  });

  test('reports by probes of its own whether it works, in which role and version', async () => {
    runner ??= await world.another({ ROLE: 'runner' });
    const ready = () => read('/health/ready', runner ?? undefined);
    expect(runner.address).toBeNull();
    await expect.poll(async () => (await ready()).status).toBe(200);
    expect(JSON.parse((await ready()).text)).toEqual({
      status: 'ready',
      isRunnerMissing: false,
      role: 'runner',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      pid: process.pid,
    });
  });
});

describe('the label of a path', () => {
  test.each([
    ['GET', '/api/orders/0198', '/api/orders/{id}'],
    ['HEAD', '/api/orders', '/api/orders'],
    ['GET', '/api/health', '/health'],
    ['POST', '/trpc/orders.approve', '/trpc/orders.approve'],
    ['GET', '/live/trpc/orders.list', '/live/trpc/orders.list'],
    ['GET', '/trpc/orders.list,orders.read', '/trpc/(batch)'],
    ['GET', '/trpc/constructor', '/trpc/other'],
    ['GET', '/trpc/a%2Cb', '/trpc/(batch)'],
    ['GET', '/assets/index-1.js', '/assets'],
    ['GET', '/assetsX', 'other'],
    ['BREW', '/api/orders', 'other'],
  ])('%s %s is %s', (method, path, label) => {
    expect(routeLabel(method, path)).toBe(label);
  });
});

describe('the port of probes', () => {
  test('answers a probe beside 120 half requests of one address', async () => {
    const base = `http://127.0.0.1:${world.service.metricsPort}`;
    const half = { from: '127.0.0.2', send: 'GET /health HTTP/1.1\r\nHost: x\r\n' };
    const held = await openSockets(base, 120, half);
    try {
      expect((await read('/health')).status).toBe(200);
      await expect.poll(() => held.filter(({ isClosed }) => !isClosed()).length).toBeLessThanOrEqual(25);
    } finally {
      closeAll(held);
    }
  });

  test('is on this machine only, unless METRICS_HOST sets another address', () => {
    expect(readConfig({}).metricsHost).toBe('127.0.0.1');
    expect(readConfig({ METRICS_HOST: '0.0.0.0' }).metricsHost).toBe('0.0.0.0');
  });
});
