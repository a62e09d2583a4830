/** The server's main process: found by its pid file, started, awaited, stopped. */

import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptsSessions } from './accepts-sessions.ts';
import { commandLine, commandLines, processExists } from './processes.ts';
import { type Installation, programOptions, programPath, reasonOf, runProgram } from './programs.ts';
import type { ServerUser } from './server-user.ts';

/** A running server, as its `postmaster.pid` describes it. */
export type Postmaster = {
  pid: number;
  isReady: boolean;
  /** The socket's folder, or the address of this machine. */
  host: string;
  port: number;
};

/** How hard to stop: `fast` ends the sessions and writes a checkpoint, `immediate` leaves recovery to the next start. */
export type StopMode = 'fast' | 'immediate';

/** The result of one attempt to start: a server, or the reason for the refusal from the log. */
type Attempt = { postmaster: Postmaster } | { refusal: string };

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_S = 60;
const POLL_MS = 10;
const RETRY_MS = 200;
const LOG_MAX_BYTES = 5_000_000;
/** Temporary refusals: another launcher was faster, or processes of a killed server are still ending. */
const PASSING = /lock file|shared memory block/;
/** A pid file this old is complete. */
const WRITTEN_AFTER_MS = 5_000;

/** The server running on this database folder; null when the pid file is missing or was left by a dead one. */
export function findPostmaster(data: string): Postmaster | null {
  const lines = readPidFile(data);
  const pid = pidOf(lines);
  if (pid === null || !isPostmasterOf(pid, data)) return null;
  const [, , , port, socketFolder, address, , state] = lines;
  return { pid, isReady: state?.trim() === 'ready', host: socketFolder || address || '', port: Number(port) };
}

/**
 * Finds the server of `<dir>/data`, or starts it, and waits until it accepts connections. Of several launchers at once
 * one starts it and the others adopt it.
 *
 * @param launchArguments the arguments of `postgres`, computed again for every attempt
 * @param timeoutMs a restored backup may need longer than the usual two minutes
 * @throws Error when the server refuses to start, or is not ready in time
 */
export async function ensurePostmaster(
  installation: Installation,
  dir: string,
  launchArguments: () => Promise<string[]>,
  timeoutMs = START_TIMEOUT_MS,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const data = path.join(dir, 'data');
  const log = path.join(dir, 'postgres.log');
  const deadline = performance.now() + timeoutMs;
  let refusal = 'it was not ready in time';
  while (performance.now() < deadline) {
    const found = findPostmaster(data);
    if (found?.isReady && (await acceptsSessions(dir, found.host, found.port))) {
      return { postmaster: found, adopted: true };
    }
    if (found) {
      await sleep(POLL_MS); // it is starting, stopping, or was killed this very moment
      continue;
    }
    removeDamagedPidFile(data);
    const attempt = await launch(installation, data, log, await launchArguments(), deadline);
    if ('postmaster' in attempt) return { postmaster: attempt.postmaster, adopted: false };
    refusal = attempt.refusal;
    if (!PASSING.test(refusal)) break;
    await sleep(RETRY_MS);
  }
  throw new Error(`PostgreSQL did not start in ${dir}: ${refusal} (its log is ${log})`);
}

/** Stops the server of `<dir>/data` and waits until it is gone. */
export async function stopPostmaster(installation: Installation, dir: string, mode: StopMode): Promise<void> {
  const data = path.join(dir, 'data');
  try {
    await runProgram(
      installation,
      'pg_ctl',
      ['stop', '-D', data, '-m', mode, '-w', '-t', `${STOP_TIMEOUT_S}`],
      dir,
    );
  } catch (error) {
    if (findPostmaster(data)) throw error; // else it was gone already
  }
}

