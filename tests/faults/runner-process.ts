/**
 * A whole runner in a process of its own on a shared simulator: blueprints, feeds, order sending, the paper venue.
 * The argument is JSON: `connection`, `simulatorUrl`, `shardCount`.
 */
import { setInterval as every } from 'node:timers/promises';
import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { startRunner } from '../../server/workers/trading/index.ts';
import { startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import { brokersAt } from '../support/paper-venue.ts';

type Settings = { connection: DatabaseConnection; simulatorUrl: string; shardCount: number };

const { connection, simulatorUrl, shardCount } = JSON.parse(process.argv[2] ?? '{}') as Settings;
const quiet = () => {};
const log = {
  info: quiet,
  warn: (fields: object, message: string) => {
    if (process.env['FAULT_LOG']) process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
  },
  error: (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};
const pool = await openPool(connection, { poolMax: 12 });
const market = await openMarketData({ mode: 'simulator', simulatorUrl });
await market.orderBook('BTCUSDT');
const clock = databaseClock;
const orders = startOrderWork({
  pool,
  ...brokersAt(openPaperVenue({ pool, marketData: market, clock })),
  clock,
  log,
  periodMs: 100,
});
startRunner({
  pool,
  market,
  clock,
  log,
  shardCount,
  periodMs: 100,
  quotePeriodMs: 100,
  wakeOrders: () => orders.wake(),
});
process.send?.('started');

// The world's time comes with its answers, and a process without a feed may ask nothing for long.
for await (const _ of every(100)) await market.orderBook('BTCUSDT').catch(quiet);
