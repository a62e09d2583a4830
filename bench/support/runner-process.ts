/**
 * One runner in a process of its own. The argument is JSON: `connection`, `shardCount`, `periodMs`. Sends `started`, and each
 * tick that stored states. Stops on SIGTERM.
 */

import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { type Tick, ticks } from '../../server/kernel/rounds/runner-events.ts';
import { subscribeToDurations } from '../../server/kernel/subscribe-to.ts';
import { startRunner } from '../../server/workers/trading/index.ts';
import type { StoredTick } from './minute-lag.ts';
import { benchMarket } from './runner-market.ts';

type Settings = { connection: DatabaseConnection; shardCount: number; periodMs: number };

const { connection, shardCount, periodMs } = JSON.parse(process.argv[2] ?? '{}') as Settings;
subscribeToDurations<Tick>(ticks, ({ shard, stored }, ms) => {
  if (stored === 0) return;
  const storedMs = Date.now();
  process.send?.({ shard, deployments: stored, startedMs: storedMs - ms, storedMs } satisfies StoredTick);
});
const pool = await openPool(connection);
const runner = startRunner({
  pool,
  market: benchMarket(periodMs),
  clock: databaseClock,
  log: { info() {}, warn: console.error, error: console.error },
  shardCount,
  periodMs,
  wakeOrders() {},
});
process.send?.('started');
process.once('SIGTERM', async () => {
  await runner.stop();
  await pool.close();
  process.exit(0);
});
