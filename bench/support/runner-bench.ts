/** A database full of running deployments and runner processes on it, for benches. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import type { Db } from '../../db/tables.ts';
import { DatabaseProxy } from '../../tests/support/database-proxy.ts';
import type { StoredTick } from './minute-lag.ts';
import { fill, type Graph, PER_ACCOUNT } from './runner-world.ts';

export const SHARDS = 64;
export const SAMPLE_MS = 200;
/** The first ticks store the values of all nodes. */
const tickWaitMaxMs = (count: number): number => 120_000 + 2 * count;
/** Filling and vacuuming visit all rows. */
const ANSWER_WITHIN_MS = 600_000;
const PROCESS = path.join(import.meta.dirname, 'runner-process.ts');

export type RunnerBench = AsyncDisposable & {
  readonly db: Db;
  readonly runners: readonly ChildProcess[];
  readonly postmasterPid: number;
  /** The address that the runners use. */
  readonly connection: DatabaseConnection;
};

export type BenchOptions = {
  readonly count: number;
  readonly periodMs: number;
  readonly runners?: number;
  readonly draw?: (index: number) => Graph;
  /** Deployments of each account, default ten. */
  readonly perAccount?: number;
  /** How much longer the database takes to answer a runner, default 0. */
  readonly latencyMs?: number;
  readonly onTick?: (tick: StoredTick) => void;
  /** Ends the preparation. */
  readonly signal?: AbortSignal;
};

/** Starts `count` deployments, and runners that have ticked every shard. */
export async function openRunnerBench(options: BenchOptions): Promise<RunnerBench> {
  const { count, periodMs, runners: wanted = 1, draw, perAccount = PER_ACCOUNT, latencyMs = 0 } = options;
  const opened = new AsyncDisposableStack();
  try {
    const dir = mkdtempSync(path.join(tmpdir(), 'runner-bench-'));
    chmodSync(dir, 0o711);
    opened.defer(() => rmSync(dir, { recursive: true, force: true }));
    const server = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
    opened.defer(() => server.stop());
    const { host, port, user, password, app } = server;
    const owner = { host, port, user, password, dbName: 'bench' };
    const direct = await prepareDatabase({ owner, app: { login: app } });
    const proxy = latencyMs > 0 ? await DatabaseProxy.open(owner, { delayMs: latencyMs }) : null;
    opened.defer(() => proxy?.close());
    const connection = proxy?.carry(direct) ?? direct;
    const pool = await openPool(owner, { statementTimeoutMs: 0, answerWithinMs: ANSWER_WITHIN_MS });
    opened.defer(() => pool.close());
    const db = systemDb(pool);
    await fill(db, count, {
      shardCount: SHARDS,
      perAccount,
      ...(draw && { draw }),
      onFilled(filled) {
        options.signal?.throwIfAborted();
        process.stderr.write(`\rfilled in ${filled} of ${count}${filled === count ? '\n' : ''}`);
      },
    });

    const runners: ChildProcess[] = [];
    for (let index = 0; index < wanted; index++) {
      const runner = fork(PROCESS, [JSON.stringify({ connection, shardCount: SHARDS, periodMs })], {
        stdio: 'inherit',
      });
      runners.push(runner);
      opened.defer(() => stop(runner));
      await once(runner, 'message');
      runner.on('message', (tick: StoredTick) => options.onTick?.(tick));
    }
    await untilAllTick(db, options, Math.min(SHARDS, Math.ceil(count / perAccount)));
    const pidFile = readFileSync(path.join(dir, 'db/data/postmaster.pid'), 'utf8');
    return {
      db,
      runners,
      connection,
      postmasterPid: Number(pidFile.split('\n')[0]),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function stop(runner: ChildProcess): Promise<void> {
  if (runner.exitCode !== null || runner.signalCode !== null) return;
  const exited = once(runner, 'exit');
  runner.kill('SIGTERM');
  await exited;
}

/** Waits for the first tick of each shard that has a strategy. */
async function untilAllTick(db: Db, { count, signal }: BenchOptions, shards: number): Promise<void> {
  const waitMs = tickWaitMaxMs(count);
  const lastMs = performance.now() + waitMs;
  while (performance.now() < lastMs) {
    const { rows } = await sql<{ ticking: number }>`
      select count(*)::int as ticking from shard where last_tick_at is not null`.execute(db);
    if (rows[0]?.ticking === shards) return;
    await sleep(SAMPLE_MS, undefined, { signal });
  }
  throw new Error(`Not every shard ticked within ${waitMs} ms.`);
}
