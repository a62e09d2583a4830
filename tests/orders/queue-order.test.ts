/** The order in which the runner takes work that is due at once. */
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { findQueued } from '../../engine/trading/orders/execution/queue.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, LIVE_SETTINGS, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const LIMIT = 100;

const fixture = openedForFile(openTradingFixture);
beforeEach(() => fixture.quote(YES));

type Buy = (trader: Trader) => Promise<{ id: string }>;

const buyOnPaper: Buy = (trader) => proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
const buyLive: Buy = async (trader) =>
  proposeIntent({ ...trader.work(), mode: 'live' }, intentOf(trader, { amount: '1' }), LIVE_SETTINGS);

/** Orders of one instant, whose rows lie in the table in reverse. */
async function ordersOfOneInstant(trader: Trader, buy: Buy): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push((await buy(trader)).id);
  for (const id of ids.toReversed())
    await sql`update trade_order set updated_at = updated_at where id = ${id}`.execute(fixture.db);
  return ids;
}

test.each([
  ['on paper', buyOnPaper],
  ['through a connection', buyLive],
])('orders queued in one instant %s are sent in the order of their decisions', async (_where, buy) => {
  const trader = await fixture.trader();
  await fixture.openLive(trader);
  const ids = await ordersOfOneInstant(trader, buy);
  const found = await findQueued(fixture.db, fixture.now(), LIMIT);
  expect(found.filter(({ accountId }) => accountId === trader.accountId).map(({ id }) => id)).toEqual(ids);
});
