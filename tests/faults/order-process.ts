/**
 * A process that works on orders, or proposes them, and kills itself at a given step: inside a transaction, or before
 * or after the venue is asked. The argument is JSON: see `OrderProcess`.
 */

import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool } from '../../db/pool.ts';
import { type Clock, databaseClock, systemWork } from '../../engine/platform/context.ts';
import { type ProposedIntent, proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import type { Broker } from '../../venues/broker.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { brokersAt, wrapBrokers } from '../support/paper-venue.ts';

export type OrderProcess = {
  connection: DatabaseConnection;
  /** The book of every market. */
  book: { tokenId: string; asks: [string, string][]; bids: [string, string][] };
  /** Kills itself at this step, counted from 1; never without it. */
  killAtStep?: number;
  /** Intents to propose one after the other, in place of working on orders. `stepAt` is epoch ms. */
  propose?: { accountId: string; intents: (Omit<ProposedIntent, 'stepAt'> & { stepAt: number })[] };
};

const { connection, book, killAtStep, propose } = JSON.parse(process.argv[2] ?? '{}') as OrderProcess;

let step = 0;
function mayDie(): void {
  step++;
  if (step === killAtStep) process.kill(process.pid, 'SIGKILL');
}

/** Inside a transaction the clock is asked right after the account's lock, or the paper venue's, was taken. */
const clock: Clock = async (db) => {
  if (db.isTransaction) mayDie();
  return databaseClock(db);
};

/** The same broker, which may kill the process before and after each call. */
function mortal(broker: Broker): Broker {
  const around = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    mayDie();
    const result = await call();
    mayDie();
    return result;
  };
  return {
    ...broker,
    place: (...order) => around(() => broker.place(...order)),
    cancel: (key) => around(() => broker.cancel(key)),
    find: (key) => around(() => broker.find(key)),
  };
}

const pool = await openPool(connection, { poolMax: 10 });
const market = new PaperMarket(() => new Date());
market.show(book.tokenId, book);

if (propose === undefined) {
  const tell = (fields: object, message: string) =>
    process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
  startOrderWork({
    pool,
    ...brokersAt(wrapBrokers(openPaperVenue({ pool, marketData: market, clock }), mortal)),
    clock,
    log: { info: () => {}, warn: tell, error: tell },
    periodMs: 20,
  });
  process.send?.('started');
} else {
  for (const intent of propose.intents) {
    const work = systemWork(pool, { accountId: propose.accountId, mode: 'paper' }, clock);
    const order = await proposeIntent(work, { ...intent, stepAt: new Date(intent.stepAt) });
    process.send?.(order.id);
  }
  await pool.close();
  process.disconnect?.();
}
