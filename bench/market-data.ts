/**
 * Cached market data over REST, beside a floor: bare `node:http` that serializes the same answers. Rounds of both alternate in
 * one run, under the same load. Also checks that 64 concurrent requests for one cold key make one upstream call. An account
 * with more requests at once must be refused.
 *
 *   node bench/market-data.ts [--rounds 3] [--seconds 4] [--connections 16]
 *
 * The last line is JSON: { bench, figures, cold, targets, ok }.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { migrateDatabase } from '../db/migrating/migrate.ts';
import { openPool } from '../db/pool.ts';
import { systemWork } from '../engine/platform/context.ts';
import { findOrCreateAccountOfUser } from '../engine/trading/accounts/provision-account.ts';
import { createKey } from '../engine/trading/keys/create.ts';
import { startSimulator } from '../simulator/index.ts';
import { type LoadFigures, load } from './support/load.ts';
import { type Service, startServer, startService } from './support/service.ts';

/**
 * Paths, and the least share of the floor's rate for each. For each request the service reads the caller's key from the
 * database and validates the answer against its schema. The floor does neither; the larger the answer, the less the difference
 * counts.
 */
const TARGETS = {
  '/api/crypto?symbol=BTCUSDT': 0.06,
  '/api/venue-a?ticker=KXELONMARS-99': 0.08,
  '/api/venue-b?trending=10': 0.12,
};
/** Upstream calls of {@link COLD_REQUESTS} concurrent requests for one cold key. */
const COLD_CALLS = 1;
const COLD_REQUESTS = 64;
const COLD_PATH = '/api/crypto?symbol=ETHUSDT&type=klines&interval=4h';
/** Long enough for all requests to arrive before the venue answers. */
const COLD_LATENCY_MS = 1_500;
const WARM_UP_SEC = 1;
const PROJECT = path.join(import.meta.dirname, '..');
/** The application name of the service's database connections, so that it finds this database. */
const DATABASE_NAME = 'trading';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const connections = Number(values.connections);

type Path = keyof typeof TARGETS;

await using opened = new AsyncDisposableStack();
const simulator = opened.use(await startSimulator());
const dir = mkdtempSync(path.join(tmpdir(), 'market-data-bench-'));
chmodSync(dir, 0o711);
opened.defer(() => rmSync(dir, { recursive: true, force: true }));
const key = await seededKey(path.join(dir, 'db'));
const authorization = { authorization: `Bearer ${key}` };

const service = await startService(PROJECT, {
  DATA_DIR: path.join(dir, 'db'),
  ROLE: 'api',
  RATE_LIMITS: 'off',
  // Cold calls arrive at once, on more connections than one address may hold unless it is a trusted proxy.
  TRUSTED_PROXIES: 'loopback',
  LOG_LEVEL: 'warn',
  DEMO: '0',
  SIMULATOR_URL: simulator.url,
});
opened.defer(async () => void (await service.stop()));
const paths = Object.keys(TARGETS) as Path[];
const answers = Object.fromEntries(
  await Promise.all(paths.map(async (name) => [name, await sendRequest(name)] as const)),
);
const floor = await startServer(PROJECT, 'bench/support/market-data-floor.ts', {
  FLOOR_ANSWERS: JSON.stringify(answers),
});
opened.defer(async () => void (await floor.stop()));

const figures: Partial<Record<Path, Awaited<ReturnType<typeof compare>>>> = {};
for (const name of paths) figures[name] = await compare(name);
report(await coldCalls());

/** Creates a database with one account and its key, for the service to find. */
async function seededKey(databaseDir: string): Promise<string> {
  const { host, port, user, password, stop } = await startEmbeddedPostgres({ dir: databaseDir });
  opened.defer(() => stop());
  const connection = { host, port, user, password, dbName: DATABASE_NAME };
  await migrateDatabase(connection);
  const pool = await openPool(connection);
  try {
    const owner = { userId: randomUUID(), name: 'Bench', paperCash: '10000' };
    const accountId = await findOrCreateAccountOfUser(pool, owner);
    const created = await createKey(systemWork(pool, { accountId, mode: 'paper' }), {
      name: 'Bench',
      scopes: ['market_data:read'],
      createdBy: null,
    });
    return created.key;
  } finally {
    await pool.close();
  }
}

async function sendRequest(name: string): Promise<unknown> {
  const response = await fetch(service.origin + name, { headers: authorization });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

/** Runs both in turn, after a warm-up of both; the median round counts. */
async function compare(name: Path) {
  for (const server of [service, floor]) await measure(server, name, WARM_UP_SEC);
  const taken: { service: LoadFigures[]; floor: LoadFigures[] } = { service: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    taken.service.push(await measure(service, name, seconds));
    taken.floor.push(await measure(floor, name, seconds));
  }
  const [ours, bare] = [medianRound(taken.service), medianRound(taken.floor)];
  return { service: ours, floor: bare, ratio: round2(ours.perSec / bare.perSec) };
}

function measure({ origin }: Service, name: Path, durationSec: number): Promise<LoadFigures> {
  const headers = () => authorization;
  return load({ url: origin + name, method: 'GET', headers, connections, seconds: durationSec });
}

/** Counts the upstream calls that concurrent requests for one cold key make. */
async function coldCalls(): Promise<number> {
  const route = '/binance/api/v3/klines';
  simulator.faults.set(route, { kind: 'latency', latencyMs: COLD_LATENCY_MS });
  simulator.faults.resetCounts();
  await Promise.all(Array.from({ length: COLD_REQUESTS }, () => sendRequest(COLD_PATH)));
  simulator.faults.clear();
  return simulator.faults.requests(route);
}

function report(cold: number): void {
  const rows = Object.entries(figures).map(([name, { service: ours, floor: bare, ratio }]) => [
    name,
    {
      'service req/s': ours.perSec,
      'p50 ms': ours.p50Ms,
      'p99 ms': ours.p99Ms,
      'floor req/s': bare.perSec,
      'floor p99 ms': bare.p99Ms,
      ratio,
      target: `>= ${TARGETS[name as Path]}`,
    },
  ]);
  console.table(Object.fromEntries(rows));
  console.log(`${COLD_REQUESTS} concurrent requests for one cold key: ${cold} upstream call(s)`);
  const ok = cold === COLD_CALLS && paths.every((name) => (figures[name]?.ratio ?? 0) >= TARGETS[name]);
  console.log(
    JSON.stringify({ bench: 'market-data', figures, cold, targets: { ...TARGETS, cold: COLD_CALLS }, ok }),
  );
  if (!ok) process.exitCode = 1;
}

function medianRound(taken: LoadFigures[]): Omit<LoadFigures, 'answers'> {
  const sorted = taken.toSorted((a, b) => a.perSec - b.perSec);
  const { perSec = 0, p50Ms = 0, p99Ms = 0 } = sorted[Math.floor(sorted.length / 2)] ?? {};
  return { perSec: Math.round(perSec), p50Ms: round2(p50Ms), p99Ms: round2(p99Ms) };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
