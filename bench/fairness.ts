/**
 * Measures how long a neighbour waits. Its stop waits while 200 clients of four accounts send as fast as they can. Its read
 * waits beside each noise that one key may make: in rounds, so that a disturbance of the machine meets one of several. The
 * service has the limits of production.
 *
 *   node bench/fairness.ts [--seconds 20] [--rounds 3]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { migrateDatabase } from '../db/migrating/migrate.ts';
import { openPool } from '../db/pool.ts';
import { signUp } from '../tests/support/sign-up.ts';
import { type Caller, openCaller, seedTrader, VISUAL } from './support/http-world.ts';
import { quantileOf } from './support/quantile.ts';
import { startService } from './support/service.ts';

/** A stop beside the flood, ms; and how many times longer a read takes beside each noise. */
const TARGETS = { stopP99Ms: 1_000, readRatio: 3 };
/** Clients of the flood, far more than are answered at once, and of a noise. */
const FLOOD = 200;
const NOISE = 8;
const PROBE_EVERY_MS = 100;
const DEPTH = 60;
const PROJECT = path.join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, rounds: { type: 'string', default: '3' } },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];

await using opened = new AsyncDisposableStack();
const dir = mkdtempSync(path.join(tmpdir(), 'fairness-bench-'));
chmodSync(dir, 0o711);
opened.defer(() => rmSync(dir, { recursive: true, force: true }));
const { host, port, user, password, stop } = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
opened.defer(() => stop());
const connection = { host, port, user, password, dbName: 'trading' };
await migrateDatabase(connection);
const pool = await openPool(connection);
opened.defer(() => pool.close());
const [neighbour, ...flooding] = await Promise.all(Array.from({ length: 5 }, () => openCaller(pool)));
if (neighbour === undefined) throw new Error('There is a neighbour.');

const settings = { DATA_DIR: path.join(dir, 'db'), LOG_LEVEL: 'warn', DEMO: '0', CONSOLE_BUILD: '0' };
const service = await startService(PROJECT, { ...settings, ROLE: 'api', NODE_ENV: 'development' });
opened.defer(async () => void (await service.stop()));
const { userId, cookie } = await signUp(service.origin);
const noisy = { ...(await openCaller(pool, userId)), cookie };
await seedTrader(pool, noisy.accountId);

/** `asPerson` uses the cookie of the user, not a key. */
type Target = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: string; asPerson?: true };
const STOP: Target = { method: 'POST', path: '/api/blueprints/stop', body: '{}' };
const READ: Target = { method: 'GET', path: '/api/portfolio' };

const nested = (depth: number): object => (depth === 0 ? {} : { deeper: nested(depth - 1) });
const nodes = (count: number, data: object) =>
  Array.from({ length: count }, (_, at) => ({ id: `n${at}`, type: 'note', position: { x: at, y: 0 }, data }));
const graphOf = (count: number, data: object) =>
  JSON.stringify({ visual: { ...VISUAL, nodes: nodes(count, data), edges: [] } });
const made = await fetch(`${service.origin}/api/blueprints`, {
  method: 'POST',
  headers: headersOf(noisy),
  body: JSON.stringify({ name: 'Noise', visual: VISUAL }),
});
const { id } = (await made.json()) as { id: string };
const messages = Array.from({ length: 20 }, (_, at) => ({ jsonrpc: '2.0', id: at, method: 'tools/list' }));
const NOISES: Readonly<Record<string, Target>> = {
  'validate 250 KB': { method: 'POST', path: `/api/blueprints/${id}/validate`, body: graphOf(2_400, {}) },
  'PUT at depth 60': { method: 'PUT', path: `/api/blueprints/${id}`, body: graphOf(200, nested(DEPTH)) },
  lists: { method: 'GET', path: '/api/orders?limit=100' },
  export: { method: 'GET', path: '/api/account/export', asPerson: true },
  'MCP tools/list x 20': { method: 'POST', path: '/mcp', body: JSON.stringify(messages) },
};

