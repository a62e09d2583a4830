// Copies the API playground from its package into the console's public files: `npm run playground`. With `--check`, fails if
// they differ. The package itself is not installed: browsers load its built files alone, which need none of its dependencies.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const PACKAGE = '@scalar/api-reference@1.72.1';
const TARGET = path.join(import.meta.dirname, '../web/public/docs/assets');

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const folder = mkdtempSync(path.join(tmpdir(), 'playground-'));
try {
  // On Windows npm is a shell script.
  const shell = process.platform === 'win32';
  const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8', shell });
  run('tar', '-xzf', run('npm', 'pack', '--silent', PACKAGE).trim());
  const built = path.join(folder, 'package/dist/browser');
  const isServed = (file) => !file.endsWith('.map') && path.basename(file) !== 'standalone.js';
  const served = path.join(folder, 'served');
  cpSync(built, served, { recursive: true, filter: isServed });
  // It names the version, the authors and their licence.
  cpSync(path.join(folder, 'package/package.json'), path.join(served, 'package.json'));
  if (values.check) run('git', 'diff', '--no-index', '--stat', TARGET, served);
  else {
    rmSync(TARGET, { recursive: true, force: true });
    cpSync(served, TARGET, { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true });
}
