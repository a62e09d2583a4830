/** A PgBouncer in front of the database server of a test run, by the file of `ops/`. */

import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Login } from '../../db/login.ts';
import { keepsSession } from '../../db/pooling/find-pooler.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { ClusterProcess, waitUntil } from '../ha/cluster-process.ts';
import { replaceAllOnce } from '../ha/configure.ts';
import { isThere, userOf } from '../ha/programs.ts';
import type { TestServerConnection } from '../support/global-setup.ts';
import { makeRunFolder } from '../support/test-server.ts';

/** Sessions of PostgreSQL for one role in one database, which all connections of the service share. */
export const SESSIONS_MAX = 8;

export const hasPooler = (): boolean => isThere('pgbouncer');

/** Starts it; `remove` stops it and deletes its folder. Roles sign in with the password that they have at the server. */
export async function startPooler({ host, port, ...owner }: TestServerConnection, logins: readonly Login[]) {
  const dir = path.join(makeRunFolder(), 'pooler');
  mkdirSync(dir, { mode: 0o700 });
  const user = process.getuid?.() === 0 ? userOf('postgres') : null;
  if (user !== null) chownSync(dir, user.uid, user.gid);
  const here = { host: '127.0.0.1', port: await freePort() };
  const file = (name: string, text: string): string => {
    const place = path.join(dir, name);
    writeFileSync(place, text);
    return place;
  };
  const users = [owner, ...logins].map(({ user: name, password }) => `"${name}" "${password}"\n`);
  const text = replaceAllOnce(
    readFileSync(path.join(import.meta.dirname, '../../ops/pgbouncer.ini'), 'utf8'),
    [
      ['host=127.0.0.1 port=5432', `host=${host} port=${port}`],
      ['listen_port = 6432', `listen_port = ${here.port}`],
      ['/etc/pgbouncer/userlist.txt', file('userlist.txt', users.join(''))],
      ['default_pool_size = 60', `default_pool_size = ${SESSIONS_MAX}`],
    ],
  );
  const program = new ClusterProcess({
    command: ['pgbouncer', file('pgbouncer.ini', `${text}unix_socket_dir =\n`)],
    user,
  });
  program.start();
  const answers = async () => {
    await keepsSession({ ...here, user: owner.user, password: owner.password, database: 'postgres' });
    return true;
  };
  await waitUntil('PgBouncer answers', answers, { withinMs: 10_000 }).catch((error: Error) => {
    throw new Error(`${error.message}\n${program.said}`);
  });
  const remove = async () => {
    await program.stop('SIGINT');
    rmSync(path.dirname(dir), { recursive: true, force: true });
  };
  return { ...here, remove };
}
