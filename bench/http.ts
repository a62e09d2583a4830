/**
 * Compares the processor time of a request, service and database together, with two programs in the same run. They read the
 * same rows as the same role and give the same answers. The peer is Express as written by hand, with the same checks. The floor
 * is bare `node:http` with key and statement in one write. Rounds of the three alternate, each of the same number of requests,
 * so that all are equally warm. Processor time holds on a machine with other work; rates do not.
 *
 *   node bench/http.ts [--rounds 9] [--requests 1000] [--connections 16] [--only portfolio]
 *     [--project <folder of another checkout>]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { clientConfig, migrateDatabase } from '../db/migrating/migrate.ts';
import { openPool } from '../db/pool.ts';
import { type Caller, emptyWriters, seedWorld, VISUAL } from './support/http-world.ts';
import { type LoadOptions, load } from './support/load.ts';
import { processorSecondsOf, processorSecondsOfFamily } from './support/processor.ts';
import { quantileOf } from './support/quantile.ts';
import { type Service, startServer, startService } from './support/service.ts';

/** The share of the peer's processor time at most, and the least share of ours that the floor takes. */
const READ = { ofPeer: 0.9, floor: 0.75 };
const TARGETS = {
  'GET /api/portfolio': READ,
  'GET /api/orders': READ,
  'GET /api/blueprints': READ,
  'GET /api/blueprints/{id}': READ,
  'POST /api/blueprints': { ofPeer: 1, floor: 0.8 },
};
/** Requests before the first round of each side, in rounds: compilers are done by then. */
const WARM_UP_ROUNDS = 3;
const PROJECT = path.join(import.meta.dirname, '..');
/** The application name of the service's database connections, so that it finds this database. */
const DATABASE_NAME = 'trading';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    requests: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    project: { type: 'string', default: PROJECT },
  },
});
const rounds = Number(values.rounds);
const requests = Number(values.requests);
const connections = Number(values.connections);

type Operation = keyof typeof TARGETS;
type Target = Pick<LoadOptions, 'url' | 'method' | 'headers' | 'body'>;
type Round = { perSec: number; p50Ms: number; p99Ms: number; nodeUs: number; databaseUs: number };
const SIDES = ['service', 'peer', 'floor'] as const;
type Sides<Value> = Record<(typeof SIDES)[number], Value>;

