/** The database server of one test run: fast, in a folder of its own, removed at the end, swept if the run was killed. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { processIdentity } from '../../db/embedded/processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded.ts';

/** Many test files connect at once, and memory is not limited. */
const SETTINGS = { max_connections: 200, shared_buffers: '128MB' };
const GONE_TIMEOUT_MS = 10_000;

/** Folders in memory, where a database is cloned for a tenth of the processor time. Absent on some systems. */
const MEMORY = '/dev/shm';
/** A run needs less than a gigabyte; a container's default of 64 MB is no room. */
const MEMORY_FREE_BYTES = 2 * 1024 ** 3;

/** Starts the server of this run; `remove` stops it and deletes its folder. */
export async function startTestServer(): Promise<EmbeddedPostgres & { remove(): Promise<void> }> {
  await sweepKilledRuns();
  const dir = makeRunFolder();
  const server = await startEmbeddedPostgres({ dir, durable: false, settings: SETTINGS });
  const remove = async () => {
    await server.stop('immediate');
    rmSync(dir, { recursive: true, force: true });
  };
  return { ...server, remove };
}

/**
 * A folder of this process, which a later run sweeps should this one be killed. PostgreSQL runs as another user than root and
 * may enter.
 */
export function makeRunFolder(): string {
  const folder = mkdtempSync(path.join(runsFolder(), `${processIdentity(process.pid)}.`));
  chmodSync(folder, 0o711);
  return folder;
}

/** Deletes a data folder whose service is gone; the server first, because it would write the files again. */
export async function removeWithServer(dir: string): Promise<void> {
  await killServer(dir);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function killServer(dir: string): Promise<void> {
  const orphan = findOrphan(path.join(dir, 'data'));
  if (!orphan) return;
  process.kill(orphan.pid, 'SIGQUIT');
  await untilGone(orphan.pid);
}

/** No server has written a pid file that is a folder: a test makes one, and its run may be killed then. */
function findOrphan(data: string): ReturnType<typeof findPostmaster> {
  const isFolder = statSync(path.join(data, 'postmaster.pid'), { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? null : findPostmaster(data);
}

/** One folder for all runs of this user, so that a run finds what killed ones left: in memory where that has room. */
function runsFolder(): string {
  const folder = runsFolderIn(hasRoom(MEMORY) ? MEMORY : realpathSync(tmpdir()));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  return folder;
}

const runsFolderIn = (parent: string) =>
  path.join(parent, `trading-strategy-tests-${process.getuid?.() ?? 'user'}`);

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= MEMORY_FREE_BYTES;
}

/** A run's folder is a data folder, or holds some. */
async function sweepKilledRuns(): Promise<void> {
  for (const folder of [MEMORY, realpathSync(tmpdir())].map(runsFolderIn)) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder)) {
      const identity = name.slice(0, name.lastIndexOf('.'));
      if (processIdentity(Number.parseInt(identity, 10)) === identity) continue;
      await sweep(path.join(folder, name));
    }
  }
}

async function sweep(folder: string): Promise<void> {
  try {
    const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of inside) await killServer(path.join(folder, name));
    await removeWithServer(folder);
  } catch (error) {
    if (existsSync(folder)) throw error;
  }
}

async function untilGone(pid: number): Promise<void> {
  const deadline = performance.now() + GONE_TIMEOUT_MS;
  while (processIdentity(pid) !== null) {
    if (performance.now() > deadline)
      throw new Error(`The leftover PostgreSQL ${pid} does not go away: kill it by hand.`);
    await sleep(20);
  }
}
