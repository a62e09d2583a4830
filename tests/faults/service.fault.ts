import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { printFigure } from '../support/fault-figures.ts';
import { FaultClient } from './fault-client.ts';
import { type FaultStand, openStand } from './stand.ts';

/** Duration of a lasting fault. */
const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 20);
/** Repetitions of a short fault. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 5);
/** A connection that owes an answer is closed after twelve seconds; a longer freeze is noticed by every process. */
const FROZEN_MS = 14_000;
const OPENED_WITHIN_MS = 180_000;

let stand: FaultStand;
let customers: FaultClient[];
beforeAll(async () => {
  stand = await openStand();
  const trader = await FaultClient.open(stand.base);
  await trader.trade();
  await trader.rest();
  await stand.tradesAgain();
}, OPENED_WITHIN_MS);
afterAll(() => stand.close());
beforeEach(async () => {
  await stand.untilReady();
  customers = [await FaultClient.open(stand.base), await FaultClient.open(stand.base)];
});
afterEach(async ({ task }) => {
  const healMs = performance.now();
  await stand.untilReady();
  await stand.tradesAgain();
  await Promise.all(customers.map((customer) => customer.rest()));
  for (const customer of customers) await customer.check();
  expect(await verifyLedger(stand.db)).toEqual([]);
  const sum = (field: 'operations' | 'retried') =>
    customers.reduce((total, { tally }) => total + tally[field], 0);
  printFigure(
    task.name,
    `${sum('operations')} operations, ${sum('retried')} retried, trading again after ${Math.round(performance.now() - healMs)} ms`,
  );
});

/** Repeats an action for the duration of a fault. */
async function forSeconds(everyMs: number, task: () => void): Promise<void> {
  const deadline = performance.now() + SECONDS * 1_000;
  while (performance.now() < deadline) {
    task();
    await sleep(everyMs);
  }
}

describe('nothing acknowledged is lost, nothing is 500, the ledger agrees, no stream has a gap, and trading continues afterwards', () => {
  test('kill -9 of the API and of both runners', async () => {
    for (let round = 0; round < KILLS; round++) {
      await stand.replace('api');
      await stand.replace(round % 2 === 0 ? 'runner' : 'other runner');
      await stand.untilReady();
      await sleep(500);
    }
  });

  test('kill -9 of the database server', async () => {
    for (let round = 0; round < KILLS; round++) {
      stand.killPostmaster();
      await sleep(500);
      await stand.untilReady();
    }
  });

  test('half of all database connections cut, four times a second', async () => {
    await forSeconds(250, () => stand.proxy.cut(() => Math.random() < 0.5));
  });

  test('answers cut off on the way to the client', async () => {
    await forSeconds(100, () => stand.door.cut(() => Math.random() < 0.3));
  });

  test('database connections that silently stop answering', async () => {
    stand.proxy.silence();
    await sleep(FROZEN_MS);
  });

  test('a database that freezes and resumes', async () => {
    stand.signalDatabase('SIGSTOP');
    await sleep(FROZEN_MS);
    stand.signalDatabase('SIGCONT');
  });

  test('a runner that freezes for longer than its lease and resumes', async () => {
    stand.signal('runner', 'SIGSTOP');
    await sleep(10_000);
    stand.signal('runner', 'SIGCONT');
  });
});
