/** Helpers for tests of the built-in database: folders, killable processes, and how to kill. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded.ts';
import { makeRunFolder, removeWithServer } from './test-server.ts';

const CHILD = fileURLToPath(new URL('./embedded-child.ts', import.meta.url));

/** A folder for databases, swept by the next run if this one is killed. */
export class EmbeddedFolders implements AsyncDisposable {
  readonly root: string;
  readonly #dirs: string[] = [];

  constructor() {
    this.root = makeRunFolder();
  }

  /** A data folder that does not exist yet. */
  dir(name = 'db'): string {
    const dir = path.join(this.root, name);
    this.#dirs.push(dir);
    return dir;
  }

  /** A data folder with a database at rest: a copy of `original`, which costs less than a new one. */
  copyOf(original: string, name = 'db'): string {
    const dir = this.dir(name);
    mkdirSync(dir);
    execFileSync('cp', ['-a', path.join(original, 'data'), dir]);
    return dir;
  }

  /** A data folder to copy. */
  async original(): Promise<string> {
    const dir = this.dir('original');
    await (await startEmbeddedPostgres({ dir, durable: false })).stop();
    return dir;
  }

  /** Kills the servers that still run and deletes everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const dir of this.#dirs) await removeWithServer(dir);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A launcher in a process of its own. */
export type Launcher = {
  process: ChildProcess;
  /** Settles when its server is ready. */
  ready: Promise<{ adopted: boolean }>;
  /** The numbers that it acknowledged as stored, so far. */
  acknowledged: number[];
  /** Asks it to stop in order and waits. */
  stop(): Promise<void>;
};

export function launch(dir: string, ...task: 'write'[]): Launcher {
  const child = spawn(process.execPath, [CHILD, dir, ...task], { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: number[] = [];
  const ready = Promise.withResolvers<{ adopted: boolean }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) ready.resolve(JSON.parse(line));
    else acknowledged.push(Number(line));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { process: child, ready: ready.promise, acknowledged, stop };
}

/** The id of the server's main process, which must be running. */
export function serverPid(dir: string): number {
  const postmaster = findPostmaster(path.join(dir, 'data'));
  if (!postmaster) throw new Error(`No server runs in ${dir}`);
  return postmaster.pid;
}

/** Runs one statement on the server and returns its rows. */
export async function query<Row extends pg.QueryResultRow>(
  server: EmbeddedPostgres,
  statement: string,
): Promise<Row[]> {
  const { host, port, user, password } = server;
  const client = new pg.Client({ host, port, user, password, database: 'postgres' });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** kill -9 of the launcher and, at the same moment, of every process of the server. */
export async function killEverything(
  launcher: Launcher,
  dir: string,
  server: EmbeddedPostgres,
): Promise<void> {
  const sessions = await query<{ pid: number }>(
    server,
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  const exited = once(launcher.process, 'exit');
  launcher.process.kill('SIGKILL');
  for (const pid of [serverPid(dir), ...sessions.map((session) => session.pid)]) kill(pid);
  await exited;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It exited on its own when the others were killed.
  }
}
