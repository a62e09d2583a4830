/** Creates the database folder: complete or not at all, also when the first start is killed or raced. */

import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lchownSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { claimPrivateFolder, removeLeftovers, removeTree } from './folders.ts';
import { type Installation, runProgram } from './programs.ts';

/** The superuser of the built-in database. */
export const SUPERUSER = 'postgres';
/** Stored inside the database folder, so that folder and password appear in one rename. */
const PASSWORD_FILE = 'service-password';
/** The role of the service, which owns nothing. */
const APPLICATION_ROLE = 'trading_app';
const APPLICATION_PASSWORD_FILE = 'application-password';

/**
 * Makes `<dir>/data` unless it exists. `initdb` works in `data.<pid>`, which is renamed when complete. A killed start
 * leaves a draft that the next one removes. Of two launchers at once the slower takes over the faster one's folder.
 *
 * @returns whether this call made the database
 * @throws Error when `<dir>/data` holds something else, or `initdb` fails
 */
export async function ensureCluster(
  installation: Installation,
  dir: string,
  durable: boolean,
): Promise<boolean> {
  const isNew = !isCluster(path.join(dir, 'data')) && (await createCluster(installation, dir, durable));
  removeLeftovers(dir, 'data'); // last, because the `initdb` of a killed start works on for a moment
  return isNew;
}

/** False when another launcher was faster. */
async function createCluster(installation: Installation, dir: string, durable: boolean): Promise<boolean> {
  const data = path.join(dir, 'data');
  refuseForeignFolder(data);
  const draft = path.join(dir, `data.${process.pid}.${randomBytes(4).toString('hex')}`);
  const password = writePassword(`${draft}.password`, installation);
  try {
    claimPrivateFolder(draft, installation.user);
    await runProgram(installation, 'initdb', initdbArguments(draft, password, durable), dir);
    renameSync(password, path.join(draft, PASSWORD_FILE));
    return moveIntoPlace(draft, data);
  } finally {
    rmSync(password, { force: true });
    removeTree(draft);
  }
}

/** The superuser's password; a second lock beside the private socket folder. */
export function readPassword(dir: string): string {
  const file = path.join(dir, 'data', PASSWORD_FILE);
  const password = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (password !== '') return password;
  throw new Error(
    `${file} is missing or empty: the database cannot be opened without it, restore it from a backup.`,
  );
}

/**
 * The login of the application's role, which is created when the database is prepared. Its password is made with the folder,
 * or at the next start for a folder older than it.
 */
export function applicationLogin(
  dir: string,
  installation: Installation,
): { user: string; password: string } {
  const file = path.join(dir, 'data', APPLICATION_PASSWORD_FILE);
  if (existsSync(file) && readFileSync(file, 'utf8') === '') rmSync(file); // the machine crashed; write another
  if (!existsSync(file)) {
    const draft = writePassword(`${file}.${process.pid}.${randomBytes(4).toString('hex')}`, installation);
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error; // else another launcher was faster, and its password counts
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return { user: APPLICATION_ROLE, password: readFileSync(file, 'utf8') };
}

function initdbArguments(data: string, password: string, durable: boolean): string[] {
  return [
    ...['-D', data, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${password}`],
    ...['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

function writePassword(file: string, { user }: Installation): string {
  writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
  if (user) lchownSync(file, user.uid, user.gid);
  return file;
}

/** False when another launcher was faster: a rename onto a folder that is not empty fails. */
function moveIntoPlace(draft: string, data: string): boolean {
  try {
    renameSync(draft, data);
    return true;
  } catch (error) {
    if (!isCluster(data)) throw error;
    return false;
  }
}

function refuseForeignFolder(data: string): void {
  if (!existsSync(data) || readdirSync(data).length === 0) return;
  throw new Error(
    `${data} is not a PostgreSQL database folder and is not empty: move it away, or set DATA_DIR to another folder.`,
  );
}

function isCluster(data: string): boolean {
  return existsSync(path.join(data, 'PG_VERSION'));
}
