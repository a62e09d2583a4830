/**
 * Other clients' actions at an account of ours, and reads that fail, at each venue. Numbers in names are rows of the table of
 * faults.
 */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import type { VenueEvent } from '../../venues/broker.ts';
import { openExchange, refOf } from './support/binance-exchange.ts';
import { found, member, resting } from './support/kalshi-trading.ts';
import { openMember } from './support/polymarket-member.ts';

/** Places an order on the account as in the venue's own app, which chooses its own order names. */
const placedByHand = (
  { venue, account }: Pick<Awaited<ReturnType<typeof openExchange>>, 'venue' | 'account'>,
  clientOrderId: string,
) =>
  venue.exchange.place({
    account,
    clientOrderId,
    instrument: 'BTCUSDT',
    side: 'buy',
    price: new Decimal('40000'),
    amount: new Decimal('0.01'),
    timeInForce: 'GTC',
  });

describe('an order that another client placed', () => {
  test('row 88: is listed at Binance under a name that is none of ours', async () => {
    await using exchange = await openExchange();
    const { order } = await exchange.rest();
    placedByHand(exchange, 'web_1');
    const names = (await exchange.broker.listOpen()).map(({ clientOrderId }) => clientOrderId);
    expect(names.sort()).toEqual([order.id, 'web_1'].sort());
  });

  test.each([
    ['without a name', ''],
    ['under a name that no client may give', 'my order №7'],
    ['under a name longer than any client may give', 'x'.repeat(200)],
  ])('row 88: is listed at Binance %s, as one without our name', async (_, clientOrderId) => {
    await using exchange = await openExchange();
    const { order } = await exchange.rest();
    placedByHand(exchange, clientOrderId);
    const listed = await exchange.broker.listOpen();
    expect(listed.map((each) => each.clientOrderId).sort()).toEqual([order.id, null].sort());
    expect(listed.find((each) => each.clientOrderId === null)).toMatchObject({
      tokenId: 'BTCUSDT',
      side: 'buy',
      amount: '0.01',
      limitPrice: '40000',
      filledAmount: '0',
    });
  });

  test('row 88: and has no name at Binance is no reason to believe in one of ours that never arrived', async () => {
    await using exchange = await openExchange();
    const order = exchange.order();
    const prepared = exchange.prepare(order);
    placedByHand(exchange, '');
    exchange.simulator.clock.advance(60);
    expect(await exchange.broker.find(refOf(order, prepared))).toMatchObject({ kind: 'absent' });
  });

  test('row 88: and has no name at Binance may be ours if it has its terms: ours is not reported absent then', async () => {
    await using exchange = await openExchange();
    const order = exchange.order({ limitPrice: '40000', amount: '0.01' });
    const prepared = exchange.prepare(order);
    placedByHand(exchange, '');
    exchange.simulator.clock.advance(60);
    expect(await exchange.broker.find(refOf(order, prepared))).toEqual({ kind: 'unsure' });
  });

  test('row 88: and has no name is reported by the stream of Binance, and by its trades', async () => {
    await using exchange = await openExchange();
    const events: VenueEvent[] = [];
    const stream = exchange.broker.stream((event) => events.push(event));
    await expect.poll(() => events).toEqual([{ kind: 'gap' }]);
    const there = placedByHand(exchange, '');
    exchange.venue.exchange.fillResting(there, there.amount);
    await expect.poll(() => events).toHaveLength(4);
    expect(events.slice(1)).toMatchObject([
      { kind: 'order', clientOrderId: null, order: { venueOrderId: there.id, status: 'open' } },
      { kind: 'fill', fill: { clientOrderId: null, venueOrderId: there.id, amount: '0.01' } },
      { kind: 'order', clientOrderId: null, order: { venueOrderId: there.id, status: 'filled' } },
    ]);
    await stream.stop();
  });
});

describe('an order that another client canceled', () => {
  test('row 89: has ended at venue A', async () => {
    await using venue = await member();
    const { ref, there } = await resting(venue);
    venue.exchange.cancel(there);
    expect(found(await venue.broker.find(ref))).toMatchObject({ status: 'canceled', filledAmount: '0' });
    expect(await venue.broker.listOpen()).toEqual([]);
  });

  test('row 89: has ended at Binance', async () => {
    await using exchange = await openExchange();
    const { order, ref } = await exchange.rest();
    for (const there of exchange.atVenue(order.id)) exchange.venue.exchange.cancel(there);
    expect(await exchange.broker.find(ref)).toMatchObject({ kind: 'found', order: { status: 'canceled' } });
    expect(await exchange.broker.listOpen()).toEqual([]);
  });
});

describe('what is held', () => {
  test.each(['html', 'half', 'cut', { status: 200, body: {} }] as const)(
    'row 91: is not nothing at Binance, nor is its money, by an answer that says nothing (%j)',
    async (answer) => {
      await using exchange = await openExchange();
      for (const question of [() => exchange.broker.positions(), () => exchange.broker.balances()]) {
        exchange.simulatedVenue.faults.add({ method: 'GET', path: 'api/v3/account', answer });
        await expect(question()).rejects.toThrow('Binance');
      }
      expect(await exchange.broker.positions()).toHaveLength(2);
    },
  );

  test.each(['html', 'half', 'cut', { status: 200, body: {} }] as const)(
    'row 91: is not nothing at venue B, nor is its money, by an answer that says nothing (%j)',
    async (answer) => {
      await using venue = await openMember();
      for (const [path, question] of [
        ['positions', () => venue.broker.positions()],
        ['balance-allowance', () => venue.broker.balances()],
      ] as const) {
        venue.simulatedVenue.faults.add({ method: 'GET', path, answer });
        await expect(question()).rejects.toThrow('venue B');
      }
      expect(await venue.broker.balances()).not.toEqual([]);
    },
  );
});
