/** The service as an operator runs it on one machine: the built-in PostgreSQL, venues, one API and two runners, each a process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import { freePort } from '../e2e/support/service-process.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const DATABASE = 'trading';
/** One for all processes: each opens what another has sealed. */
const CREDENTIAL_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const READY_WITHIN_MS = 120_000;
/** The last lines of a process, for when it ends. */
const KEPT_OUTPUT = 5_000;
const LAST_WORDS = 2_000;

export type ServiceProcess = {
  readonly name: string;
  readonly pid: number;
  /** The address of its metrics. */
  readonly metrics: string;
  /** Lines of level `error` or worse, which always mean a fault. */
  readonly errors: readonly string[];
  /** Its exit and its last lines; null while it runs. */
  ended(): string | null;
};

export type Running = {
  readonly base: string;
  readonly dir: string;
  readonly processes: readonly ServiceProcess[];
  readonly pool: Pool;
  postmasterPid(): number;
  close(): Promise<void>;
};

type Started = ServiceProcess & { stop(): Promise<void>; said(): string };

/** Starts everything in `dir` and waits until it is ready. */
export async function startAll(dir: string): Promise<Running> {
  const opened = new AsyncDisposableStack();
  try {
    const postgres = await startEmbeddedPostgres({ dir: path.join(dir, 'database'), keepRunning: true });
    opened.defer(() => postgres.stop());
    const { host, port, user, password } = postgres;
    const simulatorPort = await freePort();
    const simulator = start('simulator', {
      program: ['server/cli/simulator.ts', '--port', String(simulatorPort), '--seed', 'soak'],
      environment: {},
      metrics: '',
    });
    opened.defer(() => simulator.stop());
    const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
    await untilAnswers(`${simulatorUrl}/simulator/stats`, simulator);

    const apiPort = await freePort();
    const base = `http://127.0.0.1:${apiPort}`;
    const startRole = async (name: string, role: 'api' | 'runner'): Promise<Started> => {
      const metricsPort = await freePort();
      const metrics = `http://127.0.0.1:${metricsPort}`;
      const one = start(name, {
        program: ['server/start.mjs'],
        environment: {
          NODE_ENV: 'test',
          ROLE: role,
          PORT: String(apiPort),
          METRICS_PORT: String(metricsPort),
          PUBLIC_URL: base,
          DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@/${DATABASE}?host=${encodeURIComponent(host)}&port=${port}`,
          DATA_DIR: path.join(dir, name),
          AUTH_SECRET: 'a secret of the tests, long enough for signing',
          CREDENTIAL_KEYS,
          SIMULATOR_URL: simulatorUrl,
          PAPER_CASH: '1000000',
          // The shortest retention: tables with a retention reach their full length within the run.
          RETENTION_EVENTS: '1h',
          RATE_LIMITS: 'off',
          CONSOLE_BUILD: '0',
          DEMO: '0',
        },
        metrics: `${metrics}/metrics`,
      });
      opened.defer(() => one.stop());
      await untilAnswers(`${metrics}/health`, one);
      return one;
    };
    const api = await startRole('api', 'api');
    await untilAnswers(`${base}/health/ready`, api);
    const runners = [await startRole('runner-1', 'runner'), await startRole('runner-2', 'runner')];
    const pool = await openPool({ host, port, user, password, dbName: DATABASE }, { poolMax: 2 });
    opened.defer(() => pool.close());
    return {
      base,
      dir,
      processes: [api, ...runners],
      pool,
      postmasterPid: () => findPostmaster(path.join(dir, 'database/data'))?.pid ?? 0,
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

type Start = {
  readonly program: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly metrics: string;
};

function start(name: string, { program, environment, metrics }: Start): Started {
  // A group of its own: Ctrl-C at the terminal is for the soak, which then stops these in order.
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const errors: string[] = [];
  let said = '';
  const hear = (text: string) => {
    said = (said + text).slice(-KEPT_OUTPUT);
    errors.push(...text.split('\n').filter(isError));
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const ended = () =>
    hasEnded()
      ? `by ${child.signalCode ?? `code ${child.exitCode}`}, and had said: ${said.slice(-LAST_WORDS)}`
      : null;
  return {
    name,
    pid: child.pid ?? 0,
    metrics,
    errors,
    ended,
    said: () => said,
    stop: () => stop(child, hasEnded),
  };
}

/** Lines are JSON with a level in numbers or in words. */
const isError = (line: string): boolean => /"level":("error"|"fatal"|50|60)/.test(line);

async function stop(child: ChildProcess, hasEnded: () => boolean): Promise<void> {
  if (hasEnded()) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

async function untilAnswers(url: string, process: Started): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (process.ended() !== null) break;
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`${process.name} does not answer at ${url}:\n${process.said()}`);
}
