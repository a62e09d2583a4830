/** Row 38, in full: a year of minutes over a bad connection, by a command that is killed repeatedly. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool, type Pool, systemDb } from '../../db/pool.ts';
import { readHistory } from '../../engine/history/store.ts';
import { recordPriceSource } from '../../engine/platform/price-source.ts';
import { type Simulator, startSimulator } from '../../simulator/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type FaultyVenue, openFaultyVenue } from '../support/faulty-venue.ts';
import { settingsOf } from '../support/run-command.ts';

const COMMAND = path.join(import.meta.dirname, '../../server/cli/history-import.ts');
const KEY = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: 60_000 } as const;
const YEAR = { fromMs: Date.UTC(2025, 8, 1), toMs: Date.UTC(2026, 8, 1) };
const ASKED = ['--token', 'BTCUSDT', '--interval', '1m', '--from', '2025-09-01', '--to', '2026-09-01'];
const KILLS = 6;

let database: TestDatabase;
let pool: Pool;
let simulator: Simulator;
let venue: FaultyVenue;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool(database.owner);
  await recordPriceSource(systemDb(pool), 'simulator', new Date());
  simulator = await startSimulator({ seed: 'tests' });
  simulator.clock.pin(Date.UTC(2026, 8, 20) / 1_000);
  venue = await openFaultyVenue(`${simulator.url}/binance`, 9);
});
afterAll(async () => {
  await venue[Symbol.asyncDispose]();
  await simulator.close();
  await pool.close();
  await database.drop();
});

function start() {
  return spawn(process.execPath, [COMMAND, ...ASKED], {
    env: {
      ...process.env,
      ...settingsOf(database),
      MARKET_DATA: 'simulator',
      SIMULATOR_URL: simulator.url,
      BINANCE_URL: venue.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const held = async () => (await readHistory(systemDb(pool), KEY, YEAR))?.rows.count ?? 0;

test('row 38: killed at any moment the import resumes, and requests nothing twice after it has completed', async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await held();
    const child = start();
    await expect.poll(held, { timeout: 120_000, interval: 100 }).toBeGreaterThan(before);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const last = start();
  let output = '';
  last.stdout.on('data', (text) => (output += text));
  last.stderr.on('data', (text) => (output += text));
  expect((await once(last, 'exit'))[0], output).toBe(0);
  const read = await readHistory(systemDb(pool), KEY, YEAR);
  expect(read).toMatchObject({ gaps: [], missing: [], source: 'simulator' });
  expect(read?.rows.count).toBe(525_600);
  const requests = venue.counts.get('requests') ?? 0;
  const again = start();
  expect((await once(again, 'exit'))[0]).toBe(0);
  expect(venue.counts.get('requests')).toBe(requests);
});
