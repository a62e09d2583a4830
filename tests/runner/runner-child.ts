/** A runner in a process of its own, so that tests can kill it. Arguments: the database as JSON, the number of shards. */

import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/context.ts';
import { Runner } from '../../server/runner/runner.ts';
import { FakeMarket } from './fake-market.ts';

const [connection = '{}', shardCount = '1'] = process.argv.slice(2);
const quiet = () => {};
const runner = new Runner({
  pool: await openPool(JSON.parse(connection) as DatabaseConnection),
  market: new FakeMarket(),
  clock: databaseClock,
  log: { info: quiet, warn: quiet, error: console.error },
  shardCount: Number(shardCount),
  periodMs: 50,
  leaseMs: 1_000,
  nudgeOrders: quiet,
});
await runner.start();
process.send?.('started');
