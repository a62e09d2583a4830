// Packs a release without its build tools: `npm run release` builds the console and packs
// `dist/trading-strategy-service-<version>.tar.gz`. That archive starts without a build. `-- --folder <path>` copies it there
// instead, as the image needs it.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.join(import.meta.dirname, '..');

/** Files and folders of a release. /docs/guides and /mcp serve the guides. */
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
  'simulator',
  'venues',
  'web/dist',
  'web/fingerprint.ts',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const isOfDevelopment = ({ properties }) =>
  properties.some(({ name }) => name === 'cdx:npm:package:development');

/**
 * Lists the packages a release runs on, as CycloneDX. Reads the lock file alone, so that every checkout gives the same result.
 * npm's own `--omit=dev` also drops runtime packages with a development-only peer.
 */
export function billOfMaterials() {
  const all = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  const bill = JSON.parse(all);
  const left = new Set(bill.components.filter(isOfDevelopment).map((component) => component['bom-ref']));
  const components = bill.components.filter((component) => !left.has(component['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => !left.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => !left.has(name)) }));
  return JSON.stringify({ ...bill, components, dependencies }, null, 2);
}

function copyTo(folder) {
  for (const part of PARTS)
    cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true, dereference: true });
  writeFileSync(path.join(folder, 'sbom.cdx.json'), billOfMaterials());
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
