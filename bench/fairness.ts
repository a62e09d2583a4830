/**
 * Measures how long a neighbour waits. Its stop waits while 200 clients of four accounts send as fast as they can. Its read
 * waits beside each noise that one key may make. The service has the limits of production.
 *
 *   node bench/fairness.ts [--seconds 20]
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
import { type Caller, openCaller, seedWorld, VISUAL } from './support/http-world.ts';
import { startService } from './support/service.ts';

/** A stop beside the flood, ms; and how many times longer a read takes beside each noise. */
const TARGETS = { stopP99Ms: 1_000, readRatio: 3 };
/** Clients of the flood, far more than are answered at once, and of a noise. */
const FLOOD = 200;
const NOISE = 8;
const PROBE_EVERY_MS = 200;
const DEPTH = 60;
const PROJECT = path.join(import.meta.dirname, '..');

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);

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
const { reader: noisy } = await seedWorld(pool);
const [neighbour, ...flooding] = await Promise.all(Array.from({ length: 5 }, () => openCaller(pool)));
if (neighbour === undefined) throw new Error('There is a neighbour.');

const settings = { DATA_DIR: path.join(dir, 'db'), LOG_LEVEL: 'warn', DEMO: '0', CONSOLE_BUILD: '0' };
const service = await startService(PROJECT, { ...settings, ROLE: 'api', NODE_ENV: 'development' });
opened.defer(async () => void (await service.stop()));

type Target = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: string };
const STOP: Target = { method: 'POST', path: '/api/blueprints/stop', body: '{}' };
const READ: Target = { method: 'GET', path: '/api/portfolio' };

const nested = (depth: number): object => (depth === 0 ? {} : { deeper: nested(depth - 1) });
const nodes = (count: number, data: object) =>
  Array.from({ length: count }, (_, at) => ({ id: `n${at}`, type: 'note', position: { x: at, y: 0 }, data }));
const drawing = (count: number, data: object) =>
  JSON.stringify({ visual: { ...VISUAL, nodes: nodes(count, data), edges: [] } });
const made = await fetch(`${service.origin}/api/blueprints`, {
  method: 'POST',
  headers: headersOf(noisy),
  body: JSON.stringify({ name: 'Noise', visual: VISUAL }),
});
const { id } = (await made.json()) as { id: string };
const messages = Array.from({ length: 20 }, (_, at) => ({ jsonrpc: '2.0', id: at, method: 'tools/list' }));
const NOISES: Readonly<Record<string, Target>> = {
  'validate 250 KB': { method: 'POST', path: `/api/blueprints/${id}/validate`, body: drawing(2_400, {}) },
  'PUT at depth 60': { method: 'PUT', path: `/api/blueprints/${id}`, body: drawing(200, nested(DEPTH)) },
  lists: { method: 'GET', path: '/api/orders?limit=100' },
  export: { method: 'GET', path: '/api/account/export' },
  'MCP tools/list x 20': { method: 'POST', path: '/mcp', body: JSON.stringify(messages) },
};

await probe(READ, 2);
const quietStop = await probe(STOP, seconds / 2);
const [flood] = await Promise.all([
  beside(flooding, { method: 'GET', path: '/api/orders' }, FLOOD, () => probe(STOP, seconds)),
]);
await sleep(1_000);
const reads: Record<string, { quietP99Ms: number; p99Ms: number; ratio: number; statuses: object }> = {};
for (const [name, noise] of Object.entries(NOISES)) {
  const quiet = await probe(READ, seconds / 2);
  const { figures, statuses } = await beside([noisy], noise, NOISE, () => probe(READ, seconds));
  reads[name] = {
    quietP99Ms: quiet.p99Ms,
    p99Ms: figures.p99Ms,
    ratio: Math.round((figures.p99Ms / quiet.p99Ms) * 10) / 10,
    statuses,
  };
  await sleep(2_000);
}
report();

function headersOf({ key }: Caller): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
}

/** Asks five times a second, each time without waiting for the answer before. */
async function probe({ method, path, body }: Target, forSec: number) {
  const tookMs: number[] = [];
  const failed: number[] = [];
  const sent: Promise<void>[] = [];
  for (const endMs = performance.now() + forSec * 1_000; performance.now() < endMs; ) {
    sent.push(once());
    await sleep(PROBE_EVERY_MS);
  }
  await Promise.all(sent);
  const sorted = tookMs.toSorted((a, b) => a - b);
  const quantile = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return { count: sorted.length, failed: failed.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };

  async function once(): Promise<void> {
    const beganMs = performance.now();
    const headers = headersOf(neighbour as Caller);
    const response = await fetch(`${service.origin}${path}`, { method, headers, ...(body && { body }) });
    await response.text();
    if (response.status !== 200) failed.push(response.status);
    tookMs.push(performance.now() - beganMs);
  }
}

/** Measures while clients of these accounts ask as fast as they are answered. */
async function beside<Figures>(
  callers: readonly Caller[],
  { method, path, body }: Target,
  connections: number,
  measure: () => Promise<Figures>,
) {
  const statuses: Record<number, number> = {};
  let next = 0;
  const setupRequest = (request: autocannon.Request) => ({
    ...request,
    headers: headersOf(callers[next++ % callers.length] ?? noisy),
  });
  const ended = Promise.withResolvers<void>();
  const run = autocannon(
    {
      url: `${service.origin}${path}`,
      method,
      connections,
      duration: seconds + 60,
      ...(body && { body }),
      requests: [{ setupRequest }],
    },
    () => ended.resolve(),
  );
  run.on('response', (_client, status) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  await sleep(500);
  const figures = await measure();
  run.stop();
  await ended.promise;
  return { figures, statuses };
}

function report(): void {
  console.table({ 'stop, quiet': quietStop, 'stop beside the flood': flood?.figures ?? {} });
  console.log('Flood:', flood?.statuses);
  console.table(reads);
  const stopP99Ms = flood?.figures.p99Ms ?? Number.POSITIVE_INFINITY;
  const ratios = Object.values(reads).map(({ ratio }) => ratio);
  const ok =
    stopP99Ms < TARGETS.stopP99Ms &&
    flood?.figures.failed === 0 &&
    ratios.every((ratio) => ratio <= TARGETS.readRatio);
  const figures = { quietStop, flood, reads };
  console.log(JSON.stringify({ bench: 'fairness', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}
