/** What others do at an account of ours, and reads that fail: at each venue. Numbers in names are rows of the table of faults. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { openExchange } from './support/binance-exchange.ts';
import { found, member, resting } from './support/kalshi-trading.ts';
import { openMember } from './support/polymarket-member.ts';

describe('an order that somebody else placed', () => {
  test('row 88: is listed at Binance under a name that is none of ours', async () => {
    await using exchange = await openExchange();
    const { order } = await exchange.rest();
    exchange.venue.exchange.place({
      account: exchange.account,
      clientOrderId: 'web_1',
      instrument: 'BTCUSDT',
      side: 'buy',
      price: new Decimal('40000'),
      amount: new Decimal('0.01'),
      timeInForce: 'GTC',
    });
    const names = (await exchange.broker.listOpen()).map(({ clientOrderId }) => clientOrderId);
    expect(names.sort()).toEqual([order.id, 'web_1'].sort());
  });
});

describe('an order that somebody else canceled', () => {
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
        exchange.desk.faults.add({ method: 'GET', path: 'api/v3/account', answer });
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
        venue.desk.faults.add({ method: 'GET', path, answer });
        await expect(question()).rejects.toThrow('venue B');
      }
      expect(await venue.broker.balances()).not.toEqual([]);
    },
  );
});
