/**
 * Row 84: a process dies at any point between a decision and its books. Every await of a broker and every transaction is such a
 * point: before it, after it, or during it. The next process finds one order and the same books.
 */
import { expect, test } from 'vitest';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { applyVenueEvent } from '../../engine/trading/orders/execution/venue-events.ts';
import { MortalProcess } from '../support/mortal-process.ts';
import { openedForFile } from '../support/opened.ts';
import {
  EventfulVenue,
  expectBooksAgree,
  queuedOrder,
  recover,
  runOrderLife,
} from '../support/order-life.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);

test.each([
  ['nothing trades', []],
  ['a part trades on arrival', ['4']],
  ['a part trades on arrival, and another before the cancel', ['4', '3']],
  ['the rest trades before the cancel', ['4', '6']],
  ['all of it trades on arrival', ['10']],
])(
  'row 84: killed at every await of place, cancel and find, %s: one order, the same books',
  { tags: ['long'] },
  async (_, fills) => {
    let lastStep = Number.POSITIVE_INFINITY;
    for (let dyingAt = 1; dyingAt <= lastStep; dyingAt++) {
      const { trader, id } = await queuedOrder(fixture);
      const venue = new EventfulVenue(fixture, fills);
      const mortal = new MortalProcess(dyingAt, fixture.clock);
      const work = fixture.workOf(trader.accountId, 'system');
      await runOrderLife(
        fixture,
        { ...work, clock: mortal.clock },
        { of: () => mortal.broker(venue) },
        id,
      ).catch((error: unknown) => {
        if (!mortal.isDead) throw error;
      });
      if (!mortal.isDead) lastStep = dyingAt;
      fixture.wait(15_001);
      // The successor may die anywhere too.
      const heir = new MortalProcess(1 + (dyingAt % 5), fixture.clock);
      await recover(fixture, { ...work, clock: heir.clock }, { of: () => heir.broker(venue) }, id).catch(
        (error: unknown) => {
          if (!heir.isDead) throw error;
        },
      );
      fixture.wait(15_001);
      // Within its time, a queued order that was not sent is sent; after it, it expires unsent.
      if ((await fixture.order(id)).status === 'queued') expect(venue.placed).toEqual([]);
      else await recover(fixture, work, venue, id);
      await expectBooksAgree(fixture, venue, id);
    }
    expect(lastStep).toBeGreaterThan(7);
  },
);

test('row 84: killed at every step between an event of a stream and its books: booked once with the next event', async () => {
  const connectionId = crypto.randomUUID();
  let lastStep = Number.POSITIVE_INFINITY;
  for (let dyingAt = 1; dyingAt <= lastStep; dyingAt++) {
    const { trader, id } = await queuedOrder(fixture);
    await fixture.connect(id, connectionId);
    const venue = new ScriptedBroker(fixture.now);
    const mortal = new MortalProcess(dyingAt, fixture.clock);
    const work = fixture.workOf(trader.accountId, 'system');
    const dying = { ...work, clock: mortal.clock };
    const place = venue.place.bind(venue);
    venue.place = async (order, prepared) => {
      const placed = await place(order, prepared);
      const { fills, venueOrderId } = venue.fill(id, { amount: '4' });
      const [fill] = fills;
      if (fill === undefined || venueOrderId === null) throw new Error('There is no fill.');
      const reported = { ...fill, venueOrderId, clientOrderId: null, tokenId: YES, side: 'buy' as const };
      await applyVenueEvent(dying, connectionId, { kind: 'fill', fill: reported });
      return placed;
    };
    await sendOrder(dying, { of: () => mortal.broker(venue) }, id).catch((error: unknown) => {
      if (!mortal.isDead) throw error;
    });
    if (!mortal.isDead) lastStep = dyingAt;
    fixture.wait(15_001);
    if ((await fixture.order(id)).status === 'queued') expect(venue.placed).toEqual([]);
    else await recover(fixture, work, venue, id);
    await expectBooksAgree(fixture, venue, id);
    const parked = fixture.db.selectFrom('venue_event').selectAll().where('venue_order_id', '=', `v-${id}`);
    expect(await parked.execute()).toEqual([]);
  }
  expect(lastStep).toBeGreaterThan(4);
});
