import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openPool, unscopedDb } from '../../db/pool.ts';
import { RunnerLiveness } from '../../server/kernel/runner-liveness.ts';
import { openedForFile } from '../support/opened.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

test('a runner is missed also by a process that is too busy to look each second', async () => {
  const pool = await openPool(world.database.connection, { poolMax: 1 });
  const busy = new AbortController();
  const others = (async () => {
    while (!busy.signal.aborted) await sql`select pg_sleep(2.2)`.execute(unscopedDb(pool));
  })();
  const runners = new RunnerLiveness({ pool, isNeeded: true, graceMs: 3_000 });
  runners.start();
  try {
    expect(runners.isMissing).toBe(false);
    await expect.poll(() => runners.isMissing, { timeout: 60_000 }).toBe(true);
  } finally {
    busy.abort();
    await Promise.all([others, runners.stop()]);
    await pool.close();
  }
});
