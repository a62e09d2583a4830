/**
 * The whole service as an operator runs it, for faults: a PostgreSQL of its own, one API and two runners as processes, and
 * venues of their own. Two proxies, one to the database and one to the API, can be cut and silenced.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { startSimulator } from '../../simulator/index.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { parentOf } from '../ha/cluster-process.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { EmbeddedFolders } from '../support/embedded.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const READY_WITHIN_MS = 60_000;
const TRADES_WITHIN_MS = 60_000;
const DATABASE = 'trading';

type Name = 'api' | 'runner' | 'other runner';
export type FaultStand = Awaited<ReturnType<typeof openStand>>;

export type StandOptions = {
  /** Folder of the database, which the caller deletes; a folder of the stand's own by default. */
  dir?: string;
  /** Settings of every process of the service, over those of the stand. */
  environment?: NodeJS.ProcessEnv;
};

export async function openStand({ dir: given, environment = {} }: StandOptions = {}) {
  const playground = new EmbeddedFolders();
  const dir = given ?? playground.dir();
  const postgres = await startEmbeddedPostgres({ dir, keepRunning: true });
  const { host, port, user, password } = postgres;
  const proxy = await DatabaseProxy.open({ host, port });
  const simulator = await startSimulator({ seed: 'faults' });
  const apiPort = await freePort();
  const door = await DatabaseProxy.open({ host: '127.0.0.1', port: apiPort });
  const base = `http://127.0.0.1:${door.port}`;
  const children = new Map<Name, ChildProcess>();
  const said: string[] = [];

  function start(name: Name): void {
    const child = spawn(process.execPath, ['server/start.mjs'], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        ROLE: name === 'api' ? 'api' : 'runner',
        PORT: String(apiPort),
        PUBLIC_URL: base,
        DATABASE_URL: `postgresql://${user}:${password}@127.0.0.1:${proxy.port}/${DATABASE}`,
        DATA_DIR: playground.dir(name.replace(' ', '-')),
        AUTH_SECRET: 'a secret of the tests, long enough for signing',
        SIMULATOR_URL: simulator.url,
        RATE_LIMITS: 'off',
        CONSOLE_BUILD: '0',
        DEMO: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => said.push(String(chunk)));
    children.set(name, child);
  }

  const childOf = (name: Name): ChildProcess => {
    const child = children.get(name);
    if (child === undefined) throw new Error(`There is no ${name}.`);
    return child;
  };

  start('api');
  await untilReady(base, said);
  start('runner');
  start('other runner');
  const pool = await openPool({ host, port, user, password, dbName: DATABASE }, { poolMax: 4 });

  const db = systemDb(pool);

  return {
    base,
    proxy,
    door,
    said,
    db,
    tradesAgain: () => tradesAgain(db, said),
    /** Kills a process by SIGKILL, and starts another in its place. */
    async replace(name: Name): Promise<void> {
      const gone = once(childOf(name), 'exit');
      childOf(name).kill('SIGKILL');
      await gone;
      start(name);
    },
    signal: (name: Name, signal: NodeJS.Signals) => childOf(name).kill(signal),
    /** Every process of the database server. */
    signalDatabase(signal: NodeJS.Signals): void {
      for (const pid of serverProcesses(dir)) process.kill(pid, signal);
    },
    killPostmaster(): void {
      const postmaster = findPostmaster(path.join(dir, 'data'));
      if (postmaster) process.kill(postmaster.pid, 'SIGKILL');
    },
    untilReady: () => untilReady(base, said),
    async close(): Promise<void> {
      for (const child of children.values()) child.kill('SIGKILL');
      await pool.close();
      await Promise.all([proxy.close(), door.close(), simulator.close()]);
      await postgres.stop('immediate');
      await playground[Symbol.asyncDispose]();
    },
  };
}

/** Waits until prices are fresh, and an order made from now on is filled; none is left unsent. */
async function tradesAgain(db: Db, said: readonly string[]): Promise<void> {
  const deadline = performance.now() + TRADES_WITHIN_MS;
  let since: string | undefined;
  let seen: object | undefined;
  while (performance.now() < deadline) {
    since ??= await databaseTime(db).catch(() => undefined);
    const state = since === undefined ? since : await stateSince(db, since).catch(() => undefined);
    if (state?.fresh && state.filled && state.late === 0) return;
    if (state) seen = state;
    await sleep(250);
  }
  throw new Error(`It does not trade again: ${JSON.stringify(seen)} ${said.slice(-20).join('')}`);
}

async function databaseTime(db: Db): Promise<string | undefined> {
  return (await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)).rows[0]?.now;
}

async function stateSince(db: Db, since: string) {
  const { rows } = await sql<{ fresh: boolean; filled: boolean; late: number }>`
    select exists (select from quote where as_of between clock_timestamp() - interval '10 seconds'
        and clock_timestamp() + interval '2 seconds') as fresh,
      exists (select from trade_order where status = 'filled' and created_at > ${since}::timestamptz) as filled,
      (select count(*)::int from trade_order where status in ('queued', 'submitted')
        and created_at < clock_timestamp() - interval '50 seconds') as late`.execute(db);
  return rows[0];
}

async function untilReady(base: string, said: readonly string[]): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    const options = { signal: AbortSignal.timeout(15_000) };
    const ready = await fetch(`${base}/health/ready`, options).catch(() => null);
    if (ready?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`The service is not ready: ${said.slice(-20).join('')}`);
}

function serverProcesses(dir: string): number[] {
  const postmaster = findPostmaster(path.join(dir, 'data'));
  if (postmaster === null) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [postmaster.pid, ...pids.map(Number).filter((pid) => parentOf(pid) === postmaster.pid)];
}
