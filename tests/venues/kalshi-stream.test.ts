/** Venue A's user stream. Numbers in names are rows of the table of faults of live execution. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import type { Order } from '../../simulator/trading/orders.ts';
import type { VenueEvent } from '../../venues/broker.ts';
import { CREATE, member } from './support/kalshi-trading.ts';

const STREAM_TIMES = { probeMs: 50, silentMs: 400, retryMs: 20, retryMaxMs: 100 };

async function listening() {
  const venue = await member({ streamTimes: STREAM_TIMES, placeTimeoutMs: 500 });
  const events: VenueEvent[] = [];
  const stream = venue.broker.stream((event) => events.push(event));
  const gaps = () => events.filter(({ kind }) => kind === 'gap').length;
  const fills = () => events.flatMap((event) => (event.kind === 'fill' ? [event.fill] : []));
  await expect.poll(gaps).toBe(1);
  return {
    ...venue,
    events,
    gaps,
    fills,
    /** A resting order, as the venue has it. */
    rest: async () => {
      const { answer, ref } = await venue.place();
      await answer;
      return { ref, there: venue.ordersThere().at(-1) as Order };
    },
    stop: () => stream.stop(),
    [Symbol.asyncDispose]: async () => {
      await stream.stop();
      await venue[Symbol.asyncDispose]();
    },
  };
}

describe('the stream of venue A', () => {
  test('reports orders and fills, by client order id', async () => {
    await using venue = await listening();
    const { ref, there } = await venue.rest();
    venue.exchange.fillResting(there, new Decimal(4));
    await expect.poll(venue.fills).toMatchObject([
      {
        clientOrderId: ref.id,
        venueOrderId: there.id,
        amount: '4',
        price: '0.01',
        feeAsset: 'USD',
        liquidity: 'maker',
      },
    ]);
    venue.exchange.cancel(there);
    await expect
      .poll(() => venue.events.at(-1))
      .toMatchObject({
        kind: 'order',
        clientOrderId: ref.id,
        order: { status: 'canceled', filledAmount: '4' },
      });
  });

  test('row 17: reports a fill before the create is answered', async () => {
    await using venue = await listening();
    venue.simulatedVenue.faults.add({ ...CREATE, answer: 'hang' });
    const { answer, ref } = await venue.place({ limitPrice: '0.99', amount: '1' });
    await expect.poll(venue.fills).toMatchObject([{ clientOrderId: ref.id, amount: '1' }]);
    await expect(answer).rejects.toThrow();
  });

  test('row 79: that was cut reports a gap once it is back, and a listing has the missed fills', async () => {
    await using venue = await listening();
    const { there } = await venue.rest();
    venue.simulatedVenue.streams.disturb('gap');
    for (const amount of [1, 2, 3]) venue.exchange.fillResting(there, new Decimal(amount));
    venue.simulatedVenue.streams.disturb(null);
    venue.simulatedVenue.streams.cut();
    await expect.poll(venue.gaps).toBe(2);
    expect(venue.fills()).toEqual([]);
    expect((await venue.broker.fillsSince(null)).fills.map(({ amount }) => amount)).toEqual(['1', '2', '3']);
  });

  test('row 80: repeated or in another order gives the same fills the same ids', async () => {
    await using venue = await listening();
    const { there } = await venue.rest();
    venue.simulatedVenue.streams.disturb('duplicate');
    venue.exchange.fillResting(there, new Decimal(1));
    venue.simulatedVenue.streams.disturb('reorder');
    for (const amount of [2, 3]) venue.exchange.fillResting(there, new Decimal(amount));
    venue.simulatedVenue.streams.disturb(null);
    await expect.poll(() => venue.fills().map(({ amount }) => amount)).toEqual(['1', '1', '3', '2']);
    const names = new Set(venue.fills().map(({ tradeId }) => tradeId));
    expect(names).toEqual(new Set(there.fills.map(({ id }) => id)));
  });

  test('row 81: that is open and dead is detected and opened again', async () => {
    await using venue = await listening();
    venue.simulatedVenue.streams.disturb('silence');
    await expect.poll(() => venue.simulatedVenue.streams.opened, { timeout: 5_000 }).toBeGreaterThan(1);
    venue.simulatedVenue.streams.disturb(null);
    await expect.poll(venue.gaps, { timeout: 5_000 }).toBeGreaterThan(1);
  });

  test.each([
    ['an unknown type', '{"type":"new_thing","sid":1,"msg":{}}'],
    ['no JSON', '<html>'],
    [
      'an unknown status',
      '{"type":"user_order","sid":1,"msg":{"order_id":"x","ticker":"T","status":"dormant"}}',
    ],
    ['a fill without a price', '{"type":"fill","sid":1,"msg":{"trade_id":"x","order_id":"y"}}'],
  ])('row 83: with %s is reported as unreadable, and continues', async (_, frame) => {
    await using venue = await listening();
    venue.simulatedVenue.streams.send(frame);
    await expect.poll(() => venue.events.at(-1)?.kind).toBe('unreadable');
    const { there } = await venue.rest();
    venue.exchange.fillResting(there, new Decimal(1));
    await expect.poll(venue.fills).toHaveLength(1);
  });

  test('of a refused key is retried until it is accepted', async () => {
    await using venue = await listening();
    const key = venue.account.keys.get('key-1') ?? expect.unreachable();
    venue.account.keys.clear();
    venue.simulatedVenue.streams.cut();
    await expect.poll(() => venue.simulatedVenue.streams.size).toBe(0);
    venue.account.keys.set('key-1', key);
    await expect.poll(venue.gaps, { timeout: 5_000 }).toBe(2);
  });

  test('reports nothing after it was stopped', async () => {
    await using venue = await listening();
    const { there } = await venue.rest();
    await venue.stop();
    const before = venue.events.length;
    venue.exchange.fillResting(there, new Decimal(1));
    await expect.poll(() => venue.simulatedVenue.streams.size).toBe(0);
    expect(venue.events).toHaveLength(before);
  });
});
