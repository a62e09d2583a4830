/** The folders of the server: reachable for its user, private where they must be, cleaned up. */

import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processExists } from './processes.ts';
import { firstClosedFolder, type ServerUser } from './server-user.ts';

/** A folder every user may pass through and none but its owner may list. */
const PASSABLE = 0o711;
const PRIVATE = 0o700;
/** `sun_path` holds 108 bytes on Linux and 104 on macOS with the closing NUL; the margin keeps both far away. */
const SOCKET_PATH_MAX_BYTES = 100;
/** The name PostgreSQL gives its socket on the default port. */
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * Makes the data folder and its missing parents, and returns its real path. New folders are opened to the server's
 * user whatever the umask; an existing one that shuts it out is refused, never changed.
 *
 * @throws Error when the folder cannot be made, entered or owned by the server's user
 */
export function prepareDataFolder(dir: string, user: ServerUser | null): string {
  const wanted = path.resolve(dir);
  if (user) refuseClosedFolder(wanted, user);
  makeFolders(wanted, user ? PASSABLE : PRIVATE);
  const real = realpathSync(wanted);
  refuseForeignFolder(real);
  return real;
}

/**
 * Makes a private folder for the server's unix socket, in the data folder. If the socket's path would be too long for the
 * kernel, it is in the temp directory. Its name is then made from the data folder's path.
 */
export function prepareSocketFolder(dir: string, user: ServerUser | null): string {
  const beside = path.join(dir, 'socket');
  if (fits(beside) && claimPrivateFolder(beside, user)) return beside;
  const temp = [tmpdir(), '/tmp'].find(
    (base) => fits(path.join(base, 'pg-0123456789ab')) && isOpenTo(base, user),
  );
  if (temp === undefined) {
    throw new Error(
      `The path of the socket for ${dir} is too long, and no temp folder is short and open: set TMPDIR to one.`,
    );
  }
  const stable = path.join(temp, `pg-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`);
  if (claimPrivateFolder(stable, user)) return stable;
  const random = mkdtempSync(path.join(temp, 'pg-'));
  if (user) lchownSync(random, user.uid, user.gid);
  return random;
}

/** Removes what a killed process left behind: entries of `folder` named `<prefix>.<pid>…` whose process is gone. */
export function removeLeftovers(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${prefix}.`)) continue;
    const pid = Number.parseInt(name.slice(prefix.length + 1), 10);
    if (pid > 0 && !processExists(pid)) removeTree(path.join(folder, name));
  }
}

/** Removes a folder in which an orphaned program may still write for a moment. */
export function removeTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/**
 * Makes a folder that belongs to the server's user alone. False if another user made it first. In a temp directory any
 * user may take a predictable name, and could replace a socket in their own folder.
 */
export function claimPrivateFolder(folder: string, user: ServerUser | null): boolean {
  try {
    mkdirSync(folder, { mode: PRIVATE });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const stats = lstatSync(folder);
  const ourUid = process.getuid?.();
  if (!stats.isDirectory()) return false;
  if (ourUid === undefined) return true;
  if (stats.uid !== ourUid && stats.uid !== user?.uid) return false;
  if ((stats.mode & 0o777) !== PRIVATE) return false;
  if (user && stats.uid !== user.uid) lchownSync(folder, user.uid, user.gid);
  return true;
}

function makeFolders(wanted: string, mode: number): void {
  try {
    const first = mkdirSync(wanted, { recursive: true, mode });
    if (first === undefined) return;
    for (let made = wanted; made.length >= first.length; made = path.dirname(made)) chmodSync(made, mode);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Cannot make the data folder ${wanted} (${reason}): set DATA_DIR to a folder that can be written.`,
      {
        cause: error,
      },
    );
  }
}

function refuseClosedFolder(dir: string, user: ServerUser): void {
  const closed = firstClosedFolder(nearestExisting(dir), user);
  if (closed === null) return;
  throw new Error(
    `PostgreSQL cannot use the data folder ${dir}: it runs as ${user.name}, because the service runs as root, and ` +
      `${user.name} may not enter ${closed}; set DATA_DIR to a folder outside it, such as /var/lib/trading-strategy-service.`,
  );
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(path.dirname(folder));
}

function refuseForeignFolder(dir: string): void {
  const uid = process.getuid?.();
  if (!uid) return; // root runs the server as the owner, and Windows has no user ids
  const owner = databaseOwner(dir) ?? uid;
  if (owner !== uid) {
    throw new Error(
      `The database in ${dir} belongs to user ${owner}, but the service runs as user ${uid}: ` +
        'start it as it was started before, or set DATA_DIR to another folder.',
    );
  }
  if (!isWritable(dir)) {
    throw new Error(`User ${uid} may not write in the data folder ${dir}: set DATA_DIR to another folder.`);
  }
}

/** Undefined if there is no database yet, or it cannot be seen. */
function databaseOwner(dir: string): number | undefined {
  try {
    return statSync(path.join(dir, 'data')).uid;
  } catch {
    return undefined;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isOpenTo(folder: string, user: ServerUser | null): boolean {
  return (
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
    (!user || firstClosedFolder(folder, user) === null)
  );
}

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, SOCKET_NAME)) <= SOCKET_PATH_MAX_BYTES;
}
