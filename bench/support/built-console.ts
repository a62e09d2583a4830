/** Builds the console if its sources are newer than the build. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { builtFingerprint, fingerprint } from '../../web/fingerprint.ts';

const PROJECT = path.join(import.meta.dirname, '../..');

/** @throws Error when it does not build */
export async function buildWhereStale(): Promise<void> {
  if (builtFingerprint() === fingerprint()) return;
  const build = spawn(process.execPath, ['web/build.ts'], { cwd: PROJECT, stdio: 'inherit' });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error(`The console does not build: code ${code}.`);
}
