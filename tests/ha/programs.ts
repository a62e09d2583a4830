/** The programs of a cluster, from Debian's packages where they have them. */

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

export type Programs = {
  /** The command and the arguments in front of its own. */
  readonly patroni: readonly string[];
  readonly postgres: string;
  /** The user that PostgreSQL and Patroni run as, for they refuse root. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
};

const PACKAGES = ['etcd-server', 'haproxy', 'postgresql', 'python3-psycopg2'];
const PATRONI_NEEDED = [3, 0, 3] as const;
/** Debian's folders of programs that only root starts. */
const PATH = `${process.env['PATH']}:/usr/sbin`;

/** @throws Error that names what to install */
export function findPrograms(): Programs {
  installMissing();
  for (const name of ['etcd', 'haproxy'])
    if (!isThere(name)) throw new Error(`${name} is not installed: apt-get install ${PACKAGES.join(' ')}.`);
  const [postgres] = globSync('/usr/lib/postgresql/*/bin').toSorted(byVersion);
  if (postgres === undefined) throw new Error('No PostgreSQL is under /usr/lib/postgresql.');
  return { patroni: findPatroni(), postgres, user: process.getuid?.() === 0 ? userOf('postgres') : null };
}

function installMissing(): void {
  const hasAll = ['etcd', 'haproxy'].every(isThere) && globSync('/usr/lib/postgresql/*/bin').length > 0;
  if (hasAll || process.getuid?.() !== 0 || !isThere('apt-get')) return;
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES], {
    stdio: 'inherit',
    env: environment,
  });
}

/**
 * `PATRONI` names the command, `patroni` by default.
 *
 * @throws Error for versions before 3.0.3: there a frozen leader that resumes overwrites the name of the new one
 */
function findPatroni(): string[] {
  const command = (process.env['PATRONI'] ?? 'patroni').split(' ');
  const [program = '', ...first] = command;
  const { stdout, error } = spawnSync(program, [...first, '--version'], { encoding: 'utf8' });
  const version = /(\d+)\.(\d+)\.(\d+)/
    .exec(stdout ?? '')
    ?.slice(1, 4)
    .map(Number);
  if (error !== undefined || version === undefined)
    throw new Error(
      `"${command.join(' ')}" is no Patroni: install one (pip install 'patroni[etcd3,psycopg2]'), or name its command in PATRONI.`,
    );
  if (!isAtLeast(version, PATRONI_NEEDED))
    throw new Error(`Patroni ${version.join('.')} loses acknowledged writes: 3.0.3 or newer is needed.`);
  return command;
}

function isAtLeast(version: readonly number[], needed: readonly number[]): boolean {
  const index = needed.findIndex((part, at) => version[at] !== part);
  return index === -1 || (version[index] ?? 0) > (needed[index] ?? 0);
}

export const isThere = (name: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${name}`], { env: { ...process.env, PATH } }).status === 0;

const byVersion = (a: string, b: string): number =>
  b.localeCompare(a, undefined, { numeric: true, sensitivity: 'base' });

export function userOf(name: string): { uid: number; gid: number } {
  const ask = (option: string) => Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout);
  return { uid: ask('-u'), gid: ask('-g') };
}