await probe(READ, 2);
const quietStop = figuresOf(await probe(STOP, seconds / 2));
const orders: Target = { method: 'GET', path: '/api/orders' };
const flood = await beside(flooding, orders, { connections: FLOOD, forSec: seconds }, async () =>
  figuresOf(await probe(STOP, seconds)),
);
await sleep(1_000);
const quietMs: number[] = [];
const noisyReads = new Map(
  Object.keys(NOISES).map((name) => [name, { tookMs: [] as number[], statuses: {} }]),
);
for (let round = 0; round < rounds; round++) {
  for (const [name, noise] of Object.entries(NOISES)) {
    quietMs.push(...(await probe(READ, seconds / 4)).tookMs);
    const { figures, statuses } = await beside(
      [noisy],
      noise,
      { connections: NOISE, forSec: seconds / 2 },
      () => probe(READ, seconds / 2),
    );
    noisyReads.get(name)?.tookMs.push(...figures.tookMs);
    Object.assign(noisyReads.get(name) ?? {}, { statuses });
    await sleep(2_000);
  }
}
// Pools all stretches: the p99 of one alone would be its slowest read.
const quietP99Ms = quantileOf(quietMs, 0.99);
const reads = Object.fromEntries(
  [...noisyReads].map(([name, { tookMs, statuses }]) => {
    const p99Ms = quantileOf(tookMs, 0.99);
    return [name, { quietP99Ms, p99Ms, statuses, ratio: Math.round((p99Ms / quietP99Ms) * 10) / 10 }];
  }),
);
report();

function headersOf(caller: Caller & { cookie?: string }, asPerson = false): Record<string, string> {
  return {
    ...(asPerson ? { cookie: caller.cookie ?? '' } : { authorization: `Bearer ${caller.key}` }),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
}

/** Sends five requests a second without waiting for the previous response. */
async function probe({ method, path, body }: Target, forSec: number) {
  const tookMs: number[] = [];
  const failed: number[] = [];
  const sent: Promise<void>[] = [];
  for (const endMs = performance.now() + forSec * 1_000; performance.now() < endMs; ) {
    sent.push(once());
    await sleep(PROBE_EVERY_MS);
  }
  await Promise.all(sent);
  return { tookMs, failed: failed.length };

  async function once(): Promise<void> {
    const beganMs = performance.now();
    const headers = headersOf(neighbour as Caller);
    const response = await fetch(`${service.origin}${path}`, { method, headers, ...(body && { body }) });
    await response.text();
    if (response.status !== 200) failed.push(response.status);
    tookMs.push(performance.now() - beganMs);
  }
}

function figuresOf({ tookMs, failed }: Awaited<ReturnType<typeof probe>>) {
  const [p50Ms, p99Ms] = [quantileOf(tookMs, 0.5), quantileOf(tookMs, 0.99)];
  return { count: tookMs.length, failed, p50Ms, p99Ms };
}

/** Measures while clients of these accounts send as fast as they are answered. */
async function beside<Figures>(
  callers: readonly Caller[],
  { method, path, body, asPerson }: Target,
  { connections, forSec }: { connections: number; forSec: number },
  measure: () => Promise<Figures>,
) {
  // Runs in its own thread; otherwise the probe would wait for the load sent beside it.
  const sent = autocannon({
    url: `${service.origin}${path}`,
    method,
    connections,
    workers: 1,
    duration: Math.ceil(forSec) + 1,
    ...(body && { body }),
    requests: callers.map((caller) => ({ headers: headersOf(caller, asPerson) })),
  });
  await sleep(500);
  const figures = await measure();
  const { statusCodeStats } = await sent;
  const statuses = Object.fromEntries(
    Object.entries(statusCodeStats ?? {}).map(([status, { count }]) => [status, count]),
  );
  return { figures, statuses };
}

function report(): void {
  console.table({ 'stop, quiet': quietStop, 'stop beside the flood': flood.figures });
  console.log('Flood:', flood.statuses);
  console.table(reads);
  const stopP99Ms = flood.figures.p99Ms;
  const ratios = Object.values(reads).map(({ ratio }) => ratio);
  const ok =
    stopP99Ms < TARGETS.stopP99Ms &&
    flood.figures.failed === 0 &&
    ratios.every((ratio) => ratio <= TARGETS.readRatio);
  const figures = { quietStop, flood, reads };
  console.log(JSON.stringify({ bench: 'fairness', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}
