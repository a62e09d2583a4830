/**
 * Who uses the server. Every process that starts or adopts it leaves a file named after itself; the last one to leave
 * stops the server, so that a short command never takes the database away from a running service.
 */

import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimPrivateFolder } from './folders.ts';
import { processIdentity } from './processes.ts';
import type { ServerUser } from './server-user.ts';

/** Enters this process in the list of owners and returns the entry to leave with. */
export function addOwner(dir: string, user: ServerUser | null): string {
  const list = path.join(dir, 'owners');
  claimPrivateFolder(list, user);
  const entry = path.join(list, `${processIdentity(process.pid)}.${randomBytes(4).toString('hex')}`);
  writeFileSync(entry, '', { flag: 'wx' });
  return entry;
}

/** Takes the entry out, with those of processes that are gone; true when nobody is left. */
export function removeOwner(entry: string): boolean {
  rmSync(entry, { force: true });
  const list = path.dirname(entry);
  const others = readdirSync(list).filter((name) => isAlive(name) || forget(path.join(list, name)));
  return others.length === 0;
}

function isAlive(name: string): boolean {
  const identity = name.slice(0, name.lastIndexOf('.'));
  return processIdentity(Number.parseInt(identity, 10)) === identity;
}

function forget(entry: string): false {
  rmSync(entry, { force: true });
  return false;
}
