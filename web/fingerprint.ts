import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const WEB = fileURLToPath(new URL('.', import.meta.url));

/** Where the built console lies. */
export const DIST = path.join(WEB, 'dist');
/** Names the sources a build was made of. It is written last: a build that was cut short has none. */
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

/** Whether the console can be built here: a release has it as built, and none of its sources. */
export const hasSources = (): boolean => existsSync(path.join(WEB, 'build.ts'));

/** Names the console's sources and the versions of its libraries: equal names, equal builds. */
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

/** The fingerprint of what is built now, or null. */
export function builtFingerprint(): string | null {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return null;
  }
}
