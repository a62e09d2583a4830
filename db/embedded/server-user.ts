/** Which operating system user the server runs as, and which folders that user can enter. */

import { execFileSync } from 'node:child_process';
import { realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/** A user that is not root, because PostgreSQL refuses to run as root. */
export type ServerUser = {
  name: string;
  uid: number;
  gid: number;
};

/** Accounts that a machine is likely to have, in order of preference. No account is ever created. */
const ACCOUNTS = ['postgres', 'nobody'];

/**
 * The user that runs the server; null means the user of this process. Root hands over to the owner of the existing
 * database, so that the folder stays with its first user. Otherwise it hands over to `postgres` or `nobody`.
 */
export function serverUserFor(dir: string): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const owner = ownerOf(path.join(dir, 'data')) ?? ownerOf(dir);
  if (owner) return owner;
  for (const account of ACCOUNTS) {
    const user = findUser(account);
    if (user) return user;
  }
  throw new Error(
    `PostgreSQL does not run as root, and this machine has no user ${ACCOUNTS.join(' or ')} to run it as: ` +
      'start the service as a normal user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** The first folder of the path to `folder`, itself included, that the user cannot enter; null if there is none. */
export function firstClosedFolder(folder: string, user: ServerUser): string | null {
  const ancestors: string[] = [];
  for (let step = realpathSync(folder); ; step = path.dirname(step)) {
    ancestors.unshift(step);
    if (step === path.dirname(step)) break;
  }
  return ancestors.find((step) => !mayEnter(statSync(step), user)) ?? null;
}

function mayEnter(stats: Stats, { uid, gid }: ServerUser): boolean {
  if (stats.uid === uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}

function ownerOf(folder: string): ServerUser | null {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? { name: `user ${stats.uid}`, uid: stats.uid, gid: stats.gid } : null;
}

function findUser(account: string): ServerUser | null {
  const id = (flag: '-u' | '-g') =>
    Number(execFileSync('id', [flag, account], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { name: account, uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}
