/** Makes the package: `npm run build:client` compiles and packs it into `client/dist`; `--check` only holds it to the code. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = fileURLToPath(new URL('./dist', import.meta.url));

const run = (program: string, args: readonly string[]): void => {
  execFileSync(program, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
};

/** Compiles the package, and answers where. */
export function compileClient(): string {
  rmSync(DIST, { recursive: true, force: true });
  run('npx', ['tsc', '-p', 'client']);
  return DIST;
}

/** Packs what was compiled into this folder. */
export function packClient(folder: string): void {
  mkdirSync(folder, { recursive: true });
  run('npm', ['pack', './client', '--silent', '--ignore-scripts', '--pack-destination', folder]);
}

if (import.meta.main) {
  run('node', ['openapi/write.ts', '--check']);
  if (process.argv.includes('--check')) {
    run('npx', ['tsc', '-p', 'client', '--noEmit']);
    // A project that uses it, which a breaking change of a procedure breaks.
    run('npx', ['tsc', '-p', 'tests/clients/project/of-sources.json']);
  } else packClient(compileClient());
}
