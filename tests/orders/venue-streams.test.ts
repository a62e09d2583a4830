/** Events of a venue's stream, by the same table of faults as in `venue-faults.test.ts`. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findGivenUp } from '../../engine/trading/orders/execution/queue.ts';
import { pollGivenUpOrder, syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { applyVenueEvent, type OrderEvent } from '../../engine/trading/orders/execution/venue-events.ts';
import type { AccountFill } from '../../venues/broker.ts';
import { fillOf } from '../support/scripted-broker.ts';
import {
  atScriptedVenue,
  audits,
  broker,
  canceled,
  fillsOf,
  fixture,
  LAST_ARRIVAL_MS,
  queueOrder,
  reconcile,
  statusOf,
  system,
} from '../support/scripted-venue.ts';
import { YES } from '../support/trading-fixture.ts';

atScriptedVenue();

describe('a stream', () => {
  const connectionId = randomUUID();
  const fillEvent = (id: string, more: Partial<AccountFill> & { amount: string }): OrderEvent => ({
    kind: 'fill',
    fill: {
      ...fillOf(`${id}-stream`, more),
      venueOrderId: `v-${id}`,
      clientOrderId: null,
      tokenId: YES,
      side: 'buy',
      ...more,
    },
  });
  const parked = () => fixture.db.selectFrom('venue_event').selectAll().execute();

  async function connected() {
    const order = await queueOrder();
    await fixture.connect(order.id, connectionId);
    return order;
  }

  test('row 17: a fill event before the create answer: matched by client id, booked once, the order ends right', async () => {
    const { trader, id } = await connected();
    const event = fillEvent(id, { amount: '4', clientOrderId: id });
    const place = broker.place.bind(broker);
    broker.place = async (order, prepared) => {
      const placed = await place(order, prepared);
      await applyVenueEvent(system(trader), connectionId, event);
      expect(await statusOf(id)).toBe('partially_filled');
      return placed;
    };
    await sendOrder(system(trader), broker, id);
    expect(await fixture.order(id)).toMatchObject({
      status: 'partially_filled',
      filled_amount: '4.000000000000',
      venue_order_id: `v-${id}`,
    });
    broker.fill(id, { amount: '4', tradeId: `${id}-stream` });
    broker.fill(id, { amount: '6' }, 'filled');
    await syncOrder(system(trader), broker, id);
    expect(await statusOf(id)).toBe('filled');
    expect(await fillsOf(id)).toHaveLength(2);
    expect((await fillsOf(id)).map(({ connection_id }) => connection_id)).toEqual([
      connectionId,
      connectionId,
    ]);
  });

  test('row 17: a fill event with a still unknown order name is parked, and booked with the answer', async () => {
    const { trader, id } = await connected();
    const event = fillEvent(id, { amount: '4' });
    const place = broker.place.bind(broker);
    broker.place = async (order, prepared) => {
      const placed = await place(order, prepared);
      for (const _ of [1, 2]) expect(await applyVenueEvent(system(trader), connectionId, event)).toBeNull();
      expect(await parked()).toHaveLength(1);
      return placed;
    };
    expect(await sendOrder(system(trader), broker, id)).toMatchObject({
      order: { status: 'partially_filled' },
    });
    expect(await fillsOf(id)).toMatchObject([{ venue_trade_id: `${id}-stream`, amount: '4.000000000000' }]);
    expect(await parked()).toEqual([]);
  });

  test('a parked fill is booked with the first report that names its order, even another event of the stream', async () => {
    const { trader, id } = await connected();
    broker.next = 'lose_answer';
    await sendOrder(system(trader), broker, id);
    await applyVenueEvent(system(trader), connectionId, fillEvent(id, { amount: '4' }));
    expect(await parked()).toHaveLength(1);
    const ended = { ...broker.state(id), ...canceled({ filledAmount: null }) };
    await applyVenueEvent(system(trader), connectionId, {
      kind: 'order',
      clientOrderId: id,
      tokenId: YES,
      order: ended,
    });
    expect(await fixture.order(id)).toMatchObject({ status: 'canceled', filled_amount: '4.000000000000' });
    expect(await parked()).toEqual([]);
  });

  test('rows 79 and 80: a fill that a stream repeats, or that a listing showed before, has no effect', async () => {
    const { trader, id } = await connected();
    await sendOrder(system(trader), broker, id);
    broker.fill(id, { amount: '4', tradeId: `${id}-stream` });
    await syncOrder(system(trader), broker, id);
    const before = await fixture.order(id);
    for (const _ of [1, 2, 3])
      await applyVenueEvent(system(trader), connectionId, fillEvent(id, { amount: '4' }));
    expect(await fixture.order(id)).toEqual(before);
  });

  test('a foreign event stays parked, and changes no order', async () => {
    const { trader, id } = await connected();
    const before = await fixture.order(id);
    expect(
      await applyVenueEvent(system(trader), connectionId, fillEvent('foreign', { amount: '4' })),
    ).toBeNull();
    expect(await parked()).toHaveLength(1);
    expect(await fixture.order(id)).toEqual(before);
  });

  test('row 7: an order appears after it was declared never arrived: canceled at once, fills booked late, audited', async () => {
    const { trader, id } = await connected();
    broker.next = 'never_arrive';
    await sendOrder(system(trader), broker, id);
    fixture.wait(LAST_ARRIVAL_MS + 1);
    await reconcile({ trader, id });
    expect(await fixture.order(id)).toMatchObject({ status: 'rejected', reason_code: 'never_arrived' });
    expect(await pollGivenUpOrder(system(trader), broker, id)).toBeNull();
    const watched = async () => (await findGivenUp(fixture.db, fixture.now(), 100)).map((key) => key.id);
    expect(await watched()).toContain(id);

    broker.arrive(id);
    broker.fill(id, { amount: '4' });
    expect(await pollGivenUpOrder(system(trader), broker, id)).toMatchObject({ isLate: true });
    expect(broker.state(id).status).toBe('canceled');
    expect(await fixture.order(id)).toMatchObject({ status: 'rejected', filled_amount: '4.000000000000' });
    expect(await audits(id)).toContain('fill.late');
    expect(await pollGivenUpOrder(system(trader), broker, id)).toBeNull();
    fixture.wait(24 * 3_600_000);
    expect(await watched()).not.toContain(id);
  });
});
