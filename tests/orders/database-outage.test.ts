/** The database is unreachable when the venue has responded. */
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { findSentWithoutSender } from '../../engine/trading/orders/execution/queue.ts';
import { reconcileOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { intentOf, openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeAll(() => fixture.quote(YES));

/** Blocks all connections and ends the existing ones, or admits connections again. */
async function admit(isIn: boolean): Promise<void> {
  const { dbName, ...server } = fixture.database.owner;
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`alter database ${dbName} with allow_connections ${isIn}`);
    if (!isIn)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        dbName,
      ]);
  } finally {
    await client.end();
  }
}

/** Makes its caller's database unreachable once it has responded. */
class LastAnswer extends ScriptedBroker {
  override async place(...order: Parameters<ScriptedBroker['place']>) {
    const placed = await super.place(...order);
    await admit(false);
    return placed;
  }
}

test('row 86: database down between answer and booking: nothing is sent twice, and the order is found afterwards', async () => {
  const trader = await fixture.trader();
  const work = fixture.workOf(trader.accountId, 'system');
  const broker = new LastAnswer(fixture.now);
  const { id } = await proposeIntent(trader.work(), intentOf(trader));
  try {
    await expect(sendOrder(work, broker, id)).rejects.toThrow();
    await expect(proposeIntent(trader.work(), intentOf(trader)), 'entries stop meanwhile').rejects.toThrow();
  } finally {
    await admit(true);
  }
  expect((await fixture.order(id)).status).toBe('submitted');
  expect(await sendOrder(work, broker, id)).toBeNull();
  fixture.wait(16_000);
  expect((await findSentWithoutSender(fixture.db, fixture.now(), 10)).map((key) => key.id)).toEqual([id]);
  await reconcileOrder(work, broker, id);
  expect(await fixture.order(id)).toMatchObject({ status: 'open', venue_order_id: `v-${id}` });
  expect(broker.placed).toHaveLength(1);
});
