// What runs, and nothing it is made of: `npm run release` builds the console and packs `dist/trading-strategy-service-<version>.tar.gz`,
// whose start builds nothing. `-- --folder <path>` copies it there instead, as the image takes it.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.join(import.meta.dirname, '..');

/** Files and folders of a release. The guides are what /docs/guides and /mcp give to read. */
export const PARTS = [
  '.env.example',
  '.npmrc',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'client/README.md',
  'db',
  'engine',
  'openapi',
  'ops',
  'package-lock.json',
  'package.json',
  'routers',
  'server',
  'tools/prune.mjs',
  'venues',
  'web/dist',
  'web/fingerprint.ts',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

function copyTo(folder) {
  for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true });
}

function pack() {
  const { name, version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const dist = path.join(ROOT, 'dist');
  const folder = `${name}-${version}`;
  rmSync(path.join(dist, folder), { recursive: true, force: true });
  copyTo(path.join(dist, folder));
  execFileSync('tar', ['-czf', `${folder}.tar.gz`, folder], { cwd: dist });
  rmSync(path.join(dist, folder), { recursive: true });
  process.stdout.write(`${path.join(dist, `${folder}.tar.gz`)}\n`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { folder: { type: 'string' } } });
  execFileSync(process.execPath, ['web/build.ts'], { cwd: ROOT, stdio: 'inherit' });
  if (values.folder === undefined) pack();
  else if (existsSync(values.folder) && readdirSync(values.folder).length > 0)
    throw new Error(`${values.folder} has something in it: give an empty folder.`);
  else {
    mkdirSync(values.folder, { recursive: true });
    copyTo(values.folder);
  }
}
