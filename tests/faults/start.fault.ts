import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { EmbeddedFolders } from '../support/embedded.ts';
import { printFigure } from '../support/fault-figures.ts';

const ROOT = path.join(import.meta.dirname, '../..');
/** How many starts are asked to stop before they serve. */
const STARTS = Number(process.env['FAULT_STARTS'] ?? 10);

let playground: EmbeddedFolders;
const children: ChildProcess[] = [];
beforeEach(() => {
  playground = new EmbeddedFolders();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await playground[Symbol.asyncDispose]();
});

function start(dataDir: string): {
  child: ChildProcess;
  said: () => string;
  ended: Promise<number | string>;
} {
  const child = spawn(process.execPath, ['server/start.mjs'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'test', PORT: '0', CONSOLE_BUILD: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  return { child, said: () => said, ended };
}

describe(`${STARTS} starts that are asked to stop before they serve`, () => {
  test('end in order at any moment, and leave no database running', async () => {
    const dir = playground.dir();
    const ends: (string | number)[] = [];
    for (let round = 0; round < STARTS; round++) {
      const { child, said, ended } = start(dir);
      // From the first moment at which the process handles the signal until after it serves.
      while (!said().includes('{') && child.exitCode === null && round % 3 !== 0) await sleep(5);
      await sleep(round % 3 === 0 ? 600 + 150 * round : 80 * round);
      child.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
      ends.push(await ended);
      expect({ round, running: findPostmaster(path.join(dir, 'data')), said: said() }).toMatchObject({
        running: null,
      });
    }
    printFigure('exit codes of starts asked to stop', ends.join(' '));
    // Before its first line of code a process ends by the signal; nothing is started by then.
    expect(ends.filter((end) => end !== 0 && end !== 'SIGTERM' && end !== 'SIGINT')).toEqual([]);
  });
});
