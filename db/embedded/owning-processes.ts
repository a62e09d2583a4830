/**
 * The processes that use the server. Each process that starts or adopts it leaves a file named after itself. The last one to
 * leave stops the server. A short command therefore never takes the database away from a running service.
 */

import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimPrivateFolder } from './folders.ts';
import { processIdentity } from './processes.ts';
import type { ServerUser } from './server-user.ts';

/** Adds this process to the list of owners and returns its entry, for the removal. */
export function addOwningProcess(dir: string, user: ServerUser | null): string {
  const list = path.join(dir, 'owners');
  claimPrivateFolder(list, user);
  const entry = path.join(list, `${processIdentity(process.pid)}.${randomBytes(4).toString('hex')}`);
  writeFileSync(entry, '', { flag: 'wx' });
  return entry;
}

/** Removes the entry, and those of processes that are gone; true when no owner is left. */
export function removeOwningProcess(entry: string): boolean {
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
