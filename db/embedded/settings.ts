/** The command line settings of the built-in server. They win over every file in the database folder. */

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
  max_wal_size: '256MB', // about the most that a recovery reads, however rare checkpoints are
  checkpoint_timeout: '30min', // after each, the first change of a page writes the whole page to the WAL
  wal_compression: 'pglz', // these pages, to a quarter; the only method in every build
  min_wal_size: '64MB',
  io_method: 'sync',
  max_worker_processes: 2,
  max_logical_replication_workers: 0,
  max_parallel_workers_per_gather: 0,
  autovacuum_max_workers: 2,
  jit: 'off',
  hot_standby: 'off', // a restored database accepts no session before it is complete
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/** For databases whose loss in a crash does not matter, such as those of tests. */
const FAST: ServerSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
};

/** The address of the server: a unix socket in a folder, or, without sockets, a TCP port of this machine only. */
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