await using opened = new AsyncDisposableStack();
const dir = mkdtempSync(path.join(tmpdir(), 'http-bench-'));
chmodSync(dir, 0o711);
opened.defer(() => rmSync(dir, { recursive: true, force: true }));
const database = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
opened.defer(() => database.stop());
const { host, port, user, password, app } = database;
const postmaster = Number(
  readFileSync(path.join(database.dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
);
const connection = { host, port, user, password, dbName: DATABASE_NAME };
await migrateDatabase(connection);
const pool = await openPool(connection);
opened.defer(() => pool.close());
const { reader, writers, blueprintId } = await seedWorld(pool);

const service = await startService(values.project, {
  DATA_DIR: path.join(dir, 'db'),
  ROLE: 'api',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  DEMO: '0',
  CONSOLE_BUILD: '0',
});
opened.defer(async () => void (await service.stop()));
// Connects as the role of the service, which the service has created by now.
const BENCH_DATABASE = JSON.stringify(clientConfig({ ...connection, ...app }));
const peer = await startServer(PROJECT, 'bench/support/http-peer.ts', {
  BENCH_DATABASE,
  NODE_ENV: 'production',
});
opened.defer(async () => void (await peer.stop()));
const floor = await startServer(PROJECT, 'bench/support/http-floor.ts', { BENCH_DATABASE });
opened.defer(async () => void (await floor.stop()));
const servers: Sides<Service> = { service, peer, floor };

const figures: Record<string, Awaited<ReturnType<typeof compare>>> = {};
for (const operation of Object.keys(TARGETS) as Operation[]) {
  if (operation.includes(values.only)) figures[operation] = await compare(operation);
}
report();

/** Runs all in turn, after a warm-up of each. */
async function compare(operation: Operation) {
  await refuseDifferentAnswers(operation);
  const taken: Sides<Round[]> = { service: [], peer: [], floor: [] };
  for (const side of SIDES) await measure(operation, servers[side], WARM_UP_ROUNDS * requests);
  for (let round = 0; round < rounds; round++) {
    for (const side of SIDES) taken[side].push(await measure(operation, servers[side], requests));
  }
  const [ours, peers, floors] = [typical(taken.service), typical(taken.peer), typical(taken.floor)];
  const ratios = taken.service.map((round, at) => costOf(round) / costOf(taken.peer[at] ?? round));
  return {
    service: ours,
    peer: peers,
    floor: floors,
    ofPeer: round2(costOf(ours) / costOf(peers)),
    ofPeerByRound: [Math.min(...ratios), Math.max(...ratios)].map(round2),
    floorShare: round2(costOf(floors) / costOf(ours)),
  };
}

function costOf({ nodeUs, databaseUs }: Round): number {
  return nodeUs + databaseUs;
}

async function measure(operation: Operation, server: Service, count: number): Promise<Round> {
  const target = targetOf(operation, server);
  if (target.method === 'POST') await emptyWriters(pool, writers);
  const before = [processorSecondsOf(server.pid), processorSecondsOfFamily(postmaster)] as const;
  const { perSec, p50Ms, p99Ms, answers } = await load({ ...target, connections, requests: count });
  const us = (sec: number) => (sec * 1_000_000) / answers;
  return {
    perSec,
    p50Ms,
    p99Ms,
    nodeUs: us(processorSecondsOf(server.pid) - before[0]),
    databaseUs: us(processorSecondsOfFamily(postmaster) - before[1]),
  };
}

function targetOf(operation: Operation, { origin }: Service): Target {
  const reading = (target: string): Target => ({
    url: origin + target,
    method: 'GET',
    headers: callerHeaders([reader]),
  });
  switch (operation) {
    case 'GET /api/portfolio':
    case 'GET /api/blueprints':
      return reading(operation.slice(4));
    case 'GET /api/orders':
      return reading('/api/orders?limit=50');
    case 'GET /api/blueprints/{id}':
      return reading(`/api/blueprints/${blueprintId}`);
    case 'POST /api/blueprints':
      return {
        url: `${origin}/api/blueprints`,
        method: 'POST',
        headers: callerHeaders(writers, { 'content-type': 'application/json' }),
        body: JSON.stringify({ name: 'Dip buyer', visual: VISUAL }),
      };
  }
}

function callerHeaders(callers: readonly Caller[], more: Record<string, string> = {}) {
  const headers = callers.map(({ key }) => ({ ...more, authorization: `Bearer ${key}` }));
  let next = 0;
  return () => headers[next++ % headers.length] ?? {};
}

/** The comparison is valid only while all give the same answers. */
async function refuseDifferentAnswers(operation: Operation): Promise<void> {
  const own = operation === 'POST /api/blueprints' ? { id: null, createdAt: null, updatedAt: null } : {};
  const ours = await sendRequest(targetOf(operation, service));
  for (const other of [peer, floor]) {
    const theirs = await sendRequest(targetOf(operation, other));
    if (Array.isArray(ours)) assert.deepEqual(theirs, ours);
    else assert.deepEqual({ ...theirs, ...own }, { ...ours, ...own });
  }
}

async function sendRequest({ url, method, headers, body }: Target): Promise<object> {
  const response = await fetch(url, { method, headers: headers(), ...(body && { body }) });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as object;
}

function report(): void {
  const rows = Object.entries(figures).flatMap(([operation, figure]) =>
    SIDES.map((side) => {
      const { perSec, p50Ms, p99Ms, nodeUs, databaseUs } = figure[side];
      const { ofPeer, floor: least } = TARGETS[operation as Operation];
      return [
        `${operation} ${side}`,
        {
          'req/s': perSec,
          'p50 ms': p50Ms,
          'p99 ms': p99Ms,
          'node us': nodeUs,
          'database us': databaseUs,
          'both us': nodeUs + databaseUs,
          ...(side === 'service' && {
            'of peer': `${figure.ofPeer} (<= ${ofPeer})`,
            'by round': figure.ofPeerByRound.join(' to '),
            'floor share': `${figure.floorShare} (>= ${least})`,
          }),
        },
      ];
    }),
  );
  console.table(Object.fromEntries(rows));
  const ok = Object.entries(figures).every(([operation, { ofPeer, floorShare }]) => {
    const target = TARGETS[operation as Operation];
    return ofPeer <= target.ofPeer && floorShare >= target.floor;
  });
  console.log(JSON.stringify({ bench: 'http', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}

/** Takes the lower quartile of processor time, because other work of the machine only adds to it. Takes medians of the rest. */
function typical(taken: readonly Round[]): Round {
  const of = (figure: keyof Round, share: number, decimals = 0) =>
    quantileOf(
      taken.map((round) => round[figure]),
      share,
      decimals,
    );
  return {
    perSec: of('perSec', 0.5),
    p50Ms: of('p50Ms', 0.5, 2),
    p99Ms: of('p99Ms', 0.5, 2),
    nodeUs: of('nodeUs', 0.25),
    databaseUs: of('databaseUs', 0.25),
  };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
