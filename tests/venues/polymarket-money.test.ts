/** Money and shares of orders at venue B, against the simulated venue, by the rows of the acceptance table. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import type { VenueFill } from '../../venues/broker.ts';
import { mintTrade, pageOf } from './support/polymarket-bodies.ts';
import { openMember, PARTY } from './support/polymarket-member.ts';

const SECOND_MS = 1_000;

const costOf = (fills: readonly VenueFill[]) =>
  fills.reduce((sum, { amount, price }) => sum.plus(new Decimal(amount).times(price)), new Decimal(0));
const sizeOf = (fills: readonly VenueFill[]) =>
  fills.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)).toFixed();

describe('the money and the shares of an order', () => {
  test('a buy that takes, of a broken amount of shares, is filled by an ask at its very limit', async () => {
    await using member = await openMember({ market: PARTY });
    member.walk(0.83);
    const ask = { account: null, clientOrderId: '', instrument: member.yes, side: 'sell' } as const;
    const price = new Decimal('0.83');
    member.exchange.place({ ...ask, price, amount: new Decimal(1_000), timeInForce: 'GTC' });
    const { ref, placed } = await member.place({ timeInForce: 'ioc', limitPrice: '0.83', amount: '24.06' });
    expect(placed).toMatchObject({ kind: 'taken', order: { status: 'filled' } });
    const { fills } = await member.find(ref);
    expect(fills.map((fill) => fill.price)).toEqual(['0.83']);
    // Bounded by whole cents: 24.06 shares at 0.83 cost 19.9698.
    expect(costOf(fills).lessThanOrEqualTo('19.96')).toBe(true);
    expect(Number(sizeOf(fills))).toBeGreaterThan(24.04);
  });

  test('row 68: a trade that fails is reported again as failed, and its shares are gone', async () => {
    await using member = await openMember();
    const { order, ref } = await member.place();
    member.meet(order, '10');
    const before = await member.find(ref);
    const { fills, cursor } = await member.broker.fillsSince(null);
    expect(fills).toMatchObject([{ state: 'provisional' }]);
    const trade = fills[0]?.tradeId ?? '';
    member.commands['trades']?.({ trade, status: 'RETRYING' });
    expect((await member.broker.fillsSince(cursor)).fills).toMatchObject([
      { tradeId: trade, state: 'provisional' },
    ]);
    member.commands['trades']?.({ trade, status: 'FAILED' });
    await member.pass(60 * SECOND_MS);
    expect((await member.broker.fillsSince(cursor)).fills).toMatchObject([
      { tradeId: trade, state: 'failed' },
    ]);
    expect(before).toMatchObject({ status: 'filled', filledAmount: '10' });
    expect(await member.find(ref)).toMatchObject({ filledAmount: '0' });
    expect(member.account.holds(member.yes).toNumber()).toBe(0);
    expect(member.account.holds('pUSD').toNumber()).toBe(10_000);
  });

  test('row 69: the fee is by the schedule of the moment, requested again', async () => {
    let rate = '0.04';
    await using member = await openMember({
      feesOf: async () => ({
        formula: 'probability',
        takerRate: rate,
        makerRate: '0',
        exponent: 1,
        roundUpTo: null,
      }),
    });
    const { ref } = await member.place({ timeInForce: 'ioc', limitPrice: '0.6' });
    const [before] = (await member.find(ref)).fills;
    rate = '0.08';
    const [after] = (await member.find(ref)).fills;
    const { amount = '0', price = '0' } = before ?? {};
    const exact = new Decimal(amount).times('0.08').times(price).times(new Decimal(1).minus(price));
    expect(after?.fee).toBe(exact.toDecimalPlaces(5, Decimal.ROUND_UP).toFixed());
    expect(Number(after?.fee)).toBeGreaterThan(Number(before?.fee));
  });

  test('a fill without a stated fee is not booked without a fee', async () => {
    await using member = await openMember({ feesOf: async () => null });
    const { ref } = await member.place({ timeInForce: 'ioc', limitPrice: '0.6' });
    await expect(member.find(ref)).rejects.toThrow(/states no fee/);
    await expect(member.broker.fillsSince(null)).rejects.toThrow(/states no fee/);
  });

  test('a cursor does not wait for a time in the future', async () => {
    await using member = await openMember();
    const trade = mintTrade(`0x${'aa'.repeat(32)}`, {
      status: 'CONFIRMED',
      match_time: '2090-01-01T00:00:00Z',
    });
    const answer = { status: 200, body: pageOf([trade]) };
    member.simulatedVenue.faults.add({ path: 'data/trades', answer });
    const { fills, cursor } = await member.broker.fillsSince(null);
    expect(fills).toHaveLength(1);
    expect(Number(cursor)).toBe(Math.floor(member.simulator.clock.now() / SECOND_MS));
  });

  test('a trade that is listed after later ones is reported once it is listed', async () => {
    await using member = await openMember();
    const { order } = await member.place();
    member.meet(order, '10');
    await member.pass(60 * SECOND_MS);
    const later = mintTrade(`0x${'aa'.repeat(32)}`, {
      status: 'CONFIRMED',
      match_time: String(member.simulator.clock.now() / SECOND_MS),
    });
    member.simulatedVenue.faults.add({ path: 'data/trades', answer: { status: 200, body: pageOf([later]) } });
    const { cursor } = await member.broker.fillsSince(null);
    expect((await member.broker.fillsSince(cursor)).fills).toMatchObject([{ amount: '10' }]);
  });

  test('rows 21 and 22: of 150 trades, over two pages, each is reported; from a cursor on, each new one', async () => {
    await using member = await openMember();
    const { order, ref } = await member.place({ amount: '200' });
    for (let part = 0; part < 150; part += 1) {
      member.meet(order, '1');
      if (part % 10 === 9) await member.pass(SECOND_MS);
    }
    const { fills } = await member.find(ref);
    expect(fills).toHaveLength(150);
    expect(new Set(fills.map(({ tradeId }) => tradeId)).size).toBe(150);
    await member.pass(10 * SECOND_MS);
    const all = await member.broker.fillsSince(null);
    expect(all.fills).toHaveLength(150);
    expect(all.fills.every(({ state }) => state === 'final')).toBe(true);
    member.meet(order, '1');
    const news = (await member.broker.fillsSince(all.cursor)).fills.filter(
      ({ tradeId }) => !all.fills.some((listed) => listed.tradeId === tradeId),
    );
    expect(news).toMatchObject([{ amount: '1', state: 'provisional' }]);
  });

  test('row 94: a winning position is held until its owner redeems it', async () => {
    await using member = await openMember({
      market: 'which-party-wins-the-2028-us-presidential-election-democratic',
    });
    await member.place({ timeInForce: 'ioc', limitPrice: '0.9', amount: '10' });
    const held = member.account.holds(member.yes);
    member.simulator.clock.pin(Date.UTC(2028, 10, 20) / SECOND_MS);
    expect(() => member.commands['redemptions']?.({ account: member.account.id, token: '12345' })).toThrow();
    expect(await member.broker.positions()).toEqual([{ tokenId: member.yes, amount: held.toFixed() }]);
    const before = member.account.holds('pUSD');
    member.commands['redemptions']?.({ account: member.account.id, token: member.yes });
    expect(await member.broker.positions()).toEqual([]);
    const paid = member.account.holds('pUSD').minus(before);
    expect([0, held.toNumber()]).toContain(paid.toNumber());
    expect(await member.broker.balances()).toMatchObject([
      { total: member.account.holds('pUSD').toFixed(6).replace(/0+$/, '') },
    ]);
  });
});
