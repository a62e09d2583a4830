/** One runner in a process of its own. The argument is JSON: `connection`, `shardCount`, `periodMs`. Stops on SIGTERM. */

import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { startRunner } from '../../server/workers/trading/index.ts';
import { benchMarket } from './runner-market.ts';

type Settings = { connection: DatabaseConnection; shardCount: number; periodMs: number };

const { connection, shardCount, periodMs } = JSON.parse(process.argv[2] ?? '{}') as Settings;
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
