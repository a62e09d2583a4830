import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { recordCommandEnd } from '../../server/kernel/scheduled-commands.ts';
import { DATABASE_GAUGES } from '../../server/metrics/database-metrics.ts';
import { listenForProbes } from '../../server/metrics/listen-for-probes.ts';
import { openedForFile } from '../support/opened.ts';
import { addConnection } from '../support/trading.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(() => openWorld({ settings: { METRICS_PORT: '0' } }));

const scrape = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${world.service.metricsPort}/metrics`)).text();

/** Tables with a state or a lease that no gauge reads. */
const WITHOUT: Readonly<Record<string, string>> = {
  fill: 'a provisional one is found by no index; it becomes final, or a difference with its venue',
  idempotency_key: 'its status is the one an answer had',
};

test('each table with a state, a status or a lease has a gauge, or a reason why not', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ('state', 'status', 'lease_until', 'leased_until', 'lease_owner')
    order by 1`.execute(world.db);
  expect(rows.length).toBeGreaterThan(8);
  const statements = DATABASE_GAUGES.map(({ query }) => query.compile(world.db).sql).join('\n');
  const missing = rows
    .map(({ name }) => name)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(statements));
  expect(missing).toEqual(Object.keys(WITHOUT));
});

test('a halted connection, an old difference and a failed verification show in one scrape, under bounded labels', async () => {
  const account = await world.account();
  const id = await addConnection(account);
  await world.db
    .updateTable('venue_connection')
    .set({ state: 'halted', lease_epoch: '1' })
    .where('id', '=', id)
    .execute();
  await recordCommandEnd(world.db, { name: 'verify-ledger', isOk: false });
  const text = await scrape();
  expect(text).toContain('trading_database_up 1\n');
  expect(text).toMatch(/trading_connections\{.*state="halted".*\} 1\n/);
  expect(text).toContain('trading_connections_unheld 1\n');
  expect(text).toContain('trading_operation_failed{operation="verify-ledger"} 1\n');
  expect(text).toContain('trading_operation_age_seconds{operation="verify-ledger"} +Inf\n');
  expect(text).toMatch(/trading_locks_held\{lock="watchdog"\} 0\n/);
  // Nothing to measure is no value: 0 would mean that a key expires now.
  expect(text).not.toMatch(/^trading_venue_key_expiry_seconds /m);
});

test('a failing query is 500: it neither hangs the scrape nor ends the process', async () => {
  const { server, port } = await listenForProbes(
    { host: '127.0.0.1', port: 0 },
    { '/metrics': () => Promise.reject(new Error('a collector failed')) },
  );
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(500);
  server.close();
});

test('no gauge is named as a counter and no counter as a gauge', async () => {
  const types = [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  expect(types.length).toBeGreaterThan(50);
  const wrong = types.filter(([, name = '', type]) => name.endsWith('_total') !== (type === 'counter'));
  expect(wrong.map(([line]) => line)).toEqual([]);
});
