import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool, type Pool, systemDb } from '../../db/pool.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { startSimulator } from '../../simulator/index.ts';
import { FaultClient } from '../faults/fault-client.ts';
import { type Cluster, openCluster, openPorts } from './cluster.ts';
import { ClusterProcess, waitUntil } from './cluster-process.ts';
import type { NodeNumber } from './configure.ts';
import { ANSWER_WITHIN_MS, FloorWriter, ServiceProbe } from './floor-writer.ts';
import { findPrograms } from './programs.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const DATABASE = 'trading';
const CREDENTIAL_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const CUSTOMERS = 4;
const OPENED_WITHIN_MS = 300_000;
/** Time without a fault before and after each, so that its effects are visible. */
const PEACE_MS = 5_000;
const NODE_FROZEN_MS = 46_000;
const DATABASE_FROZEN_MS = 40_000;
/** Seconds that the service may add to the database's failover. */
const ADDED_SEC_MAX = 1;

type Row = {
  fault: string;
  of: 'database' | 'service';
  'floor, s': number;
  'service writes, s': number;
  'service reads, s': number;
  operations: number;
  'acknowledged and lost': number;
};

const rows: Row[] = [];
const opened = new AsyncDisposableStack();
let cluster: Cluster;
let base: string;
let pool: Pool;
let floor: FloorWriter;
let writes: ServiceProbe;
let reads: ServiceProbe;
let customers: FaultClient[] = [];
let trader: FaultClient;
const services = new Map<string, ClusterProcess>();
const apiPorts = new Map<string, number>();

beforeAll(async () => {
  const programs = findPrograms();
  const dir = mkdtempSync(path.join('/var/tmp', 'ha-'));
  chmodSync(dir, 0o755);
  opened.defer(() => rmSync(dir, { recursive: true, force: true }));
  const ports = await openPorts();
  cluster = await openCluster(dir, { programs, ports });
  opened.defer(() => cluster.close());
  const owner = new pg.Client({ connectionString: cluster.url('postgres') });
  await owner.connect();
  await owner.query(`create database ${DATABASE}`);
  await owner.end();

  const simulator = await startSimulator({ seed: 'ha' });
  opened.defer(() => simulator.close());
  base = `http://127.0.0.1:${ports.door}`;
  const start = (name: string, role: 'api' | 'runner', port: number) => {
    const service = new ClusterProcess({
      command: [process.execPath, 'server/start.mjs'],
      cwd: ROOT,
      env: {
        NODE_ENV: 'test',
        ROLE: role,
        PORT: String(port),
        PUBLIC_URL: base,
        DATABASE_URL: cluster.url(DATABASE),
        DATA_DIR: path.join(dir, name),
        AUTH_SECRET: 'a secret of the tests, long enough for signing',
        CREDENTIAL_KEYS: CREDENTIAL_KEYS,
        SIMULATOR_URL: simulator.url,
        TRUSTED_PROXIES: 'loopback',
        SHUTDOWN_GRACE_SEC: '3',
        RATE_LIMITS: 'off',
        CONSOLE_BUILD: '0',
        DEMO: '0',
      },
    });
    service.start();
    services.set(name, service);
    if (role === 'api') apiPorts.set(name, port);
    opened.defer(() => service.stop());
  };
  start('api-1', 'api', ports.apis[0]);
  await untilReady(`http://127.0.0.1:${ports.apis[0]}`);
  start('api-2', 'api', ports.apis[1]);
  start('runner-1', 'runner', 0);
  start('runner-2', 'runner', 0);
  await untilReady(base);

  const { hostname, port, username, password } = new URL(cluster.url(DATABASE));
  pool = await openPool(
    { host: hostname, port: Number(port), user: username, password, dbName: DATABASE },
    { poolMax: 2 },
  );
  opened.defer(() => pool.close());
  floor = new FloorWriter(cluster.url('postgres'));
  await floor.start();
  trader = await FaultClient.open(base);
  await trader.trade();
  await trader.rest();
  writes = new ServiceProbe(() => trader.isServed('PUT', ANSWER_WITHIN_MS));
  reads = new ServiceProbe(() => trader.isServed('GET', ANSWER_WITHIN_MS));
  await tradesAgain();
}, OPENED_WITHIN_MS);

afterAll(async () => {
  await Promise.all([writes?.stop(), reads?.stop(), floor?.stop()]);
  await Promise.all(customers.map((customer) => customer.rest()));
  await opened.disposeAsync();
  if (rows.length > 0) console.table(rows);
  console.log(JSON.stringify({ ha: 'failover', figures: rows }));
}, 120_000);

async function untilReady(where: string): Promise<void> {
  await waitUntil(`${where} is ready`, async () => (await fetch(`${where}/health/ready`)).ok).catch(
    (error: Error) => {
      throw new Error(`${error.message}\n${[...services.values()].map(({ said }) => said).join('\n')}`);
    },
  );
}

