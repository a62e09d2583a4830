import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const WEB = fileURLToPath(new URL('.', import.meta.url));

/** The folder of the built console. */
export const DIST = path.join(WEB, 'dist');
/** The file that names the sources of a build. It is written last: an interrupted build has none. */
export const STAMP = path.join(DIST, '.fingerprint');

const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'build.ts',
  '../client/src',
  '../package-lock.json',
];

/** Whether the console can be built here: a release has it as built, without its sources. */
export const hasSources = (): boolean => existsSync(path.join(WEB, 'build.ts'));

/** Hashes the console's sources and the versions of its libraries: equal hashes, equal builds. */
export function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesUnder).sort()) {
    hash.update(`${file}\0`).update(readFileSync(path.join(WEB, file)));
  }
  return hash.digest('hex');
}

function filesUnder(source: string): string[] {
  if (path.extname(source) !== '') return [source];
  return readdirSync(path.join(WEB, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(WEB, path.join(entry.parentPath, entry.name)));
}

/** The fingerprint of the present build, or null. */
export function builtFingerprint(): string | null {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return null;
  }
}
