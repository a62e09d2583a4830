/**
 * Webhook latency over many accounts, a tenth of whose endpoints are dead: half refuse the connection, half never answer.
 * Reports the time from commit to receipt at the healthy endpoints, and the memory of the sending process. The service's own
 * sender runs in a separate process, on a database with production settings.
 *
 *   node bench/notifications.ts [--events 10000] [--endpoints 100] [--seconds 10]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import PQueue from 'p-queue';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import type { DatabaseConnection } from '../db/orm.ts';
import { openPool, type Pool } from '../db/pool.ts';
import { prepareDatabase } from '../db/prepare.ts';
import { createChannel } from '../engine/notifications/channels.ts';
import { underAccountLock } from '../engine/platform/account-lock.ts';
import { systemWork, type Work } from '../engine/platform/context.ts';
import { recordEvents } from '../engine/platform/events/events.ts';
import { findOrCreateAccountOfUser } from '../engine/trading/accounts/provision-account.ts';
import { KeyRing } from '../engine/trading/connections/credentials/key-ring.ts';
import { proveChannel } from '../tests/support/notifications.ts';
import type { NotifierProcess } from '../tests/support/notifier-process.ts';
import { processTreeMemory, totalPssMib } from './support/memory.ts';
import { quantileOf } from './support/quantile.ts';

const TARGETS = { healthyP99Ms: 5_000, lost: 0, senderMib: 200 };
const PROCESS = path.join(import.meta.dirname, '../tests/support/notifier-process.ts');
const SAMPLE_MS = 200;
/** Connections that record events. */
const WRITERS = 8;
/** Deliveries later than this count as lost. */
const LOST_AFTER_MS = 120_000;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    endpoints: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
  },
});
const events = Number(values.events);
const seconds = Number(values.seconds);

type Fate = 'well' | 'refuses' | 'hangs';
/** Every tenth endpoint is dead; refusing and hanging ones alternate. */
const fateOf = (index: number): Fate => (index % 10 !== 9 ? 'well' : index % 20 === 9 ? 'refuses' : 'hangs');

await using opened = new AsyncDisposableStack();
const { pool, connection } = await openDatabase();
const credentialKeys = `k1:${randomBytes(32).toString('base64')}`;
const keys = KeyRing.parse(credentialKeys);
const committedMs = new Map<string, number>();
const arrivedMs = new Map<string, number>();
const receiver = await openReceiver();
const refusing = await closedPort();
const accounts: { work: Work; fate: Fate }[] = [];
for (let index = 0; index < Number(values.endpoints); index += 1) accounts.push(await openAccount(index));
const sender = await openSender();
const memory = followMemory(sender.pid ?? 0);
const startedMs = performance.now();
await recordAll();
const recordedSec = (performance.now() - startedMs) / 1_000;
const expected = [...committedMs.keys()].filter((text) => text.startsWith('well'));
const deadlineMs = performance.now() + LOST_AFTER_MS;
while (arrivedMs.size < expected.length && performance.now() < deadlineMs) await sleep(50);
const allSec = (performance.now() - startedMs) / 1_000;
report(memory());

function report(senderMib: number): void {
  const latencies = expected.flatMap((text) => {
    const [sent, got] = [committedMs.get(text), arrivedMs.get(text)];
    return sent === undefined || got === undefined ? [] : [got - sent];
  });
  const figures = {
    events,
    endpoints: accounts.length,
    dead: accounts.filter(({ fate }) => fate !== 'well').length,
    recordedPerSec: Math.round(events / recordedSec),
    arrivedPerSec: Math.round(latencies.length / allSec),
    healthyP50Ms: quantileOf(latencies, 0.5),
    healthyP99Ms: quantileOf(latencies, 0.99),
    lost: expected.length - latencies.length,
    senderMib: Math.round(senderMib),
  };
  console.table([figures]);
  const ok =
    figures.healthyP99Ms <= TARGETS.healthyP99Ms &&
    figures.lost === TARGETS.lost &&
    figures.senderMib <= TARGETS.senderMib;
  console.log(JSON.stringify({ bench: 'notifications', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}

/** Records the events evenly over the given time, or as fast as possible. */
async function recordAll(): Promise<void> {
  const queue = new PQueue({ concurrency: WRITERS });
  for (let event = 0; event < events; event += 1) {
    const aheadMs = startedMs + (event / events) * seconds * 1_000 - performance.now();
    if (aheadMs > 5) await sleep(aheadMs);
    await queue.onSizeLessThan(WRITERS);
    const account = accounts[event % accounts.length];
    if (account !== undefined) void queue.add(() => recordEvent(account, event));
  }
  await queue.onIdle();
}

async function recordEvent({ work, fate }: { work: Work; fate: Fate }, event: number): Promise<void> {
  const text = `${fate} ${event}`;
  await underAccountLock(work, (tx, at) =>
    recordEvents(tx, at, [{ type: 'notification', payload: { kind: 'notify', text } }]),
  );
  committedMs.set(text, performance.now());
}

async function openReceiver(): Promise<string> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { text } = (JSON.parse(body) as { data: { text: string } }).data;
      // A hanging endpoint never reads.
      if (!text.startsWith('well')) return;
      if (!arrivedMs.has(text)) arrivedMs.set(text, performance.now());
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

async function closedPort(): Promise<string> {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}/hook`;
}

async function openAccount(index: number): Promise<{ work: Work; fate: Fate }> {
  const accountId = await findOrCreateAccountOfUser(pool, {
    userId: randomUUID(),
    name: 'Bench',
    paperCash: '1',
  });
  const work = systemWork(pool, { accountId, mode: 'paper' });
  const fate = fateOf(index);
  const url = fate === 'refuses' ? refusing : receiver;
  const wanted = {
    kind: 'webhook',
    label: fate,
    url,
    switches: { 'summary.daily': 'off' },
    quietHours: null,
  } as const;
  const { row } = await createChannel(work, wanted, { keys, hasMail: false, isLoopbackAllowed: true });
  await proveChannel(work.db, row.id);
  return { work, fate };
}

async function openSender() {
  const settings: NotifierProcess = { connection, credentialKeys };
  const child = fork(PROCESS, [JSON.stringify(settings)]);
  // Kills the process, because deliveries to hanging endpoints never finish.
  opened.defer(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

/** Returns a function that ends the sampling and returns the peak memory of the process, in MiB. */
function followMemory(pid: number): () => number {
  let most = 0;
  const sample = () => {
    most = Math.max(most, totalPssMib(processTreeMemory([pid])));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    sample();
    return most;
  };
}

async function openDatabase(): Promise<{ pool: Pool; connection: DatabaseConnection }> {
  const dir = mkdtempSync(path.join(tmpdir(), 'notifications-bench-'));
  chmodSync(dir, 0o711);
  opened.defer(() => rmSync(dir, { recursive: true, force: true }));
  const { host, port, user, password, app, stop } = await startEmbeddedPostgres({
    dir: path.join(dir, 'db'),
  });
  opened.defer(() => stop());
  const owner = { host, port, user, password, dbName: 'bench' };
  const prepared = await prepareDatabase({ owner, app: { login: app } });
  const made = await openPool(prepared);
  opened.defer(() => made.close());
  return { pool: made, connection: prepared };
}
