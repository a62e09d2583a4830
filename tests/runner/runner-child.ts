/** A runner in a process of its own, so that tests can kill it. Arguments: the database as JSON, the number of shards. */

import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { Runner } from '../../server/workers/trading/runner.ts';
import { FakeMarket } from './fake-market.ts';

const [connection = '{}', shardCount = '1'] = process.argv.slice(2);
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: console.error };
const context = contextOf({
  pool: await openPool(JSON.parse(connection) as DatabaseConnection),
  market: new FakeMarket(),
  clock: databaseClock,
  log,
  shardCount: Number(shardCount),
  periodMs: 50,
  leaseMs: 1_000,
  wakeOrders: quiet,
});
const runner = new Runner(context, new LogOnce(log));
runner.start();
process.send?.('started');
