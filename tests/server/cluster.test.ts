import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { begun } from '../support/begun.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeRunFolder } from '../support/test-server.ts';

type Line = { msg: string; pid: number; role?: string; port?: number; metricsPort?: number };

/** Starts the service as an operator does, and collects its log. */
function startKeeper(settings: Record<string, string>): { child: ChildProcess; lines: Line[] } {
  const child = spawn(process.execPath, ['server/start.mjs'], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line));
  });
  return { child, lines };
}

const servingOf = (lines: readonly Line[]) =>
  lines.filter(({ msg }) => msg === 'serving' || msg === 'running');
const patient = { timeout: 60_000, interval: 50 };

test('several processes answer on one port, are replaced without a refused or lost request, and each is measured alone', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const database = await createTestDatabase();
  const { host, port: databasePort, user, password, dbName } = database.connection;
  const url = `postgresql://${user}:${encodeURIComponent(password)}@/${dbName}?host=${encodeURIComponent(host)}&port=${databasePort}`;
  onTestFinished(() => database.drop());
  const { child, lines } = startKeeper({
    DATABASE_URL: url,
    DATA_DIR: makeRunFolder(),
    NODE_ENV: 'test',
    PORT: '0',
    METRICS_PORT: '0',
    API_PROCESSES: '2',
    DEMO: '0',
    CONSOLE_BUILD: '0',
    RATE_LIMITS: 'off',
    SHUTDOWN_GRACE_SEC: '0',
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const saidSo = (message: string) => lines.filter(({ msg }) => msg === message);
  await expect.poll(() => saidSo('all processes serve'), patient).toHaveLength(1);
  const first = servingOf(lines);
  const ports = new Set(first.flatMap(({ port }) => port ?? []));
  expect(ports.size).toBe(1);
  const [port] = ports;
  expect(new Set(first.map(({ metricsPort }) => metricsPort)).size).toBe(3);
  for (const { metricsPort, pid } of first) {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/health`);
    expect(await answer.json()).toMatchObject({ pid });
  }

  const statuses: number[] = [];
  const asking = new AbortController();
  const ask = async () => {
    while (!asking.signal.aborted) {
      const { status } = await fetch(`http://127.0.0.1:${port}/health`, {
        headers: { connection: 'close' },
        // A connection that no process took would hang for minutes.
        signal: AbortSignal.timeout(30_000),
      });
      statuses.push(status);
      await sleep(20);
    }
  };
  const requests = begun(ask());
  child.kill('SIGHUP');
  await expect.poll(() => saidSo('a process was replaced'), patient).toHaveLength(3);
  asking.abort();
  await requests;
  expect(statuses.length).toBeGreaterThan(10);
  expect(new Set(statuses)).toEqual(new Set([200]));

  const second = servingOf(lines).slice(3);
  const [stopped, doomed] = second.filter(({ msg }) => msg === 'serving');
  if (stopped === undefined || doomed === undefined) throw new Error('Two processes serve.');
  // A supervisor that is late hands connections to a process that no longer listens.
  child.kill('SIGSTOP');
  const late = Array.from({ length: 6 }, () =>
    fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(30_000) }),
  );
  process.kill(stopped.pid, 'SIGTERM');
  await sleep(1_000);
  child.kill('SIGCONT');
  for (const answer of await Promise.all(late)) expect(answer.status).toBe(200);
  await expect.poll(() => servingOf(lines), patient).toHaveLength(7);

  process.kill(doomed.pid, 'SIGKILL');
  await expect.poll(() => servingOf(lines), patient).toHaveLength(8);

  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
