/** What the built-in server is told on its command line. Command line settings win over every file in the database folder. */

/** Settings by name, as in postgresql.conf. */
export type ServerSettings = Record<string, string | number>;

/** The port in the socket's name; there is no network port behind it. */
export const SOCKET_PORT = 5432;

/** Three processes of the service, with at most 35 connections each. */
export const MAX_CONNECTIONS = 120;

/**
 * For one service on a machine shared with other work: small buffers, a short recovery after a crash.
 * Statements never reach the log, because the values in them belong to the accounts.
 */
const SMALL: ServerSettings = {
  max_connections: MAX_CONNECTIONS,
  shared_buffers: '48MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB', // about what a recovery reads at most, however seldom a checkpoint is
  checkpoint_timeout: '30min', // after each, the first change of a page writes the whole page to the log
  wal_compression: 'pglz', // these pages, to a quarter; the one way every build has
  min_wal_size: '64MB',
  io_method: 'sync',
  max_worker_processes: 2,
  max_logical_replication_workers: 0,
  max_parallel_workers_per_gather: 0,
  autovacuum_max_workers: 2,
  jit: 'off',
  hot_standby: 'off', // what comes back from a backup takes nobody before it is whole
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/** For databases that nobody misses after a crash, such as those of tests. */
const FAST: ServerSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
};

/** Where the server listens: a unix socket in a folder, or, where there are none, a TCP port of this machine alone. */
export type Listening = { socketFolder: string } | { port: number };

/** The `-c name=value` arguments of `postgres`. */
export function settingArguments(durable: boolean, listening: Listening, own: ServerSettings): string[] {
  const all = { ...SMALL, ...(durable ? {} : FAST), ...own, ...listeningSettings(listening) };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function listeningSettings(listening: Listening): ServerSettings {
  if ('port' in listening) {
    return { listen_addresses: '127.0.0.1', port: listening.port, unix_socket_directories: '' };
  }
  // The setting is a list; the quotes keep a comma in the path from dividing it.
  const quoted = `"${listening.socketFolder.replaceAll('"', '""')}"`;
  return {
    listen_addresses: '',
    port: SOCKET_PORT,
    unix_socket_directories: quoted,
    unix_socket_permissions: '0700',
  };
}
