/** Makes the package: `npm run build:client` compiles and packs it into `client/dist`; `--check` only holds it to the code. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
  declareCommonJs();
  return DIST;
}

/** Declares the same for CommonJS, which loads the modules by `require` from Node.js 20.19 on. */
function declareCommonJs(): void {
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = path.join(DIST, name);
    const text = readFileSync(file, 'utf8').replaceAll(
      /(?<=['"]\.{1,2}\/[\w./-]{1,200})\.js(?=['"])/g,
      '.cjs',
    );
    writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), text);
  }
}

/** Packs what was compiled into this folder. */
export function packClient(folder: string): void {
  mkdirSync(folder, { recursive: true });
  copyFileSync(new URL('../LICENSE', import.meta.url), new URL('./LICENSE', import.meta.url));
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
