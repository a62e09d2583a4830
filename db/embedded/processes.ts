/** Reads the operating system's facts about a process. Signal 0 is not enough: a zombie and a reused id answer it too. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The number of the process state among the fields of `/proc/<pid>/stat` that follow the program's name (proc(5)). */
const STATE_FIELD = 0;
/** The number of the start time, in clock ticks since boot, among the same fields (proc(5)). */
const START_FIELD = 19;

/** True where a process, a zombie included, has this id. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * The command line of a living process, its arguments joined by spaces; null for a zombie, for none, and on Windows.
 *
 * @throws Error when this process has no file descriptor left
 */
export function commandLine(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null;
    }
    if (process.platform === 'win32') return null;
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
    return null;
  }
}

/** Without a file descriptor, nothing is known about any process. */
const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');

/** The command lines of all living processes; null if the system does not provide them. */
export function commandLines(): string[] | null {
  if (process.platform !== 'linux') return null;
  return readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (commandLine(Number(name)) ?? []) : [],
  );
}

/**
 * A name that no later process of this boot shares: the id, and on Linux also its start time. Ids are reused, in a
 * container almost at once. Null for a process that is gone or a zombie.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform !== 'linux') return processExists(pid) ? `${pid}` : null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[STATE_FIELD] === 'Z' ? null : `${pid}-${fields[START_FIELD]}`;
  } catch {
    return null;
  }
}
