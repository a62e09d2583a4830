/** A clock that a test sets, for whole processes: libfaketime, where the machine has it. */

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { locateBinaries } from '../../db/embedded/binaries.ts';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { programOptions, programPath } from '../../db/embedded/programs.ts';
import { serverUserFor } from '../../db/embedded/server-user.ts';
import { settingArguments } from '../../db/embedded/settings.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';

const LIBRARIES = '/usr/lib';

/** The library, or null if it is not installed (Debian: `apt-get install libfaketime`). */
export function findFakeTime(): string | null {
  const folders = existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [];
  const files = folders.map((folder) => path.join(LIBRARIES, folder, 'faketime/libfaketimeMT.so.1'));
  return files.find((file) => existsSync(file)) ?? null;
}

/** Processes started in `environment` are ahead by the seconds the clock was last set to. Intervals stay true. */
export class FakeClock {
  readonly environment: NodeJS.ProcessEnv;
  readonly #file: string;

  constructor(library: string, file: string) {
    this.#file = file;
    this.set(0);
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  set(aheadSec: number): void {
    const draft = `${this.#file}.draft`;
    writeFileSync(draft, `${aheadSec < 0 ? '' : '+'}${aheadSec}`);
    chmodSync(draft, 0o644);
    renameSync(draft, this.#file);
  }
}

/** Starts a built-in database under this clock; the next process that opens the folder adopts the server. */
export async function startUnderClock(dir: string, clock: FakeClock): Promise<void> {
  await (await startEmbeddedPostgres({ dir })).stop();
  const data = path.join(dir, 'data');
  const user = serverUserFor(dir);
  const installation = { native: locateBinaries(user, () => {}), user };
  const options = programOptions(installation, dir);
  const args = settingArguments(true, { socketFolder: path.join(dir, 'socket') }, {});
  const child = spawn(programPath(installation, 'postgres'), ['-D', data, ...args], {
    ...options,
    env: { ...options.env, ...clock.environment },
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  while (findPostmaster(data) === null) {
    if (child.exitCode !== null) throw new Error('PostgreSQL does not start under another clock.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
