/** A server in its own process: the service as a user starts it, or another HTTP program. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 5;
const START_TIMEOUT_MS = 60_000;
/** Variables that every shell has; none of the service's, so that the defaults are measured. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG'];

export type Service = {
  pid: number;
  origin: string;
  /** Seconds from process start to the first `GET /health` answered with 200. */
  startSec: number;
  /** Stops it gracefully, waits, and returns the seconds it took. */
  stop(): Promise<number>;
};

type Settings = Record<string, string>;

/** Starts the service of a project as `npm start` does, on a free port, and waits until it serves. */
export const startService = (project: string, settings: Settings = {}): Promise<Service> =>
  startServer(project, 'server/start.mjs', settings);

/**
 * Runs a program of the project that listens on `PORT`, and waits until its `/health` answers.
 *
 * @throws Error with the program's output if it exits, or does not serve within a minute
 */
export async function startServer(project: string, program: string, settings: Settings): Promise<Service> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env: NodeJS.ProcessEnv = { ...settings, PORT: String(port) };
  for (const name of PASSED_ON) if (process.env[name] !== undefined) env[name] = process.env[name];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const readOutput = collectOutput(child);
  while (!(await isServing(origin))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${readOutput()}`);
    if (performance.now() - startedAt > START_TIMEOUT_MS) {
      child.kill();
      throw new Error(`${program} did not serve within a minute:\n${readOutput()}`);
    }
    await sleep(POLL_MS);
  }
  const startSec = (performance.now() - startedAt) / 1_000;
  return { pid: child.pid ?? 0, origin, startSec, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<number> {
  const askedAt = performance.now();
  if (child.exitCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  return (performance.now() - askedAt) / 1_000;
}

async function isServing(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/health`);
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Reads to the end, because a full pipe would stop the program; keeps the last part. */
function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-5_000);
    });
  }
  return () => output;
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer().once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}
