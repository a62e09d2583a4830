import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestDatabase } from './database.ts';

export type CommandResult = { code: number; stdout: string; stderr: string };

/** Settings with which a command finds the database of a test. */
export const settingsOf = ({ owner: { host, port, user, password, dbName } }: TestDatabase) => ({
  DATABASE_URL: `postgresql://${user}:${password}@/${dbName}?host=${encodeURIComponent(host)}&port=${port}`,
});

/** Runs a command for operators as a process of its own. */
export const runCommand = (
  file: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> =>
  promisify(execFile)(process.execPath, [`server/cli/${file}.ts`, ...args], {
    env: { ...process.env, ...settings },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: CommandResult) => ({ code, stdout, stderr }),
  );
