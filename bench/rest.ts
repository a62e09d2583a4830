/**
 * Measures an idle service: statements a second as PostgreSQL logs them, and processor time of both processes. No strategy is
 * deployed and no caller sends a request.
 *
 *   node bench/rest.ts [--seconds 60] [--project <folder of another checkout>]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { migrateDatabase } from '../db/migrating/migrate.ts';
import { processorSecondsOfFamily } from './support/processor.ts';
import { startService } from './support/service.ts';

const TARGETS = { statementsPerSec: 2, coreShare: 0.005 };
const SETTLE_SEC = 15;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    project: { type: 'string', default: path.join(import.meta.dirname, '..') },
  },
});
const seconds = Number(values.seconds);

await using opened = new AsyncDisposableStack();
const dir = mkdtempSync(path.join(tmpdir(), 'rest-bench-'));
chmodSync(dir, 0o711);
opened.defer(() => rmSync(dir, { recursive: true, force: true }));
const log = path.join(dir, 'db', 'postgres.log');
const database = await startEmbeddedPostgres({
  dir: path.join(dir, 'db'),
  settings: { log_statement: 'all', log_min_duration_statement: '-1' },
});
opened.defer(() => database.stop());
const { host, port, user, password } = database;
const postmaster = Number(
  readFileSync(path.join(database.dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
);
const connection = { host, port, user, password, dbName: 'trading' };
await migrateDatabase(connection);
const service = await startService(values.project, {
  DATA_DIR: path.join(dir, 'db'),
  LOG_LEVEL: 'warn',
  DEMO: '0',
  CONSOLE_BUILD: '0',
});
opened.defer(async () => void (await service.stop()));
await sleep(SETTLE_SEC * 1_000);

const before = taken();
await sleep(seconds * 1_000);
const after = taken();
const sent = statements().slice(before.statements);
const figures = {
  statementsPerSec: perSec('statements'),
  coreShare: perSec('serviceSec') + perSec('databaseSec'),
  serviceShare: perSec('serviceSec'),
  databaseShare: perSec('databaseSec'),
};
const ok = Object.entries(TARGETS).every(([name, most]) => figures[name as keyof typeof TARGETS] <= most);
console.table(mostSent());
console.table(figures);
console.log(JSON.stringify({ bench: 'rest', figures, targets: TARGETS, ok }));
if (!ok) process.exitCode = 1;

function taken() {
  return {
    statements: statements().length,
    serviceSec: processorSecondsOfFamily(service.pid),
    databaseSec: processorSecondsOfFamily(postmaster),
  };
}

/** Reads the statements that PostgreSQL has logged, each by its beginning. */
function statements(): string[] {
  const logged = readFileSync(log, 'utf8').matchAll(
    /LOG: {2}(?:statement|execute [^:]+): ([^\n]*(?:\n\t[^\n]*)?)/g,
  );
  return [...logged].map(([, text = '']) => text.replace(/\s+/g, ' ').slice(0, 100));
}

function mostSent() {
  const counts = Map.groupBy(sent, (text) => text);
  return [...counts]
    .map(([statement, times]) => ({ statement, times: times.length }))
    .sort((a, b) => b.times - a.times)
    .slice(0, 12);
}

function perSec(figure: keyof ReturnType<typeof taken>): number {
  return Math.round(((after[figure] - before[figure]) / seconds) * 10_000) / 10_000;
}
