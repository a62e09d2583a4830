/** A database full of running deployments and runner processes on it, for benches. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import type { Db } from '../../db/tables.ts';
import { fill, type Graph } from './runner-world.ts';

export const SHARDS = 64;
export const SAMPLE_MS = 200;
const TICK_WAIT_MAX_MS = 120_000;
/** Filling and vacuuming visit all rows. */
const ANSWER_WITHIN_MS = 600_000;
const PROCESS = path.join(import.meta.dirname, 'runner-process.ts');

export type RunnerBench = AsyncDisposable & {
  readonly db: Db;
  readonly runners: readonly ChildProcess[];
  readonly postmasterPid: number;
};

export type BenchOptions = {
  readonly count: number;
  readonly periodMs: number;
  readonly runners?: number;
  readonly draw?: (index: number) => Graph;
};

/** Starts `count` deployments, and runners that have ticked every shard. */
export async function openRunnerBench(options: BenchOptions): Promise<RunnerBench> {
  const { count, periodMs, runners: wanted = 1, draw } = options;
  const opened = new AsyncDisposableStack();
  try {
    const dir = mkdtempSync(path.join(tmpdir(), 'runner-bench-'));
    chmodSync(dir, 0o711);
    opened.defer(() => rmSync(dir, { recursive: true, force: true }));
    const server = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
    opened.defer(() => server.stop());
    const { host, port, user, password, app } = server;
    const owner = { host, port, user, password, dbName: 'bench' };
    const connection = await prepareDatabase({ owner, app: { login: app } });
    const pool = await openPool(owner, { statementTimeoutMs: 0, answerWithinMs: ANSWER_WITHIN_MS });
    opened.defer(() => pool.close());
    const db = systemDb(pool);
    await fill(db, count, { shardCount: SHARDS, ...(draw && { draw }) });

    const runners: ChildProcess[] = [];
    for (let index = 0; index < wanted; index++) {
      const runner = fork(PROCESS, [JSON.stringify({ connection, shardCount: SHARDS, periodMs })], {
        stdio: 'inherit',
      });
      runners.push(runner);
      opened.defer(() => stop(runner));
      await once(runner, 'message');
    }
    await untilAllTick(db);
    const pidFile = readFileSync(path.join(dir, 'db/data/postmaster.pid'), 'utf8');
    return {
      db,
      runners,
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

/** Waits for every shard to tick. A shard without a strategy never ticks, so there must be many more strategies than shards. */
async function untilAllTick(db: Db): Promise<void> {
  const lastMs = performance.now() + TICK_WAIT_MAX_MS;
  while (performance.now() < lastMs) {
    const { rows } = await sql<{ ticking: number }>`
      select count(*)::int as ticking from shard where last_tick_at is not null`.execute(db);
    if (rows[0]?.ticking === SHARDS) return;
    await sleep(SAMPLE_MS);
  }
  throw new Error(`Not every shard ticked within ${TICK_WAIT_MAX_MS} ms: deploy more than ${10 * SHARDS}.`);
}
