import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/kernel/config.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { type Service, startService } from '../../server/process/service.ts';
import { bearer } from '../support/api.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;
let wire: DatabaseProxy;
let service: Service;
let base: string;
const logged: string[] = [];

/** A second process of the service whose connection to the database can be cut. */
beforeAll(async () => {
  account = await world.account();
  wire = await DatabaseProxy.open(world.database.connection);
  service = await startService({
    config: readConfig({ PORT: '0', RATE_LIMITS: 'off', ROLE: 'api', NODE_ENV: 'test' }),
    connection: wire.carry(world.database.connection),
    market: world.market,
    authSecret: 'a secret of the tests, long enough for signing',
    log: openLogger(
      'info',
      new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line))) }),
    ),
  });
  base = `http://127.0.0.1:${service.address?.port}`;
});
afterAll(async () => {
  await wire.mend();
  await service.stop();
  await wire.close();
});

const read = (at: string) => fetch(base + at, { headers: bearer(account.key) });

test('connections are opened with parameters that every pooler knows; session settings follow afterwards', async () => {
  const signUp = { email: 'pooled@example.com', password: 'a long enough password', name: 'Pooled' };
  const headers = { 'content-type': 'application/json', origin: 'http://localhost:0' };
  const answer = await fetch(`${base}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(signUp),
  });
  expect(answer.status).toBe(200);
  expect((await read('/api/portfolio')).status).toBe(200);
  expect(wire.openings.length).toBeGreaterThan(2);
  const known = ['user', 'database', 'client_encoding', 'application_name'];
  for (const opening of wire.openings) {
    // Eight bytes of length and version, then names and values in turn, each ended by a zero.
    const words = opening.slice(8).split('\0');
    const names = words.filter((word, at) => at % 2 === 0 && word !== '');
    expect(known).toEqual(expect.arrayContaining(names));
  }
});

describe('while the database does not answer', () => {
  test('503: with Retry-After, in the one error shape; liveness stays, readiness does not; afterwards both are back', async () => {
    expect((await read('/api/portfolio')).status).toBe(200);
    await wire.close();
    const startedAt = performance.now();
    for (const at of ['/api/portfolio', '/api/orders', '/health/ready']) {
      const answer = await read(at);
      expect({ at, status: answer.status }).toEqual({ at, status: 503 });
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      const body = (await answer.json()) as { error: { code: string; message: string }; message: string };
      expect(body.error).toMatchObject({ code: 'database_unavailable' });
      expect(body.message).toBe(body.error.message);
      expect(body.message).not.toMatch(/ECONN|127\.0\.0\.1|\d{4,5}/);
    }
    expect((await read('/health')).status).toBe(200);
    expect((await fetch(`${base}/api/blueprints`)).status).toBe(401);
    expect(performance.now() - startedAt).toBeLessThan(30_000);

    await wire.mend();
    for (let tried = 0; tried < 100 && (await read('/health/ready')).status !== 200; tried++) await sleep(50);
    expect((await read('/api/portfolio')).status).toBe(200);
  });

  test('503: a session cannot be verified, so it is not refused as invalid', async () => {
    const { cookie } = await world.signUp();
    const readPortfolio = () => fetch(`${base}/api/portfolio`, { headers: { cookie } });
    expect((await readPortfolio()).status).toBe(200);
    await wire.close();
    const answer = await readPortfolio();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const signIn = await fetch(`${base}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://localhost:0' },
      body: JSON.stringify({ email: 'a@example.com', password: 'correct horse battery' }),
    });
    expect([500, 503]).toContain(signIn.status);
    expect(signIn.headers.get('content-type')).toBe('application/json');
    expect(await signIn.text()).not.toMatch(/ECONN|stack|\.ts/);
    await wire.mend();
  });

  test('none of it is logged as an error: that level means a defect to examine', async () => {
    const { cookie } = await world.signUp();
    logged.length = 0;
    await wire.close();
    for (let tried = 0; tried < 3; tried++) {
      await fetch(`${base}/api/portfolio`, { headers: { cookie } });
      await read('/api/portfolio');
    }
    await wire.mend();
    expect(logged.filter((line) => line.includes('"level":"warn"')).length).toBeGreaterThan(0);
    expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test('a stream sends 503 before it ends', async () => {
    const { cookie } = await world.signUp();
    const stream = await fetch(`${base}/trpc/events?input=${encodeURIComponent('{}')}`, {
      headers: { cookie, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(10_000),
    });
    expect(stream.status).toBe(200);
    await wire.close();
    const text = await stream.text();
    await wire.mend();
    const [, failure] = /event: serialized-error\ndata: (.*)/.exec(text) ?? [];
    expect(JSON.parse(failure ?? 'null')).toMatchObject({
      data: { httpStatus: 503, code: 'SERVICE_UNAVAILABLE', error: { code: 'database_unavailable' } },
    });
  });
});
