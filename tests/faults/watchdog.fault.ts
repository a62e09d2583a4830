/** Orders that rest at a venue while no runner works. */
import { expect, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { VENUE_IDS, type Venue } from '../../db/vocabulary.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { adminBrokerOpener } from '../../server/process/admin-broker.ts';
import { UnheldOrdersWatchdog } from '../../server/process/watchdog.ts';
import {
  connectReady,
  LIVE_WORLD,
  openLiveTrader,
  orderOf,
  propose,
  waitForStatus,
} from '../support/live.ts';
import { openedForFile } from '../support/opened.ts';
import { LOOSE_RULES } from '../support/trading-fixture.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(() => openWorld(LIVE_WORLD));

async function restingWish(venue: Venue) {
  if (venue === 'crypto') return { tokenId: 'BTCUSDT', amount: '0.001', limitPrice: '20000' };
  if (venue === 'venue-a') return { tokenId: 'KXELONMARS-99:yes', amount: '10', limitPrice: '0.01' };
  const slug = 'will-elon-musk-visit-mars-before-august-2099';
  const { markets } = await world.market.at('venue-b').slug(slug, 'markets');
  const tokenId = markets.find((market) => market.slug === slug)?.outcomes[0]?.tokenId ?? '';
  return { tokenId, amount: '200', limitPrice: '0.01' };
}

const audits = (id: string) =>
  world.db
    .selectFrom('audit_event')
    .select(['action', 'after'])
    .where('subject_id', '=', id)
    .where('actor', '=', 'watchdog')
    .execute();

test('row 97: no runner for 30 s with resting orders: the watchdog ends them at every venue, once, and a later runner agrees', async () => {
  const trader = await openLiveTrader(world);
  await updateRules(trader.work, LOOSE_RULES);
  const resting: { venue: Venue; id: string; orderId: string }[] = [];
  for (const venue of VENUE_IDS) {
    const { id } = await connectReady(world, trader, venue);
    const order = await propose(world, trader, await restingWish(venue));
    await waitForStatus(world, order.id, 'open');
    resting.push({ venue, id, orderId: order.id });
  }
  let uptimeMs = 0;
  const logged: object[] = [];
  const log = (fields: object) => void logged.push(fields);
  // As in its own process: only the database of the service.
  const pool = await openPool(world.database.owner, { poolMax: 4 });
  const keys = world.config.credentialKeys;
  const watchdog = new UnheldOrdersWatchdog({
    pool,
    adminBroker: adminBrokerOpener({
      pool,
      keys,
      config: {
        marketData: 'simulator',
        simulator: { ...world.config.simulator, simulatorUrl: world.market.simulatorUrl ?? '' },
      },
    }),
    log: { info: log, warn: log, error: log },
    uptimeMs: () => uptimeMs,
  });
  await watchdog.check();
  uptimeMs = 100_000;
  await watchdog.check();
  for (const { id } of resting) expect(await audits(id)).toEqual([]);

  await world.service.stop();
  await watchdog.check();
  uptimeMs += 21_999;
  await watchdog.check();
  for (const { id } of resting) expect(await audits(id)).toEqual([]);
  uptimeMs += 1;
  await watchdog.check();
  uptimeMs += 60_000;
  await watchdog.check();
  for (const { id } of resting)
    expect(await audits(id)).toEqual([{ action: 'venue_connection.orders_ended', after: { kind: 'empty' } }]);
  expect(logged).toHaveLength(resting.length);
  await watchdog.stop();
  await pool.close();

  const later = await world.another({ ROLE: 'runner' });
  // Resting orders are reconciled every 30 s. Venue B needs three polls for a proof, which takes longer than a test should.
  const toAgree = resting.filter(({ venue }) => venue !== 'venue-b');
  const statuses = () =>
    Promise.all(toAgree.map(async ({ orderId }) => (await orderOf(world, orderId)).status));
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(toAgree.map(() => 'canceled'));
  await later.stop();
}, 120_000);
