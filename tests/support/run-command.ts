import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import type { TestDatabase } from './database.ts';

export type CommandResult = { code: number; stdout: string; stderr: string };

/** Settings with which a command finds the database of a test. */
export const settingsOf = ({ owner: { host, port, user, password, dbName } }: TestDatabase) => ({
  DATABASE_URL: `postgresql://${user}:${password}@/${dbName}?host=${encodeURIComponent(host)}&port=${port}`,
});

/**
 * Runs a command for operators on a thread of its own, with modules of its own: its `process.exit` ends that thread. A process
 * would compile everything again, which takes twice the processor time.
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const command = new Worker(path.join(import.meta.dirname, `../../server/cli/${file}.ts`), {
    argv: [...args],
    env: { ...process.env, ...settings },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const ended = new Promise<number>((resolve, reject) => command.on('exit', resolve).on('error', reject));
  const [code, stdout, stderr] = await Promise.all([ended, text(command.stdout), text(command.stderr)]);
  return { code, stdout, stderr };
}
