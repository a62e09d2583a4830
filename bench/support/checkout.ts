/** A clone of the last commit in an empty folder, with its packages installed. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultDataDir } from '../../db/embedded.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

export type Checkout = {
  project: string;
  /** Where its service keeps the database. */
  dataDir: string;
  /** Restores the state of a first start: no database, nothing compiled. */
  reset(): void;
  remove(): void;
};

/** Clones the last commit and copies the installed packages, without the compile cache of Node.js. */
export function makeCheckout(): Checkout {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'start-bench-')));
  chmodSync(folder, 0o755);
  const project = path.join(folder, 'project');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${PROJECT}`, project]);
  execFileSync('cp', ['-a', path.join(PROJECT, 'node_modules'), path.join(project, 'node_modules')]);
  const dataDir = defaultDataDir(project);
  const reset = () => {
    for (const made of [dataDir, path.join(project, 'node_modules/.cache')])
      rmSync(made, { recursive: true, force: true });
  };
  const remove = () => {
    reset();
    rmSync(folder, { recursive: true, force: true });
  };
  return { project, dataDir, reset, remove };
}
