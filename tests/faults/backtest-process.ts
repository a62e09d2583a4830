/** Runs backtests in a process of its own, which dies within a second at random. The argument is JSON: `connection`. */
import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { startBacktests } from '../../server/workers/research/index.ts';
import { openMarketData } from '../../simulator/market-data.ts';

const { connection } = JSON.parse(process.argv[2] ?? '{}') as { connection: DatabaseConnection };
const quiet = () => {};
const log = {
  info: quiet,
  warn: quiet,
  error: (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};
startBacktests({
  pool: await openPool(connection, { poolMax: 4 }),
  market: await openMarketData({ mode: 'simulator', seed: 'tests' }),
  importHistory: async () => {},
  historyArchive: null,
  clock: databaseClock,
  log,
  leaseMs: 1_000,
  heartbeatMs: 100,
  threads: 1,
});
process.send?.('started');