/** Waits for a new leader: until then the cluster looks as healthy as before. */
const untilAnotherLeads = (node: NodeNumber): Promise<void> =>
  waitUntil('another one leads', async () => (await cluster.leader()) !== node);

/** Waits until an order that was made from now on is filled. */
async function tradesAgain(): Promise<void> {
  const { rows: clock } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(
    systemDb(pool),
  );
  const since = clock[0]?.now ?? '';
  await waitUntil('it trades', async () => {
    const { rows: found } = await sql<{ filled: boolean }>`
      select exists (select from trade_order where status = 'filled' and created_at > ${since}::timestamptz) as filled`.execute(
      systemDb(pool),
    );
    return found[0]?.filled === true;
  });
}

type Fault = { name: string; of: 'database' | 'service' };

async function endure(fault: Fault, harm: () => Promise<void>): Promise<void> {
  customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => FaultClient.open(base)));
  for (const customer of customers) await customer.trade();
  await sleep(PEACE_MS);
  for (const { gaps } of [floor, writes, reads]) gaps.takeLongestSec();
  await harm();
  await cluster.untilWhole();
  await untilReady(base);
  await tradesAgain();
  await sleep(PEACE_MS);
  const tenths = (sec: number) => Number(sec.toFixed(1));
  rows.push({
    fault: fault.name,
    of: fault.of,
    'floor, s': tenths(floor.gaps.takeLongestSec()),
    'service writes, s': tenths(writes.gaps.takeLongestSec()),
    'service reads, s': tenths(reads.gaps.takeLongestSec()),
    operations: customers.reduce((sum, { tally }) => sum + tally.operations, 0),
    'acknowledged and lost': await floor.countLost(),
  });
  expect(rows.at(-1)).toMatchObject({ 'acknowledged and lost': 0 });
  await Promise.all(customers.map((customer) => customer.rest()));
  for (const customer of customers) await customer.check();
  expect(await verifyLedger(systemDb(pool))).toEqual([]);
  const { rows: doubled } = await sql`
    select account_id, deployment_id, node_id, step_at from trade_order where deployment_id is not null
    group by 1, 2, 3, 4 having count(*) > 1`.execute(systemDb(pool));
  expect(doubled).toEqual([]);
}

describe('nothing acknowledged is lost, no order is doubled, nothing is 500, the ledger agrees, and trading continues afterwards', () => {
  test('PostgreSQL of the leader killed', () =>
    endure({ name: 'PostgreSQL of the leader killed', of: 'database' }, async () => {
      const node = await cluster.leader();
      cluster.killDatabase(node);
      await untilAnotherLeads(node);
    }));

  test('the node of the leader dead, and back', () =>
    endure({ name: 'the node of the leader dead', of: 'database' }, async () => {
      const node = await cluster.leader();
      cluster.signalNode(node, 'SIGKILL');
      await untilAnotherLeads(node);
      await sleep(PEACE_MS);
      cluster.startNode(node);
    }));

  test('the node of the leader frozen, and awake again', () =>
    endure({ name: 'the node of the leader frozen for 46 s', of: 'database' }, async () => {
      const node = await cluster.leader();
      cluster.signalNode(node, 'SIGSTOP');
      await sleep(NODE_FROZEN_MS);
      cluster.signalNode(node, 'SIGCONT');
    }));

  test('PostgreSQL of the leader frozen, and awake again', () =>
    endure({ name: 'PostgreSQL of the leader frozen for 40 s', of: 'database' }, async () => {
      const node = await cluster.leader();
      cluster.signalDatabase(node, 'SIGSTOP');
      await sleep(DATABASE_FROZEN_MS);
      cluster.signalDatabase(node, 'SIGCONT');
    }));

  test('a switchover', () => endure({ name: 'a switchover', of: 'database' }, () => cluster.switchOver()));

  test('both api restarted one after the other', () =>
    endure({ name: 'both api restarted one after the other', of: 'service' }, async () => {
      for (const name of ['api-1', 'api-2']) {
        await services.get(name)?.stop();
        services.get(name)?.start();
        await untilReady(`http://127.0.0.1:${apiPorts.get(name)}`);
        await sleep(PEACE_MS);
      }
    }));

  test('an api and a runner killed, and back', () =>
    endure({ name: 'an api and a runner killed', of: 'service' }, async () => {
      for (const name of ['api-1', 'runner-1']) await services.get(name)?.stop('SIGKILL');
      await sleep(PEACE_MS);
      for (const name of ['api-1', 'runner-1']) services.get(name)?.start();
    }));
});

test('the service adds at most a second to the database’s failover', () => {
  const slower = rows.filter(
    (row) => row.of === 'database' && row['service writes, s'] - row['floor, s'] > ADDED_SEC_MAX,
  );
  expect(slower).toEqual([]);
});
