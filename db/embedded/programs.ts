/** Runs `initdb`, `postgres` and `pg_ctl` as the server's user, with none of our secrets in their environment. */

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ServerUser } from './server-user.ts';

/** The folder of the programs and the user that runs them; null is the user of this process. */
export type Installation = {
  native: string;
  user: ServerUser | null;
};

/** The variables that the programs need from our environment; the last four are for Windows. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE'];

const run = promisify(execFile);

/** The path of one of the three programs. */
export function programPath({ native }: Installation, program: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return path.join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
}

/** Options for `spawn` and `execFile`: user, working folder and a small environment. */
export function programOptions({ native, user }: Installation, cwd: string) {
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', LD_LIBRARY_PATH: path.join(native, 'lib') };
  for (const name of PASSED_ON) if (process.env[name] !== undefined) env[name] = process.env[name];
  return { cwd, env, ...(user ? { uid: user.uid, gid: user.gid } : {}) };
}

/**
 * Runs a program to its end.
 *
 * @throws Error with the last output of the program
 */
export async function runProgram(
  installation: Installation,
  program: 'initdb' | 'pg_ctl',
  args: string[],
  cwd: string,
): Promise<void> {
  try {
    await run(programPath(installation, program), args, programOptions(installation, cwd));
  } catch (error) {
    throw new Error(`${program} failed: ${reasonOf(error)}`, { cause: error });
  }
}

/** The reason why a program failed, in one line: its stderr, or that it could not even be started. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') {
    return 'the PostgreSQL programs do not run on this system (they need glibc 2.27 or newer, which Alpine lacks): set DATABASE_URL to a PostgreSQL of your own.';
  }
  const output = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return output.split('\n').join(' ') || error.message;
}
