/** Rights to send through a connection, and states that block trading through it. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemWork } from '../../engine/platform/context.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { createDemoAccount } from '../../venues/demo-accounts.ts';
import { expectOk } from '../support/api.ts';
import {
  approve,
  connect,
  connectReady,
  type LiveTrader,
  openLiveTrader,
  openLiveWorld,
  orderOf,
  propose,
  readConnection,
  SETTINGS,
  waitForState,
  waitForStatus,
} from '../support/live.ts';

import { openedForFile } from '../support/opened.ts';

const RESTING = { tokenId: 'KXELONMARS-99:yes', amount: '10', limitPrice: '0.01' };

const world = openedForFile(openLiveWorld);

const kalshi = () => {
  const venueServer = world.market.simulator?.simulatedVenues.get('kalshi');
  if (venueServer === undefined) throw new Error('venue A is not traded at');
  return venueServer;
};
const openAtVenue = (id: string) =>
  [...kalshi().venue.exchange.orders.values()].filter(({ clientOrderId }) => clientOrderId === id);

async function ready(): Promise<{ trader: LiveTrader; id: string }> {
  const trader = await openLiveTrader(world);
  const { id } = await connectReady(world, trader, 'venue-a');
  return { trader, id };
}

/** Requests a check, and waits until it was made. */
async function checkedAgain(trader: LiveTrader, id: string): Promise<void> {
  const isAsked = async () => {
    const row = world.db.selectFrom('venue_connection').select('check_requested_at').where('id', '=', id);
    return (await row.executeTakeFirstOrThrow()).check_requested_at !== null;
  };
  expectOk(await trader.send('POST', `/api/venue-connections/${id}/check`));
  await expect.poll(isAsked, { timeout: 15_000 }).toBe(false);
}

/** A resting buy, approved. */
async function rest(trader: LiveTrader): Promise<string> {
  const { id } = await propose(world, trader, RESTING);
  expectOk(await approve(trader, id));
  await waitForStatus(world, id, 'open');
  return id;
}

describe('states that block the route', () => {
  test('row 100: cancel-all: nothing rests afterwards, and the order ends', { tags: ['long'] }, async () => {
    const { trader, id } = await ready();
    const order = await rest(trader);
    expectOk(await trader.send('POST', `/api/venue-connections/${id}/cancel-all`));
    await waitForStatus(world, order, 'canceled');
    const readCancelRequest = () =>
      world.db
        .selectFrom('venue_connection')
        .select('cancel_all_requested_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    await expect.poll(readCancelRequest, { timeout: 20_000 }).toEqual({ cancel_all_requested_at: null });
  });
});

describe('credentials', () => {
  test('row 108: two tenants connect the same venue account: the second never becomes ready', async () => {
    const member = createDemoAccount('venue-a');
    const first = await openLiveTrader(world);
    await connectReady(world, first, 'venue-a', member);
    const second = await openLiveTrader(world);
    const { id } = await connect(world, second, 'venue-a', member);
    await expect
      .poll(async () => (await readConnection(second, id)).stateCode, { timeout: 15_000 })
      .toBe('check_account');
    expect((await readConnection(second, id)).state).toBe('unverified');
  });

  test.each(['venue-a', 'crypto'] as const)(
    'row 107: a key %s does not know in this environment stays unverified, however often it is checked',
    async (venue) => {
      const trader = await openLiveTrader(world);
      const known = createDemoAccount(venue);
      const { credentials } = createDemoAccount(venue);
      const { id } = await connect(world, trader, venue, { ...known, credentials });
      await expect
        .poll(async () => (await readConnection(trader, id)).stateCode, { timeout: 15_000 })
        .toBe('credentials_not_accepted');
      for (const _ of [1, 2]) await checkedAgain(trader, id);
      expect(await readConnection(trader, id)).toMatchObject({
        state: 'unverified',
        stateCode: 'credentials_not_accepted',
        checks: [{ name: 'signed_read', state: 'red' }],
      });
    },
  );

  test('row 48: a check that finds the key refused halts a ready connection', async () => {
    const trader = await openLiveTrader(world);
    const member = createDemoAccount('crypto');
    const { id } = await connectReady(world, trader, 'crypto', member);
    const venueServer = world.market.simulator?.simulatedVenues.get('binance');
    venueServer?.venue.exchange.accounts.get(member.account.id)?.keys.delete(member.key.id);
    await checkedAgain(trader, id);
    expect(await waitForState(trader, id, 'halted')).toMatchObject({ stateCode: 'credentials_not_accepted' });
  });

  test('row 105: swapped ciphertext of two connections is refused and audited', {
    tags: ['long'],
  }, async () => {
    const one = await ready();
    const two = await ready();
    await world.db.transaction().execute(async (tx) => {
      await sql`update venue_credential a set ciphertext = b.ciphertext, nonce = b.nonce, tag = b.tag,
        wrapped_key = b.wrapped_key from venue_credential b
        where a.connection_id = ${one.id} and b.connection_id = ${two.id}`.execute(tx);
      // The next holder of the lease opens the credentials again.
      await sql`update venue_connection set lease_epoch = lease_epoch + 1 where id = ${one.id}`.execute(tx);
      await sql`update venue_connection set leased_until = null where id = ${one.id}`.execute(tx);
    });
    expect(await waitForState(one.trader, one.id, 'halted')).toMatchObject({
      stateCode: 'credentials_refused',
    });
    const audited = await world.db
      .selectFrom('audit_event')
      .select('action')
      .where('subject_id', '=', one.id)
      .execute();
    expect(audited.map(({ action }) => action)).toContain('venue_connection.halted');
    expect(await readConnection(two.trader, two.id)).toMatchObject({ state: 'ready' });
  });
});

test('row 85: a process whose lease another process holds sends nothing; the order stays queued for the holder', {
  tags: ['long'],
}, async () => {
  const { trader, id } = await ready();
  const order = await propose(world, trader, RESTING);
  await sql`update venue_connection set lease_epoch = lease_epoch + 1, lease_owner = 'another',
    leased_until = clock_timestamp() + interval '1 second' where id = ${id}`.execute(world.db);
  expectOk(await approve(trader, order.id));
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await orderOf(world, order.id)).toMatchObject({ status: 'queued' });
  expect(openAtVenue(order.id)).toEqual([]);
  // The other holder is gone: its lease is taken over, the account is reconciled, and the order leaves once.
  await waitForStatus(world, order.id, 'open');
  expect(openAtVenue(order.id)).toHaveLength(1);
  const dispatch = await world.db
    .selectFrom('order_dispatch')
    .select('lease_epoch')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow();
  expect(Number(dispatch.lease_epoch)).toBeGreaterThan(2);
});

