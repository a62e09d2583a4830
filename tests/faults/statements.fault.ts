/**
 * Row 84, for each statement: a process dies before any statement it sends and after any that was answered, commits included.
 * It also dies before and after each answer of a venue. The next process finds one order and the same books.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Work } from '../../engine/platform/context.ts';
import { applyVenueEvent } from '../../engine/trading/orders/execution/venue-events.ts';
import { MortalDatabase, MortalProcess } from '../support/mortal-process.ts';
import {
  EventfulVenue,
  expectBooksAgree,
  queuedOrder,
  recover,
  runOrderLife,
} from '../support/order-life.ts';
import type { ScriptedBroker } from '../support/scripted-broker.ts';
import { openTradingFixture, type TradingFixture, YES } from '../support/trading-fixture.ts';

/** Kills at one of this number of points. */
const EVERY = Number(process.env['FAULT_EVERY'] ?? 1);

let fixture: TradingFixture;
let database: MortalDatabase;
beforeAll(async () => {
  fixture = await openTradingFixture();
  database = new MortalDatabase(fixture.pool);
});
// Every account of every story is verified: some eighty milliseconds each.
afterAll(() => fixture.close(), 300_000);

/** Runs a process until it dies or ends. Its connections die with it. */
async function until(mortal: MortalProcess, act: () => Promise<void>): Promise<void> {
  database.by = mortal;
  await act().catch((error: unknown) => {
    if (!mortal.isDead) throw error;
  });
  database.by = null;
}

/** The stream reports the first fill before the answer that names the order arrives. */
function toldEarly(venue: ScriptedBroker, work: Work, connectionId: string, id: string): void {
  const place = venue.place.bind(venue);
  venue.place = async (order, prepared) => {
    const placed = await place(order, prepared);
    const { fills, venueOrderId } = venue.state(id);
    for (const fill of fills) {
      if (venueOrderId === null) throw new Error('There is no order.');
      const report = { ...fill, venueOrderId, clientOrderId: null, tokenId: YES, side: 'buy' as const };
      await applyVenueEvent(work, connectionId, { kind: 'fill', fill: report });
    }
    return placed;
  };
}

const STORIES: Readonly<Record<string, { fills: readonly string[]; isLost?: boolean }>> = {
  'a part trades on arrival and is reported early, the rest before the cancel': { fills: ['4', '6'] },
  'a part trades on arrival and is reported early, and the order is canceled': { fills: ['4'] },
  'it never arrives': { fills: [], isLost: true },
};

test.each(Object.entries(STORIES))(
  'row 84: killed at every statement, %s: one order, the same books',
  async (_, { fills, isLost = false }) => {
    const connectionId = crypto.randomUUID();
    let lastStep = Number.POSITIVE_INFINITY;
    for (let dyingAt = 1; dyingAt <= lastStep; dyingAt += EVERY) {
      const { trader, id } = await queuedOrder(fixture);
      await fixture.connect(id, connectionId);
      const venue = new EventfulVenue(fixture, fills);
      if (isLost) Object.assign(venue, { next: 'never_arrive', absenceProof: { times: 3, apartMs: 1_000 } });
      const work = fixture.workOf(trader.accountId, 'system');
      const mortal = new MortalProcess(dyingAt, fixture.clock);
      toldEarly(venue, work, connectionId, id);
      const brokers = { of: () => mortal.broker(venue) };
      await until(mortal, () => runOrderLife(fixture, work, brokers, id));
      if (!mortal.isDead) lastStep = dyingAt;
      fixture.wait(15_001);
      const heir = new MortalProcess(1 + (dyingAt % 23), fixture.clock);
      await until(heir, () => recoverInTime(work, { of: () => heir.broker(venue) }, id));
      fixture.wait(15_001);
      if ((await fixture.order(id)).status === 'queued') expect(venue.placed).toEqual([]);
      else await recoverInTime(work, venue, id);
      await expectBooksAgree(fixture, venue, id);
    }
    expect(lastStep).toBeGreaterThan(30);
  },
  900_000,
);

/** Lets time pass between two polls. */
const recoverInTime = (work: Work, brokers: Parameters<typeof recover>[2], id: string) =>
  recover(fixture, work, brokers, id, () => fixture.wait(1_000));
