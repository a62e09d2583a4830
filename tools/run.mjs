// Runs a tool that only developers need: `node tools/run.mjs biome ci .`, or a file of this folder. Installs all tools before
// the first run: they are larger than the packages for a start or a test.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const HERE = import.meta.dirname;
const LOCK = path.join(HERE, 'package-lock.json');
/** The lock file of the last installation: a different one is installed again. */
const INSTALLED = path.join(HERE, 'node_modules/.installed-lock.json');
// On Windows npm's programs are shell scripts.
const shell = process.platform === 'win32';

const run = (command, args, cwd) => spawnSync(command, args, { cwd, stdio: 'inherit', shell }).status ?? 1;

if (!existsSync(INSTALLED) || !readFileSync(INSTALLED).equals(readFileSync(LOCK))) {
  const status = run('npm', ['ci', '--no-audit', '--no-fund'], HERE);
  if (status !== 0) process.exit(status);
  copyFileSync(LOCK, INSTALLED);
}
const [name = '', ...args] = process.argv.slice(2);
process.exitCode = name.endsWith('.mjs')
  ? run(process.execPath, [path.join(HERE, name), ...args], process.cwd())
  : run(path.join(HERE, 'node_modules/.bin', name), args, process.cwd());
