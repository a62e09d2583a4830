/** Automatic circuit breakers of live trading, in a running service that trades at simulated venues. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { adminBrokerOpener } from '../../server/process/admin-broker.ts';
import { KillSwitch } from '../../server/process/kill-switch.ts';
import { createDemoAccount } from '../../venues/demo-accounts.ts';
import { expectOk } from '../support/api.ts';
import {
  connect,
  type LiveTrader,
  openLiveTrader,
  openLiveWorld,
  orderOf,
  propose,
  waitForReconciliation,
  waitForState,
  waitForStatus,
  waitUntil,
} from '../support/live.ts';
import { openedForFile } from '../support/opened.ts';
import { LOOSE_RULES } from '../support/trading-fixture.ts';

const world = openedForFile(openLiveWorld);

/** An account whose small orders need no approval, connected to crypto. */
async function trading() {
  const trader = await openLiveTrader(world);
  await updateRules(trader.work, LOOSE_RULES);
  const member = createDemoAccount('crypto');
  const { id } = await connect(world, trader, 'crypto', member);
  await waitForState(trader, id, 'ready');
  await waitForReconciliation(world, id);
  return { trader, member, id };
}

const venueServer = () => {
  const found = world.market.simulator?.simulatedVenues.get('binance');
  if (found === undefined) throw new Error('Crypto is not traded at.');
  return found;
};
const bid = (trader: LiveTrader) =>
  propose(world, trader, { tokenId: 'BTCUSDT', amount: '0.001', limitPrice: '20000' });
const rowOf = (id: string) =>
  world.db.selectFrom('venue_connection').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const auditsOf = async (id: string) =>
  (
    await world.db
      .selectFrom('audit_event')
      .select(['action', 'after'])
      .where('subject_id', '=', id)
      .orderBy('at')
      .orderBy('id')
      .execute()
  ).map(({ action, after }) => `${action} ${(after as { code?: string | null } | null)?.code ?? ''}`.trim());

test('row 48: a key revoked during trading halts the connection; only a person resumes it, with another key and after reconciling again', {
  tags: ['long'],
}, async () => {
  const { trader, member, id } = await trading();
  const order = await bid(trader);
  await waitForStatus(world, order.id, 'open');
  venueServer().venue.exchange.accounts.get(member.account.id)?.keys.delete(member.key.id);
  await bid(trader);
  const halted = await waitForState(trader, id, 'halted');
  expect(halted.stateCode).toBe('credentials_not_accepted');
  expect((await bid(trader)).status).toBe('denied');
  expect((await orderOf(world, order.id)).status).toBe('open');
  expect(await auditsOf(id)).toContain('venue_connection.halted credentials_not_accepted');
  expect(world.logged.join('')).toContain('"code":"credentials_not_accepted"');
  const { state_reason, state_at } = await rowOf(id);
  expect(state_reason).toContain('the state of open orders there is unknown');

  const { key, credentials } = createDemoAccount('crypto');
  venueServer()
    .venue.exchange.accounts.get(member.account.id)
    ?.keys.set(key.id, { ...key, expiresMs: null });
  const body = { credentials, password: trader.password };
  expectOk(await trader.send('POST', `/api/venue-connections/${id}/rotate`, body));
  // A new key starts a new verification, and verification resumes the connection.
  await waitForState(trader, id, 'ready');
  await waitUntil(
    () => rowOf(id),
    ({ reconciled_at: at }) => at !== null && new Date(at) > new Date(state_at),
  );
  const [before, after] = [order.id, (await bid(trader)).id];
  await waitForStatus(world, after, 'open');
  expect((await orderOf(world, before)).status).toBe('open');
});

test('a circuit breaker that expires alone blocks entries while it lasts, and admits them afterwards', async () => {
  const { trader, id } = await trading();
  const trip = (at: Date | null) =>
    sql`update trading_account set tripped_at = ${at?.toISOString() ?? null}, trip_reason = ${at && 'Lost.'}
      where account_id = ${trader.accountId} and mode = 'live'`.execute(world.db);
  await trip(new Date());
  expect((await waitForState(trader, id, 'reduce_only')).stateCode).toBe('daily_loss');
  await trip(null);
  await waitForState(trader, id, 'ready');
  expect(await auditsOf(id)).toEqual(
    expect.arrayContaining(['venue_connection.reduce_only daily_loss', 'venue_connection.ready']),
  );
});

test('row 99: the kill switch during 20 sends: nothing new leaves, and orders in flight are found and ended', {
  tags: ['long'],
}, async () => {
  const { trader, id } = await trading();
  venueServer().faults.add({ method: 'POST', path: '/api/v3/order', times: 20, delayMs: 1_000 });
  const orders = await Promise.all(Array.from({ length: 20 }, () => bid(trader)));
  expect(orders.map(({ status }) => status)).toEqual(orders.map(() => 'queued'));
  const dispatches = () =>
    world.db.selectFrom('order_dispatch').selectAll().where('connection_id', '=', id).execute();
  await expect.poll(async () => (await dispatches()).length).toBeGreaterThan(0);

  const { pool, config } = world;
  const adminBroker = adminBrokerOpener({
    pool,
    keys: config.credentialKeys,
    config: {
      marketData: 'simulator',
      simulator: { ...config.simulator, simulatorUrl: world.market.simulatorUrl ?? '' },
    },
  });
  const [killed] = await new KillSwitch({ pool, adminBroker }).kill([await rowOf(id)], () => {});
  expect(killed).toMatchObject({ haltError: null, noteError: null, emptied: { kind: 'empty' } });
  const haltedAt = new Date((await rowOf(id)).state_at);

  for (const { id: orderId } of orders) await waitForStatus(world, orderId, 'canceled');
  const left = await dispatches();
  expect(left.length).toBeLessThan(20);
  for (const { sent_at } of left) expect(new Date(sent_at).getTime()).toBeLessThanOrEqual(haltedAt.getTime());
  const unsent = orders.filter((order) => !left.some(({ order_id }) => order_id === order.id));
  for (const { id: orderId } of unsent)
    expect(await orderOf(world, orderId)).toMatchObject({
      venue_order_id: null,
      reason_code: 'connection_halted',
    });
});