describe('a start with other settings', () => {
  let trader: LiveTrader;
  let connectionId: string;
  let [kept, canceled] = ['', ''];
  let waiting: string;
  beforeAll(async () => {
    ({ trader, id: connectionId } = await ready());
    [kept, canceled] = [await rest(trader), await rest(trader)];
    ({ id: waiting } = await propose(world, trader, RESTING));
    await world.service.stop();
  });

  test('row 103: LIVE_TRADING=off with open orders: nothing is bought, cancels and fills still work', {
    tags: ['long'],
  }, async () => {
    const off = await world.another({ LIVE_TRADING: 'off' });
    try {
      const order = openAtVenue(kept)[0];
      if (order === undefined) throw new Error('it is not there');
      kalshi().venue.exchange.fillResting(order, order.amount);
      await waitForStatus(world, kept, 'filled');
      await world.db
        .updateTable('trade_order')
        .set({ cancel_requested_at: new Date() })
        .where('id', '=', canceled)
        .execute();
      await waitForStatus(world, canceled, 'canceled');
      // Approved by a process that did not know of the switch yet.
      const work = systemWork(off.pool, { accountId: trader.accountId, mode: 'live' });
      await approveOrder(work, waiting, undefined, SETTINGS);
      expect(await waitForStatus(world, waiting, 'canceled')).toMatchObject({
        reason_code: 'live_trading_off',
      });
      expect(openAtVenue(waiting)).toEqual([]);
    } finally {
      await off.stop();
    }
  });

  test('row 104: CREDENTIAL_KEYS without the key of a record: that connection is halted, the service starts', async () => {
    const keys = `k9:${randomBytes(32).toString('base64')}`;
    const again = await world.another({ CREDENTIAL_KEYS: keys });
    const state = () =>
      world.db
        .selectFrom('venue_connection')
        .select(['state', 'state_code'])
        .where('id', '=', connectionId)
        .executeTakeFirstOrThrow();
    await expect
      .poll(state, { timeout: 15_000 })
      .toEqual({ state: 'halted', state_code: 'credentials_locked' });
    await again.stop();
  });
});
