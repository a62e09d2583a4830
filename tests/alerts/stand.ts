/** The service under a Prometheus: a database, an API, a runner and a watchdog as processes, and venues of their own. */

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { startSimulator } from '../../simulator/index.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { ClusterProcess, waitUntil } from '../ha/cluster-process.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { EmbeddedFolders } from '../support/embedded.ts';
import { openPrometheus } from './prometheus.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const COMMANDS = {
  api: 'server/start.mjs',
  runner: 'server/start.mjs',
  // Replaces the runner with one that has a defect.
  'bad runner': 'server/start.mjs',
  // A second one with a database of its own, on a disk that a test fills.
  single: 'server/start.mjs',
  watchdog: 'server/cli/watchdog.ts',
} as const;

export type ProcessName = keyof typeof COMMANDS;
export type AlertStand = Awaited<ReturnType<typeof openAlertStand>>;

/** A step that says on its channel what only a defect of the engine would cause. */
const DEFECT = `import { channel } from 'node:diagnostics_channel';
setInterval(() => channel('trading.foreign_intent').publish({}), 1_000).unref();`;

/** Opens it without a watchdog: the first connection to a venue needs one. */
export async function openAlertStand() {
  await using opened = new AsyncDisposableStack();
  const folders = opened.use(new EmbeddedFolders());
  const walArchive = folders.dir('wal');
  const postgres = await startEmbeddedPostgres({ dir: folders.dir(), walArchive, keepRunning: true });
  opened.defer(() => postgres.stop('immediate'));
  const { host, port, user, password } = postgres;
  const database = await DatabaseProxy.open({ host, port });
  opened.defer(() => database.close());
  const simulator = await startSimulator({ seed: 'alerts' });
  opened.defer(() => simulator.close());
  const venues = await DatabaseProxy.open({ host: '127.0.0.1', port: Number(new URL(simulator.url).port) });
  opened.defer(() => venues.close());

  const apiPort = await freePort();
  const base = `http://127.0.0.1:${apiPort}`;
  const metricsPorts = { api: await freePort(), runner: await freePort(), single: await freePort() };
  const keys = {
    AUTH_SECRET: 'a secret of the tests, long enough for signing',
    CREDENTIAL_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  const urlAt = (place: string) => `postgresql://${user}:${password}@${place}`;
  const environment = {
    ...keys,
    NODE_ENV: 'test',
    PORT: String(apiPort),
    PUBLIC_URL: base,
    DATABASE_URL: urlAt(`127.0.0.1:${database.port}/trading`),
    SIMULATOR_URL: `http://127.0.0.1:${venues.port}`,
    ARCHIVE_URL: `file://${folders.dir('archive')}`,
    RATE_LIMITS: 'off',
    LIVE_TRADING: 'on',
    CONSOLE_BUILD: '0',
    DEMO: '0',
  };
  const own: Readonly<Record<ProcessName, NodeJS.ProcessEnv>> = {
    api: { ROLE: 'api', METRICS_PORT: String(metricsPorts.api) },
    runner: { ROLE: 'runner', METRICS_PORT: String(metricsPorts.runner) },
    'bad runner': {
      ROLE: 'runner',
      METRICS_PORT: String(metricsPorts.runner),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(DEFECT)}`,
    },
    single: {
      DATABASE_URL: '',
      PORT: String(await freePort()),
      METRICS_PORT: String(metricsPorts.single),
    },
    watchdog: {},
  };
  const processes = new Map<ProcessName, ClusterProcess>();
  opened.defer(async () => {
    for (const child of processes.values()) await child.stop('SIGKILL');
  });

  /** Starts a process of the service, and waits until it is ready. */
  async function start(name: ProcessName, more: NodeJS.ProcessEnv = {}): Promise<ClusterProcess> {
    const child = new ClusterProcess({
      command: [process.execPath, COMMANDS[name]],
      cwd: ROOT,
      env: { ...environment, DATA_DIR: folders.dir(name.replace(' ', '-')), ...own[name], ...more },
    });
    child.start();
    processes.set(name, child);
    const metricsPort = own[name]['METRICS_PORT'];
    if (metricsPort === undefined) return child;
    const isReady = async () => (await fetch(`http://127.0.0.1:${metricsPort}/health/ready`)).ok;
    await waitUntil(`${name} is ready`, isReady).catch((error: Error) => {
      throw new Error(`${error.message}\n${child.said}`);
    });
    return child;
  }

  const stop = async (name: ProcessName): Promise<void> => processes.get(name)?.stop('SIGKILL');

  await start('api');
  await start('runner');
  const pool = await openPool({ host, port, user, password, dbName: 'trading' }, { poolMax: 4 });
  opened.defer(() => pool.close());
  const prometheus = opened.use(
    await openPrometheus(folders.dir('prometheus'), {
      jobs: { trading: [metricsPorts.api, metricsPorts.runner] },
    }),
  );
  const all = opened.move();
  return {
    base,
    simulator: simulator.url,
    database,
    venues,
    walArchive,
    db: systemDb(pool),
    prometheus,
    metricsPorts,
    folder: (name: string) => folders.dir(name),
    start,
    stop,
    pidOf: (name: ProcessName) => processes.get(name)?.pid ?? 0,
    /** Runs a command for operators as a process, and returns its exit code. */
    async run(file: string): Promise<number | null> {
      const child = new ClusterProcess({
        command: [process.execPath, `server/cli/${file}.ts`],
        cwd: ROOT,
        env: environment,
      });
      child.start();
      return child.ended();
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
