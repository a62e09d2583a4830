/**
 * Row 84: a process dies at any place between a decision and its books. Every await of a broker and every transaction is a
 * place to die at: before it, after it, or with it under way. Whoever starts next finds one order and the same books.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Work } from '../../engine/context.ts';
import { exact, sumOf } from '../../engine/decimal.ts';
import { isFinal } from '../../engine/order-states.ts';
import { proposeIntent } from '../../engine/orders/entry/propose.ts';
import type { Brokers } from '../../engine/orders/execution/brokers.ts';
import { reconcileOrder, syncOrder } from '../../engine/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/orders/execution/send.ts';
import { takeVenueEvent } from '../../engine/orders/execution/venue-events.ts';
import { cancelOrder } from '../../engine/orders/lifecycle/cancel.ts';
import { type Desk, intentOf, openDesk, type Trader, YES } from '../support/desk.ts';
import { Mortal } from '../support/mortal.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** What becomes of an order at its venue: it arrives, trades in part, and trades or ends when it is asked back. */
class Venue extends ScriptedBroker {
  readonly #fills: readonly string[];

  constructor(fills: readonly string[]) {
    super(desk.now);
    this.#fills = fills;
  }

  override async place(...request: Parameters<ScriptedBroker['place']>) {
    const [{ id }] = request;
    const placed = await super.place(...request);
    const [first] = this.#fills;
    if (first !== undefined) this.fill(id, { amount: first, fee: '0.01' });
    return placed.kind === 'taken' ? { kind: 'taken' as const, order: this.state(id) } : placed;
  }

  override async cancel(ref: Parameters<ScriptedBroker['cancel']>[0]) {
    const [, second] = this.#fills;
    const { fills, status } = this.state(ref.id);
    if (second !== undefined && status === 'open' && fills.length === 1)
      this.fill(ref.id, { amount: second, fee: '0.01' });
    return super.cancel(ref);
  }
}

/** The life of one order by one process, as far as it gets. */
async function live(work: Work, brokers: Brokers, id: string): Promise<void> {
  await sendOrder(work, brokers, id);
  await syncOrder(work, brokers, id);
  if (isFinal((await desk.order(id)).status)) return;
  await cancelOrder(work, id);
  await cancelAtVenue(work, brokers, id);
}

/** What any process does with what it finds, until there is nothing to do. */
async function recover(work: Work, brokers: Brokers, id: string): Promise<void> {
  for (let look = 0; look < 10; look++) {
    const { status, cancel_requested_at } = await desk.order(id);
    if (isFinal(status)) return;
    if (status === 'queued') await sendOrder(work, brokers, id);
    else if (status === 'submitted' || status === 'unknown') await reconcileOrder(work, brokers, id);
    else if (cancel_requested_at === null) await cancelOrder(work, id);
    else await cancelAtVenue(work, brokers, id);
  }
  throw new Error(`Order ${id} has not ended.`);
}

async function queued(): Promise<{ trader: Trader; id: string }> {
  await desk.quote(YES);
  const trader = await desk.trader();
  const { id } = await proposeIntent(trader.work(), intentOf(trader));
  return { trader, id };
}

async function booksAgree(venue: ScriptedBroker, id: string): Promise<void> {
  expect(venue.placed.length, 'one order at the venue, or none').toBeLessThanOrEqual(1);
  const told = venue.orders.get(id)?.fills ?? [];
  const fills = await desk.db.selectFrom('fill').selectAll().where('order_id', '=', id).execute();
  expect(fills.map(({ venue_trade_id }) => venue_trade_id).sort()).toEqual(
    told.map(({ tradeId }) => tradeId).sort(),
  );
  const order = await desk.order(id);
  expect(exact(order.filled_amount).toFixed()).toBe(sumOf(told.map(({ amount }) => amount)).toFixed());
  expect(exact(order.fees).toFixed()).toBe(sumOf(told.map(({ fee }) => fee)).toFixed());
}

test.each([
  ['nothing trades', []],
  ['a part trades on arrival', ['4']],
  ['a part trades on arrival, and another before the cancel', ['4', '3']],
  ['the rest trades before the cancel', ['4', '6']],
  ['all of it trades on arrival', ['10']],
])(
  'row 84: killed at every await of place, cancel and find, %s: one order, the same books',
  async (_, fills) => {
    let lastStep = Number.POSITIVE_INFINITY;
    for (let dyingAt = 1; dyingAt <= lastStep; dyingAt++) {
      const { trader, id } = await queued();
      const venue = new Venue(fills);
      const mortal = new Mortal(dyingAt, desk.clock);
      const work = desk.workOf(trader.accountId, 'system');
      await live({ ...work, clock: mortal.clock }, { of: () => mortal.broker(venue) }, id).catch(
        (error: unknown) => {
          if (!mortal.isDead) throw error;
        },
      );
      if (!mortal.isDead) lastStep = dyingAt;
      desk.wait(15_001);
      // The one that takes over may die anywhere too.
      const heir = new Mortal(1 + (dyingAt % 5), desk.clock);
      await recover({ ...work, clock: heir.clock }, { of: () => heir.broker(venue) }, id).catch(
        (error: unknown) => {
          if (!heir.isDead) throw error;
        },
      );
      desk.wait(15_001);
      // Within its time a cleared order that never left is sent; after it, it expires without having left.
      if ((await desk.order(id)).status === 'queued') expect(venue.placed).toEqual([]);
      else await recover(work, venue, id);
      await booksAgree(venue, id);
    }
    expect(lastStep).toBeGreaterThan(7);
  },
);

test('row 84: killed at every step between an event of a stream and its books: booked once with the next that comes', async () => {
  const connectionId = crypto.randomUUID();
  let lastStep = Number.POSITIVE_INFINITY;
  for (let dyingAt = 1; dyingAt <= lastStep; dyingAt++) {
    const { trader, id } = await queued();
    await desk.connect(id, connectionId);
    const venue = new ScriptedBroker(desk.now);
    const mortal = new Mortal(dyingAt, desk.clock);
    const work = desk.workOf(trader.accountId, 'system');
    const dying = { ...work, clock: mortal.clock };
    const place = venue.place.bind(venue);
    venue.place = async (order, prepared) => {
      const placed = await place(order, prepared);
      const { fills, venueOrderId } = venue.fill(id, { amount: '4' });
      const [fill] = fills;
      if (fill === undefined || venueOrderId === null) throw new Error('There is no fill.');
      const told = { ...fill, venueOrderId, clientOrderId: null, tokenId: YES, side: 'buy' as const };
      await takeVenueEvent(dying, connectionId, { kind: 'fill', fill: told });
      return placed;
    };
    await sendOrder(dying, { of: () => mortal.broker(venue) }, id).catch((error: unknown) => {
      if (!mortal.isDead) throw error;
    });
    if (!mortal.isDead) lastStep = dyingAt;
    desk.wait(15_001);
    if ((await desk.order(id)).status === 'queued') expect(venue.placed).toEqual([]);
    else await recover(work, venue, id);
    await booksAgree(venue, id);
    const parked = desk.db.selectFrom('venue_event').selectAll().where('venue_order_id', '=', `v-${id}`);
    expect(await parked.execute()).toEqual([]);
  }
  expect(lastStep).toBeGreaterThan(4);
});
