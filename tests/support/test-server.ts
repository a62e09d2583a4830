/** The database server of one test run: fast, in a folder of its own, removed at the end, swept if the run was killed. */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { processExists, processIdentity } from '../../db/embedded/processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded.ts';

/** Many test files connect at once, and nobody counts the memory. */
const SETTINGS = { max_connections: 200, shared_buffers: '128MB' };
const GONE_TIMEOUT_MS = 10_000;

/** One folder for all runs of this user, so that a run finds what killed ones left. */
function runsFolder(): string {
  return path.join(tmpdir(), `trading-strategy-tests-${process.getuid?.() ?? 'user'}`);
}

/** Starts the server of this run; `remove` stops it and deletes its folder. */
export async function startTestServer(): Promise<EmbeddedPostgres & { remove(): Promise<void> }> {
  await sweepKilledRuns();
  const dir = path.join(runsFolder(), `${processIdentity(process.pid)}`);
  const server = await startEmbeddedPostgres({ dir, durable: false, settings: SETTINGS });
  const remove = async () => {
    await server.stop('immediate');
    rmSync(server.dir, { recursive: true, force: true });
  };
  return { ...server, remove };
}

async function sweepKilledRuns(): Promise<void> {
  mkdirSync(runsFolder(), { recursive: true, mode: 0o711 });
  for (const identity of readdirSync(runsFolder())) {
    const isRunning = processIdentity(Number.parseInt(identity, 10)) === identity;
    if (!isRunning) await removeWithServer(path.join(runsFolder(), identity));
  }
}

/** Deletes a data folder whose owner is gone; the server first, because it would write the files again. */
export async function removeWithServer(dir: string): Promise<void> {
  const orphan = findPostmaster(path.join(dir, 'data'));
  if (orphan) {
    process.kill(orphan.pid, 'SIGQUIT');
    await untilGone(orphan.pid);
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function untilGone(pid: number): Promise<void> {
  const deadline = performance.now() + GONE_TIMEOUT_MS;
  while (processExists(pid) && processIdentity(pid) !== null) {
    if (performance.now() > deadline)
      throw new Error(`The leftover PostgreSQL ${pid} does not go away: kill it by hand.`);
    await sleep(20);
  }
}
