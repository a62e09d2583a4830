/** Two cells as an operator runs them: a database and a process each, one market, and HAProxy in front by the file of `ops/`. */

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { startSimulator } from '../../simulator/index.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { ClusterProcess, waitUntil } from '../ha/cluster-process.ts';
import { replaceAllOnce } from '../ha/configure.ts';
import { isThere } from '../ha/programs.ts';
import { EmbeddedFolders } from '../support/embedded.ts';
import { openMailServer } from '../support/notifications.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const DATABASES = ['trading', 'cell_1'] as const;

export type CellNumber = 0 | 1;
export type TwoCells = Awaited<ReturnType<typeof openTwoCells>>;

export async function openTwoCells() {
  if (!isThere('haproxy')) throw new Error('HAProxy is not installed: apt-get install haproxy.');
  await using opened = new AsyncDisposableStack();
  const folders = opened.use(new EmbeddedFolders());
  const { host, port, user, password, stop } = await startEmbeddedPostgres({
    dir: folders.dir(),
    keepRunning: true,
  });
  opened.defer(() => stop('immediate'));
  const owner = new pg.Client({ host, port, user, password, database: 'postgres' });
  await owner.connect();
  await owner.query(`create database ${DATABASES[1]}`);
  await owner.end();
  const simulator = await startSimulator({ seed: 'cells' });
  opened.defer(() => simulator.close());
  const mailServer = await openMailServer();
  opened.defer(() => mailServer.close());

  const dir = folders.dir('proxy');
  mkdirSync(dir);
  const ports = [await freePort(), await freePort()] as const;
  const [door, routesPort] = [await freePort(), await freePort()];
  const base = `http://127.0.0.1:${door}`;
  const urlOf = (cell: CellNumber) =>
    `postgresql://${user}:${password}@/${DATABASES[cell]}?host=${encodeURIComponent(host)}&port=${port}`;
  const keys = {
    AUTH_SECRET: 'a secret of the tests, long enough for signing',
    CREDENTIAL_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  const serviceOf = (cell: CellNumber) =>
    new ClusterProcess({
      command: [process.execPath, 'server/start.mjs'],
      cwd: ROOT,
      env: {
        ...keys,
        NODE_ENV: 'test',
        NODE_OPTIONS: `--import ${path.join(ROOT, 'tests/support/play-github.ts')}`,
        GITHUB_CLIENT_ID: 'our-id',
        GITHUB_CLIENT_SECRET: 'our-secret',
        CELL: String(cell),
        PORT: String(ports[cell]),
        PUBLIC_URL: base,
        DATABASE_URL: urlOf(cell),
        ...(cell > 0 && { DIRECTORY_URL: urlOf(0) }),
        DATA_DIR: folders.dir(`cell-${cell}`),
        SIMULATOR_URL: simulator.url,
        TRUSTED_PROXIES: 'loopback',
        RATE_LIMITS: 'off',
        SMTP_URL: mailServer.url,
        LIVE_TRADING: 'on',
        CONSOLE_BUILD: '0',
        DEMO: '0',
      },
    });
  const services = [serviceOf(0), serviceOf(1)] as const;
  for (const service of services) {
    service.start();
    opened.defer(() => service.stop());
  }
  const untilReady = async (cell: CellNumber) => {
    const isReady = async () => (await fetch(`http://127.0.0.1:${ports[cell]}/health/ready`)).ok;
    await waitUntil(`cell ${cell} is ready`, isReady).catch((error: Error) => {
      throw new Error(`${error.message}\n${services[cell].said}`);
    });
  };
  await untilReady(0);
  await untilReady(1);

  const restart = async (cell: CellNumber): Promise<void> => {
    await services[cell].stop('SIGKILL');
    services[cell].start();
    await untilReady(cell);
  };

  const routes = path.join(dir, 'moved-keys.map');
  const emailKey = path.join(dir, 'email-key.map');
  for (const file of [routes, emailKey]) writeFileSync(file, '');
  const config = path.join(dir, 'haproxy.cfg');
  writeFileSync(config, proxyFile({ door, routesPort, ports, routes, emailKey }));
  const proxy = new ClusterProcess({ command: ['haproxy', '-W', '-db', '-f', config] });
  proxy.start();
  opened.defer(() => proxy.stop());
  const isOpen = async () => (await fetch(`${base}/health/ready`)).ok;
  await waitUntil('the proxy answers', isOpen).catch((error: Error) => {
    throw new Error(`${error.message}\n${proxy.said}`);
  });

  const dbOf = async (cell: CellNumber) => {
    const pool = await openPool({ host, port, user, password, dbName: DATABASES[cell] }, { poolMax: 3 });
    opened.defer(() => pool.close());
    return systemDb(pool);
  };
  const dbs = [await dbOf(0), await dbOf(1)] as const;
  await shareSecondFactorKey(dbs);
  await restart(1); // it has read its own key
  const all = opened.move();
  return {
    base,
    simulator: simulator.url,
    /** The processes themselves. */
    hosts: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`] as const,
    dbs,
    /** The command of the operator, as a process. */
    mover: (accountId: string, [from, to]: readonly [CellNumber, CellNumber], more: readonly string[] = []) =>
      new ClusterProcess({
        command: [
          ...[process.execPath, 'server/cli/account-move.ts', '--account', accountId],
          ...['--to', urlOf(to), '--routes', routes, '--reload', `kill -USR2 ${proxy.pid}`],
          ...['--proxy', `http://127.0.0.1:${routesPort}`, ...more],
        ],
        cwd: ROOT,
        env: { ...keys, DATABASE_URL: urlOf(from), NODE_ENV: 'test' },
      }),
    /** The token of the newest mail to reset a password. */
    async resetTokenOf(email: string): Promise<string> {
      const find = () =>
        mailServer.mails
          .map((mail) => mail.replaceAll('=\r\n', ''))
          .findLast((mail) => mail.includes(`To: ${email}`));
      await waitUntil('the mail is there', async () => find() !== undefined);
      return /reset-password#([\w.]+)/.exec(find() ?? '')?.[1] ?? '';
    },
    stop: (cell: CellNumber) => services[cell].stop('SIGKILL'),
    restart,
    said: () => services.map(({ said }) => said).join('\n'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** The third step of the manual, before the first user. */
async function shareSecondFactorKey([home, other]: readonly [Db, Db]): Promise<void> {
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(k)::text as row from auth."secondFactorKey" k`.execute(home);
  await sql`delete from auth."secondFactorKey"`.execute(other);
  await sql`insert into auth."secondFactorKey"
    select * from jsonb_populate_record(null::auth."secondFactorKey", ${rows[0]?.row}::jsonb)`.execute(other);
}

type ProxyPorts = {
  readonly door: number;
  /** Where the proxy says what it knows. */
  readonly routesPort: number;
  readonly ports: readonly [number, number];
  readonly routes: string;
  readonly emailKey: string;
};

/** The file that operators get, with one process a cell. */
function proxyFile({ door, routesPort, ports, routes, emailKey }: ProxyPorts): string {
  const text = readFileSync(path.join(ROOT, 'ops/haproxy-cells.cfg'), 'utf8');
  return replaceAllOnce(text, [
    ['bind :80', `bind 127.0.0.1:${door}`],
    ['bind 127.0.0.1:8405', `bind 127.0.0.1:${routesPort}`],
    ['/etc/haproxy/moved-keys.map', routes],
    ['/etc/haproxy/email-key.map', emailKey],
    ['10.0.0.4:3000', `127.0.0.1:${ports[0]}`],
    ['  server api2 10.0.0.5:3000 check\n', ''],
    ['10.0.1.4:3000', `127.0.0.1:${ports[1]}`],
    ['  server api4 10.0.1.5:3000 check\n', ''],
  ]);
}
