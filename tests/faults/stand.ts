/**
 * The whole service as an operator runs it, for faults: a PostgreSQL of its own, two lines (one to it, one to the API) that
 * can be cut and silenced, one API and two runners as processes, venues of their own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { startSimulator } from '../../venues/index.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { Playground } from '../support/embedded.ts';
import { Wire } from '../support/wire.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const READY_WITHIN_MS = 60_000;
const DATABASE = 'trading';

type Name = 'api' | 'runner' | 'other runner';
export type Stand = Awaited<ReturnType<typeof openStand>>;

export async function openStand() {
  const playground = new Playground();
  const postgres = await startEmbeddedPostgres({ dir: playground.dir(), keepRunning: true });
  const { host, port, user, password } = postgres;
  const line = await Wire.open({ host, port });
  const simulator = await startSimulator({ seed: 'faults' });
  const apiPort = await freePort();
  const door = await Wire.open({ host: '127.0.0.1', port: apiPort });
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
        DATABASE_URL: `postgresql://${user}:${password}@127.0.0.1:${line.port}/${DATABASE}`,
        DATA_DIR: playground.dir(name.replace(' ', '-')),
        AUTH_SECRET: 'a secret of the tests, long enough for signing',
        SIMULATOR_URL: simulator.url,
        RATE_LIMITS: 'off',
        CONSOLE_BUILD: '0',
        DEMO: '0',
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

  return {
    base,
    line,
    door,
    said,
    db: systemDb(pool),
    /** kill -9 of a process, and another in its place. */
    async replace(name: Name): Promise<void> {
      const gone = once(childOf(name), 'exit');
      childOf(name).kill('SIGKILL');
      await gone;
      start(name);
    },
    signal: (name: Name, signal: NodeJS.Signals) => childOf(name).kill(signal),
    /** Every process of the database server. */
    signalDatabase(signal: NodeJS.Signals): void {
      for (const pid of serverProcesses(playground.dir())) process.kill(pid, signal);
    },
    killPostmaster(): void {
      const postmaster = findPostmaster(path.join(playground.dir(), 'data'));
      if (postmaster) process.kill(postmaster.pid, 'SIGKILL');
    },
    untilReady: () => untilReady(base, said),
    async close(): Promise<void> {
      for (const child of children.values()) child.kill('SIGKILL');
      await pool.close();
      await Promise.all([line.close(), door.close(), simulator.close()]);
      await postgres.stop('immediate');
      await playground[Symbol.asyncDispose]();
    },
  };
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

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
