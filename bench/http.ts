/**
 * Requests per second and latency of the service beside a floor: bare `node:http` with prepared `pg`, the same rows read
 * or written in one transaction, no credentials. One run, one database with the settings of production, the same load,
 * rounds of both in turn.
 *
 *   node bench/http.ts [--rounds 3] [--seconds 5] [--connections 16]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { clientConfig, migrateDatabase } from '../db/migrate.ts';
import { openPool } from '../db/pool.ts';
import { type Caller, emptyWriters, seedWorld, VISUAL } from './support/http-world.ts';
import { type LoadFigures, type LoadOptions, load } from './support/load.ts';
import { type Service, startServer, startService } from './support/service.ts';

/** Least share of the floor's rate. */
const TARGETS = { 'GET /api/orders': 0.5, 'GET /api/portfolio': 0.5, 'POST /api/blueprints': 0.35 };
const WARM_UP_SEC = 2;
const PROJECT = path.join(import.meta.dirname, '..');
/** The name the service gives its database, so that it finds this one. */
const DATABASE_NAME = 'trading';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const connections = Number(values.connections);

type Operation = keyof typeof TARGETS;
type Target = Pick<LoadOptions, 'url' | 'method' | 'headers' | 'body'>;

await using opened = new AsyncDisposableStack();
const dir = mkdtempSync(path.join(tmpdir(), 'http-bench-'));
chmodSync(dir, 0o711);
opened.defer(() => rmSync(dir, { recursive: true, force: true }));
const { host, port, user, password, stop } = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
opened.defer(() => stop());
const connection = { host, port, user, password, dbName: DATABASE_NAME };
await migrateDatabase(connection);
const pool = await openPool(connection);
opened.defer(() => pool.close());
const { reader, writers } = await seedWorld(pool);

const service = await startService(PROJECT, {
  DATA_DIR: path.join(dir, 'db'),
  ROLE: 'api',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  DEMO: '0',
  CONSOLE_BUILD: '0',
});
opened.defer(async () => void (await service.stop()));
const floor = await startServer(PROJECT, 'bench/support/http-floor.ts', {
  FLOOR_DATABASE: JSON.stringify(clientConfig(connection)),
});
opened.defer(async () => void (await floor.stop()));

const figures: Record<string, Awaited<ReturnType<typeof compare>>> = {};
for (const operation of Object.keys(TARGETS) as Operation[]) figures[operation] = await compare(operation);
report();

/** Rounds of both in turn, after a warm-up of both; the median round counts. */
async function compare(operation: Operation) {
  const ours = targetOf(operation, service);
  const bare = targetOf(operation, floor);
  await refuseDifferentAnswers(operation, ours, bare);
  for (const target of [ours, bare]) await measure(target, WARM_UP_SEC);
  const taken: { service: LoadFigures[]; floor: LoadFigures[] } = { service: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    taken.service.push(await measure(ours, seconds));
    taken.floor.push(await measure(bare, seconds));
  }
  const [serviceMedian, floorMedian] = [medianRound(taken.service), medianRound(taken.floor)];
  const ratio = round2(serviceMedian.perSec / floorMedian.perSec);
  return { service: serviceMedian, floor: floorMedian, ratio };
}

async function measure(target: Target, durationSec: number): Promise<LoadFigures> {
  if (target.method === 'POST') await emptyWriters(pool, writers);
  return load({ ...target, connections, seconds: durationSec });
}

function targetOf(operation: Operation, { origin }: Service): Target {
  switch (operation) {
    case 'GET /api/orders':
      return { url: `${origin}/api/orders?limit=50`, method: 'GET', headers: callerHeaders([reader]) };
    case 'GET /api/portfolio':
      return { url: `${origin}/api/portfolio`, method: 'GET', headers: callerHeaders([reader]) };
    case 'POST /api/blueprints':
      return {
        url: `${origin}/api/blueprints`,
        method: 'POST',
        headers: callerHeaders(writers, { 'content-type': 'application/json' }),
        body: JSON.stringify({ name: 'Dip buyer', visual: VISUAL }),
      };
  }
}

/** Both servers get the same bytes: the service reads the key, the floor the account. */
function callerHeaders(callers: readonly Caller[], more: Record<string, string> = {}) {
  const headers = callers.map(({ accountId, key }) => ({
    ...more,
    authorization: `Bearer ${key}`,
    'x-account': accountId,
  }));
  let next = 0;
  return () => headers[next++ % headers.length] ?? {};
}

/** The comparison means something only while both answer the same. */
async function refuseDifferentAnswers(operation: Operation, ours: Target, bare: Target): Promise<void> {
  const answers = [await ask(ours), await ask(bare)];
  if (operation === 'POST /api/blueprints') {
    const own = { id: null, createdAt: null, updatedAt: null };
    assert.deepEqual({ ...answers[0], ...own }, { ...answers[1], ...own });
  } else assert.deepEqual(answers[0], answers[1]);
}

async function ask({ url, method, headers, body }: Target): Promise<object> {
  const response = await fetch(url, { method, headers: headers(), ...(body && { body }) });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as object;
}

function report(): void {
  const rows = Object.entries(figures).map(([operation, { service, floor, ratio }]) => [
    operation,
    {
      'service req/s': service.perSec,
      'p50 ms': service.p50Ms,
      'p99 ms': service.p99Ms,
      'floor req/s': floor.perSec,
      'floor p50 ms': floor.p50Ms,
      'floor p99 ms': floor.p99Ms,
      ratio,
      target: `>= ${TARGETS[operation as Operation]}`,
    },
  ]);
  console.table(Object.fromEntries(rows));
  const ok = Object.entries(TARGETS).every(([operation, least]) => (figures[operation]?.ratio ?? 0) >= least);
  console.log(JSON.stringify({ bench: 'http', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}

function medianRound(taken: LoadFigures[]): LoadFigures {
  const sorted = taken.toSorted((a, b) => a.perSec - b.perSec);
  const { perSec = 0, p50Ms = 0, p99Ms = 0 } = sorted[Math.floor(sorted.length / 2)] ?? {};
  return { perSec: Math.round(perSec), p50Ms: round2(p50Ms), p99Ms: round2(p99Ms) };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
