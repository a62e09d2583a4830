/**
 * The built-in database: a real PostgreSQL 18 from npm, run beside the service in its own folder. The service therefore
 * starts with nothing installed. The database has no network port: clients connect through a unix socket in a private
 * folder. On Windows, which has none, they use a free port of this machine.
 */

import { createHash } from 'node:crypto';
import { realpathSync, rmdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { locateBinaries } from './embedded/binaries.ts';
import { applicationLogin, ensureCluster, readPassword, SUPERUSER } from './embedded/cluster.ts';
import { prepareDataFolder, prepareSocketFolder } from './embedded/folders.ts';
import { keepPostmasterRunning } from './embedded/keep-postmaster-running.ts';
import { addOwningProcess, removeOwningProcess } from './embedded/owning-processes.ts';
import {
  ensurePostmaster,
  findPostmaster,
  type Postmaster,
  type StopMode,
  stopPostmaster,
} from './embedded/postmaster.ts';
import type { Installation } from './embedded/programs.ts';
import { firstClosedFolder, type ServerUser, serverUserFor } from './embedded/server-user.ts';
import { type Listening, type ServerSettings, settingArguments } from './embedded/settings.ts';
import { archiveSettings, prepareArchive } from './embedded/wal-archive.ts';

export type EmbeddedOptions = {
  /** The data folder, created if missing: database, log, socket and the list of owners. */
  dir: string;
  /** False trades safety after a crash for speed, for tests. Default true. */
  durable?: boolean;
  /** Server settings that override the small defaults, by their names in postgresql.conf. A running server keeps its own. */
  settings?: ServerSettings;
  /** The folder of its WAL archive, created if missing. A running server keeps its own. */
  walArchive?: string | undefined;
  /** The timeout for the start. Default two minutes. */
  startTimeoutMs?: number;
  /** Restarts the server at the same address whenever it is gone, such as killed for memory. Default false. */
  keepRunning?: boolean;
  /** Receives a plain sentence on each item that was made, copied or adopted. */
  log?: (message: string) => void;
};

export type EmbeddedPostgres = {
  /** The folder of the unix socket, or 127.0.0.1 on Windows; `pg` and MikroORM take either as `host`. */
  host: string;
  port: number;
  /** The superuser, who owns the objects that migrations make. */
  user: string;
  password: string;
  /** The login of the service, once that role exists. */
  app: { user: string; password: string };
  /** The real path of the data folder. */
  dir: string;
  /** True when the server was running already: an orphan of a killed service, or another process's. */
  adopted: boolean;
  /**
   * Stops the server, unless another living process uses it too. Call it last, when every connection is closed.
   * Default mode: fast. A second call does nothing.
   */
  stop(mode?: StopMode): Promise<void>;
};

/**
 * Starts the built-in PostgreSQL or adopts the server that already runs on this folder. The server outlives a killed
 * service; nothing that was acknowledged is lost (unless `durable` is false).
 *
 * @throws Error in one plain sentence: the platform has no package, the folder cannot be used, the server refuses
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { durable = true, walArchive, keepRunning = false, log = () => {} } = options;
  const user = serverUserFor(path.resolve(options.dir));
  const dir = prepareDataFolder(options.dir, user);
  const installation = { native: locateBinaries(user, log), user };
  if (walArchive !== undefined) prepareArchive(walArchive, user);
  const settings = { ...(walArchive === undefined ? {} : archiveSettings(walArchive)), ...options.settings };
  if (await ensureCluster(installation, dir, durable)) log(`made a new database in ${dir}`);
  const owner = addOwningProcess(dir, user);
  try {
    const launchArguments = async () => settingArguments(durable, await listening(dir, user), settings);
    const { postmaster, adopted } = await ensurePostmaster(
      installation,
      dir,
      launchArguments,
      options.startTimeoutMs,
    );
    if (adopted) log(`adopted the PostgreSQL that was running in ${dir} (process ${postmaster.pid})`);
    const { host, port } = postmaster;
    const startAgain = () =>
      ensurePostmaster(installation, dir, async () =>
        settingArguments(durable, path.isAbsolute(host) ? { socketFolder: host } : { port }, settings),
      );
    const unwatch = keepRunning
      ? keepPostmasterRunning(path.join(dir, 'data'), startAgain, log)
      : async () => {};
    const stop = once(async (mode: StopMode = 'fast') => {
      await unwatch();
      await stopIfLastOwner(installation, dir, owner, postmaster, mode);
    });
    const app = applicationLogin(dir, installation);
    return { host, port, user: SUPERUSER, password: readPassword(dir), app, dir, adopted, stop };
  } catch (error) {
    const isAlone = removeOwningProcess(owner);
    if (isAlone && findPostmaster(path.join(dir, 'data')))
      await stopPostmaster(installation, dir, 'fast').catch(() => {}); // the first failure is the more informative
    throw error;
  }
}

/**
 * The default folder of the database: `.data` in the project. PostgreSQL runs as another user than root. For a service run by
 * root in a project closed to others, the folder is below /var/lib.
 */
export function defaultDataDir(projectRoot: string): string {
  const root = realpathSync(projectRoot);
  const beside = path.join(root, '.data');
  const user = serverUserFor(beside);
  if (user === null || firstClosedFolder(root, user) === null) return beside;
  return path.join(
    '/var/lib/trading-strategy-service',
    createHash('sha256').update(root).digest('hex').slice(0, 8),
  );
}

async function stopIfLastOwner(
  installation: Installation,
  dir: string,
  owner: string,
  { host }: Postmaster,
  mode: StopMode,
): Promise<void> {
  if (!removeOwningProcess(owner)) return;
  await stopPostmaster(installation, dir, mode);
  const isTempFolder = path.isAbsolute(host) && path.dirname(host) !== dir;
  if (isTempFolder) removeIfEmpty(host);
}

async function listening(dir: string, user: ServerUser | null): Promise<Listening> {
  return process.platform === 'win32'
    ? { port: await freePort() }
    : { socketFolder: prepareSocketFolder(dir, user) };
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer().once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Gone already, or another launcher uses it again.
  }
}

function once<Argument>(
  action: (argument?: Argument) => Promise<void>,
): (argument?: Argument) => Promise<void> {
  let result: Promise<void> | undefined;
  return (argument) => {
    result ??= action(argument);
    return result;
  };
}