async function launch(
  installation: Installation,
  data: string,
  log: string,
  args: string[],
  deadline: number,
): Promise<Attempt> {
  const output = openLog(log, installation.user);
  const logStart = fstatSync(output).size;
  const options = programOptions(installation, path.dirname(data));
  const child = spawn(programPath(installation, 'postgres'), ['-D', data, ...args], {
    ...options,
    env: { ...options.env, ...ignoreStalePid(data) },
    detached: true, // Ctrl-C must not reach the server before our own drain
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = reasonOf(error);
  });
  const onEarlyExit = () => {
    failure ??= lastFatal(log, logStart);
  };
  child.once('exit', onEarlyExit);
  while (performance.now() < deadline) {
    const found = findPostmaster(data);
    if (found?.isReady && found.pid === child.pid) {
      child.off('exit', onEarlyExit); // from here on its end is no failed start, and its log may be gone by then
      return { postmaster: found };
    }
    if (failure !== null) return { refusal: failure };
    await sleep(POLL_MS);
  }
  return { refusal: 'it was not ready in time' };
}

/**
 * PostgreSQL refuses to start if any living process has the pid in a leftover pid file. In a container this lasts forever:
 * pids repeat there and zombies are never reaped. This code knows better when the process is no server of this folder. The
 * variable is PostgreSQL's own means of naming a pid that does not count. Its check for processes that still use the old
 * shared memory stays in force.
 */
function ignoreStalePid(data: string): NodeJS.ProcessEnv {
  const pid = pidOf(readPidFile(data));
  return pid !== null && process.platform !== 'win32' && !isPostmasterOf(pid, data)
    ? { PG_GRANDPARENT_PID: String(pid) }
    : {};
}

function isPostmasterOf(pid: number, data: string): boolean {
  if (process.platform === 'win32') return processExists(pid);
  return serves(commandLine(pid) ?? '', data);
}

const serves = (line: string, data: string): boolean => `${line} `.includes(`postgres -D ${data} `);

/** @throws Error if it exists and cannot be read, which proves nothing about the server */
function readPidFile(data: string): string[] {
  try {
    return readFileSync(pidFileOf(data), 'utf8').split('\n');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

const pidFileOf = (data: string): string => path.join(data, 'postmaster.pid');

const pidOf = ([first = '']: readonly string[]): number | null =>
  /^[1-9]\d*$/.test(first.trim()) ? Number(first) : null;

/**
 * Removes a pid file that is empty or full of zeros, if no process serves this folder. A crash of the machine may leave one,
 * and PostgreSQL then never starts again. PostgreSQL's check for its old shared memory stays in force.
 *
 * @throws Error if this system cannot answer that
 */
function removeDamagedPidFile(data: string): void {
  const file = pidFileOf(data);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat || pidOf(readPidFile(data)) !== null || Math.abs(Date.now() - stat.mtimeMs) < WRITTEN_AFTER_MS)
    return;
  const lines = commandLines();
  if (lines === null) {
    throw new Error(
      `${file} is damaged: if no PostgreSQL runs on this folder, remove that file and start again.`,
    );
  }
  if (!lines.some((line) => serves(line, data))) rmSync(file, { force: true });
}

/**
 * Opens the log to append, never through a link, which the server's user might have planted for root to follow. It
 * belongs to the server's user, who may start the service without root the next time.
 */
function openLog(log: string, user: ServerUser | null): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_MAX_BYTES) renameSync(log, `${log}.1`);
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const file = openSync(log, O_WRONLY | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0), 0o600);
  if (user) fchownSync(file, user.uid, user.gid);
  return file;
}

/**
 * The reason for the exit: the last `FATAL` or `PANIC` of this attempt and its detail. Without one, the last lines, without
 * time stamps.
 */
function lastFatal(log: string, start: number): string {
  const lines = readFileSync(log).subarray(start).toString('utf8').trim().split('\n');
  const fatal = lines.findLastIndex((line) => /FATAL:|PANIC:/.test(line));
  const lastLines =
    fatal < 0 ? lines.slice(-1) : lines.slice(fatal).filter((line) => /FATAL:|PANIC:|DETAIL:/.test(line));
  return (
    lastLines.map((line) => line.replace(/^.*(FATAL|PANIC|DETAIL):\s*/, '').replace(/\.$/, '')).join(': ') ||
    'it exited without a word'
  );
}
