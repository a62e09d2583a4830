import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { fill } from '../../bench/support/runner-world.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { createTestDatabase } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { EmbeddedFolders } from '../support/embedded.ts';
import { printFigure } from '../support/fault-figures.ts';

const ROOT = path.join(import.meta.dirname, '../..');
/** Running blueprints; 0 skips the test. */
const MANY = Number(process.env['FAULT_MANY'] ?? 50_000);
const SHARDS = 64;
const TICKED_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 45_000;

describe.skipIf(MANY === 0)(`${MANY} running blueprints${MANY ? '' : ' (left out: FAULT_MANY=0)'}`, () => {
  test('are all evaluated within a minute of a start, and the service stops in order within 45 s', async () => {
    const database = await createTestDatabase();
    const pool = await openPool(database.owner, {
      poolMax: 2,
      statementTimeoutMs: 0,
      answerWithinMs: 600_000,
    });
    const db = systemDb(pool);
    await fill(db, MANY, { shardCount: SHARDS });
    await using playground = new EmbeddedFolders();
    const { user, password } = inject('pg').app;
    const proxy = await DatabaseProxy.open(database.owner);
    const child = spawn(process.execPath, ['server/start.mjs'], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        PORT: String(await freePort()),
        SHARDS: String(SHARDS),
        MIGRATION_DATABASE_URL: `postgresql://${database.owner.user}:${database.owner.password}@127.0.0.1:${proxy.port}/${database.owner.dbName}`,
        DATABASE_URL: `postgresql://${user}:${password}@127.0.0.1:${proxy.port}/${database.owner.dbName}`,
        DATA_DIR: playground.dir(),
        CONSOLE_BUILD: '0',
        DEMO: '0',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const startedMs = performance.now();
    for (;;) {
      const { rows } = await sql<{ ticked: number }>`
        select count(*)::int as ticked from shard where last_tick_at is not null`.execute(db);
      if (rows[0]?.ticked === SHARDS) break;
      if (performance.now() - startedMs > TICKED_WITHIN_MS) expect(rows[0]?.ticked).toBe(SHARDS);
      await sleep(100);
    }
    printFigure('every blueprint looked at, ms after the start', Math.round(performance.now() - startedMs));
    const stoppingMs = performance.now();
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    printFigure('stopped, ms', Math.round(performance.now() - stoppingMs));
    expect(code).toBe(0);
    expect(performance.now() - stoppingMs).toBeLessThan(STOPPED_WITHIN_MS);
    await proxy.close();
    await pool.close();
    await database.drop();
  });
});
