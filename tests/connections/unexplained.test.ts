/** A running service beside venues with deposits and withdrawals, and with unrecorded movements of money. */
import { expect, test } from 'vitest';
import { VENUE_IDS, type Venue } from '../../db/vocabulary.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { createDemoAccount } from '../../venues/demo-accounts.ts';
import {
  approve,
  connectReady,
  openLiveTrader,
  openLiveWorld,
  propose,
  tokenOf,
  waitForReconciliation,
  waitForStatus,
  waitUntil,
} from '../support/live.ts';

import { openedForFile } from '../support/opened.ts';

const world = openedForFile(openLiveWorld);

const AT: Readonly<Record<Venue, { venueServer: string; asset: string; hasRecord: boolean }>> = {
  'venue-a': { venueServer: 'kalshi', asset: 'USD/0', hasRecord: true },
  'venue-b': { venueServer: 'clob', asset: 'pUSD', hasRecord: true },
  // Its wallet is at the live host only.
  crypto: { venueServer: 'binance', asset: 'USDT', hasRecord: false },
};

/** Makes a change in a simulated venue. */
async function order(venue: Venue, command: string, body: object): Promise<void> {
  const { status } = await fetch(`${world.market.simulatorUrl}/simulator/trading/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ venue: AT[venue].venueServer, ...body }),
  });
  expect(status).toBe(200);
}

/** Moves money at a simulated venue; its stream ends, so the account is reconciled at once. */
async function moveThere(venue: Venue, what: 'transfers' | 'corrections', account: string, amount: string) {
  await order(venue, what, { account, asset: AT[venue].asset, amount });
  await order(venue, 'streams', { cut: true });
}

const differences = (id: string) =>
  world.db.selectFrom('venue_difference').selectAll().where('connection_id', '=', id).execute();
const booked = async (id: string) =>
  (
    await world.db
      .selectFrom('cash_entry')
      .select('amount')
      .where('connection_id', '=', id)
      .where('kind', '=', 'transfer')
      .orderBy('seq')
      .execute()
  ).map(({ amount }) => exact(amount).toNumber());

test.each(Object.entries(AT))(
  '%s: a recorded deposit is booked, and money that moves without a record is unexplained and booked by nothing',
  async (name, { hasRecord }) => {
    const venue = name as Venue;
    const trader = await openLiveTrader(world);
    const member = createDemoAccount(venue);
    const { id } = await connectReady(world, trader, venue, member);
    await waitForReconciliation(world, id);
    const opening = await waitUntil(
      () => booked(id),
      ({ length }) => length === 1,
    );
    if (hasRecord) {
      await moveThere(venue, 'transfers', member.account.id, '50');
      expect(
        await waitUntil(
          () => booked(id),
          ({ length }) => length > 1,
        ),
      ).toEqual([...opening, 50]);
    }
    const before = await booked(id);
    await moveThere(venue, 'corrections', member.account.id, '-1000');
    const isOpen = (rows: Awaited<ReturnType<typeof differences>>) =>
      rows.some(
        ({ state, kind, worth }) => state === 'open' && kind === 'unexplained' && Number(worth) === 1_000,
      );
    await waitUntil(() => differences(id), isOpen);
    expect(await booked(id)).toEqual(before);
  },
);

/** False statements of each venue, and their amount of money. */
const LIES: Readonly<Record<Venue, { misstatement: object; worth: number }>> = {
  'venue-a': { misstatement: { priceBy: '-0.005' }, worth: 0.05 },
  'venue-b': { misstatement: { priceBy: '-0.005' }, worth: 0.25 },
  crypto: { misstatement: { priceBy: '-2000' }, worth: 0.4 },
};

test.each(VENUE_IDS)(
  '%s: a fill that is stated at another price than it is charged at, and charged once more later, is unexplained and booked by nothing',
  { tags: ['long'] },
  async (venue) => {
    const trader = await openLiveTrader(world);
    const member = createDemoAccount(venue);
    const { id } = await connectReady(world, trader, venue, member);
    await waitUntil(
      () => booked(id),
      ({ length }) => length === 1,
    );
    const account = member.account.id;
    const { misstatement, worth } = LIES[venue];
    await order(venue, 'misstatements', { account, times: 10, ...misstatement });
    const { id: orderId } = await propose(world, trader, await tokenOf(world, venue));
    expect((await approve(trader, orderId)).status).toBe(200);
    await waitForStatus(world, orderId, 'filled');
    await order(venue, 'streams', { cut: true });
    const unexplained = (least: number) =>
      waitUntil(
        () => differences(id),
        (rows) =>
          rows.some(
            ({ subject, state, kind, worth: of }) =>
              subject === 'cash:USD' && state === 'open' && kind === 'unexplained' && Number(of) >= least,
          ),
      );
    await unexplained(worth * 0.9);
    await order(venue, 'recharges', { account, more: '1', asset: AT[venue].asset });
    await order(venue, 'streams', { cut: true });
    // A dollar more.
    await unexplained(worth * 0.9 + 0.9);
    expect(await booked(id)).toHaveLength(1);
  },
);
