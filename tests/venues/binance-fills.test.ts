/** Fills reported by Binance, against the simulated exchange. Numbers in names are rows of the table of faults. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import type { FindResult, VenueOrder } from '../../venues/broker.ts';
import { openExchange } from './support/binance-exchange.ts';

const TRADES = 'api/v3/myTrades';
const found = (answer: FindResult): VenueOrder =>
  answer.kind === 'found' ? answer.order : expect.unreachable(JSON.stringify(answer));
const sumOf = (amounts: readonly string[]) => Decimal.sum(0, ...amounts).toFixed();

/** A resting order, and a counterparty that takes parts of it. */
async function resting(amount: string) {
  const exchange = await openExchange();
  const { order, ref } = await exchange.rest({ amount, limitPrice: '40000' });
  const [there] = exchange.atVenue(order.id);
  if (there === undefined) throw new Error('nothing rests');
  return {
    ...exchange,
    ref,
    hit: (part: string) => exchange.venue.exchange.fillResting(there, new Decimal(part)),
    pass: (seconds: number) => exchange.simulator.clock.advance(seconds),
  };
}

describe('the fills of an order', () => {
  test('row 19: may come after its end: the amount says how many there are', async () => {
    await using exchange = await resting('0.01');
    exchange.hit('0.006');
    await exchange.broker.cancel(exchange.ref);
    exchange.simulatedVenue.faults.add({
      method: 'GET',
      path: TRADES,
      isProcessed: false,
      answer: { status: 200, body: [] },
    });
    const early = found(await exchange.broker.find(exchange.ref));
    expect(early).toMatchObject({ status: 'canceled', filledAmount: '0.006', fills: [] });
    expect(found(await exchange.broker.find(exchange.ref)).fills).toMatchObject([{ amount: '0.006' }]);
  });

  test('rows 21 and 22: of 2,100 trades, over pages that share one, each is reported once, in any order', async () => {
    await using exchange = await resting('2.1');
    exchange.hit('0.001');
    exchange.pass(60);
    const { cursor } = await exchange.broker.fillsSince(null);
    for (let part = 1; part < 2_100; part += 1) exchange.hit('0.001');
    const { fills, status } = found(await exchange.broker.find(exchange.ref));
    const ids = fills.map(({ tradeId }) => tradeId).sort();
    expect(status).toBe('filled');
    expect(new Set(ids).size).toBe(2_100);
    expect(sumOf(fills.map(({ amount }) => amount))).toBe('2.1');
    const listed = await exchange.broker.fillsSince(cursor);
    expect(listed.fills.map(({ tradeId }) => tradeId).sort()).toEqual(ids);
  });

  test('row 23: in five parts and then canceled, they are kept', async () => {
    await using exchange = await resting('0.01');
    for (let part = 0; part < 5; part += 1) {
      exchange.hit('0.001');
      exchange.pass(12);
    }
    expect(await exchange.broker.cancel(exchange.ref)).toEqual({ kind: 'asked' });
    const order = found(await exchange.broker.find(exchange.ref));
    expect(order).toMatchObject({ status: 'canceled', filledAmount: '0.005' });
    expect(order.fills).toHaveLength(5);
  });

  test('row 24: that a cancel crosses count, and the order is filled', async () => {
    await using exchange = await resting('0.01');
    exchange.hit('0.01');
    expect(await exchange.broker.cancel(exchange.ref)).toEqual({ kind: 'gone' });
    expect(found(await exchange.broker.find(exchange.ref))).toMatchObject({
      status: 'filled',
      filledAmount: '0.01',
    });
  });
});
