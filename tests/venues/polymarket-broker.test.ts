/** Venue B's broker under faults, against the simulated venue, by the rows of the acceptance table. */
import { describe, expect, test } from 'vitest';
import { pageOf } from './support/polymarket-bodies.ts';
import { openMember } from './support/polymarket-member.ts';

const SECOND_MS = 1_000;
const ordersAt = ({ exchange, account }: Awaited<ReturnType<typeof openMember>>) =>
  [...exchange.orders.values()].filter((order) => order.account === account);

describe('an order whose answer is lost', () => {
  test.each([
    ['row 1: that never left', { isProcessed: false, answer: 'cut' }],
    ['row 2: that is dropped on the way', { isProcessed: false, answer: 'hang' }],
    ['row 11: that an outage refuses', { isProcessed: false, answer: { status: 500, body: { error: 'x' } } }],
  ] as const)('%s is absent, by proof only after it cannot arrive any more', async (_, fault) => {
    await using member = await openMember();
    const { broker, simulatedVenue, pass } = member;
    // A request that hangs times out after ten seconds: cut here, to keep the test short.
    simulatedVenue.faults.add({
      path: 'order',
      ...fault,
      answer: fault.answer === 'hang' ? 'cut' : fault.answer,
    });
    const order = member.orderOf();
    const prepared = member.prepare(order);
    await expect(broker.place(order, prepared)).rejects.toThrow();
    const ref = member.refOf(order, prepared);
    for (let look = 0; look < 5; look += 1) {
      const found = await broker.find(ref);
      if (found.kind !== 'absent') throw new Error(found.kind);
      expect(found.asOf <= prepared.arrivesBy).toBe(look < 5);
      await pass(10 * SECOND_MS);
    }
    await pass(100 * SECOND_MS);
    const found = await broker.find(ref);
    expect(found.kind === 'absent' && found.asOf > prepared.arrivesBy).toBe(true);
    expect(ordersAt(member)).toHaveLength(0);
    expect(broker.absenceProof).toEqual({ times: 3, apartMs: 10 * SECOND_MS });
  });

  test.each([
    ['row 3: and that rests', '0.45', { answer: 'cut' }, 'open'],
    ['row 4: and that was filled', '0.6', { answer: 'cut' }, 'filled'],
    ['row 8: in the middle', '0.45', { answer: 'half' }, 'open'],
    ['row 10: behind a gateway', '0.45', { answer: 'html' }, 'open'],
    ['row 37: behind a limit of requests', '0.45', { answer: 'too-many' }, 'open'],
  ] as const)('%s is found, once, by the id it had before it left', async (_, limitPrice, fault, status) => {
    await using member = await openMember();
    member.simulatedVenue.faults.add({ path: 'order', ...fault });
    const order = member.orderOf({ limitPrice });
    const prepared = member.prepare(order);
    await expect(member.broker.place(order, prepared)).rejects.toThrow();
    const found = await member.find(member.refOf(order, prepared));
    expect(found).toMatchObject({ status, venueOrderId: prepared.venueOrderId });
    expect(ordersAt(member)).toHaveLength(1);
  });

  test('row 5: by a slow gateway is not believed absent before it arrives', async () => {
    await using member = await openMember();
    member.simulatedVenue.faults.add({ path: 'order', delayMs: 9 * SECOND_MS });
    const order = member.orderOf();
    const prepared = member.prepare(order);
    const sent = member.broker.place(order, prepared);
    await expect
      .poll(() => member.simulatedVenue.faults.take({ method: 'GET', path: 'x', clientOrderId: null }))
      .toBeNull();
    const early = await member.broker.find(member.refOf(order, prepared));
    expect(early.kind === 'absent' && early.asOf <= prepared.arrivesBy).toBe(true);
    await member.pass(10 * SECOND_MS);
    expect(await sent).toMatchObject({ kind: 'taken' });
    expect(await member.find(member.refOf(order, prepared))).toMatchObject({ status: 'open' });
  });

  test('row 7: and that shows up after all is found, and can be canceled at once', async () => {
    await using member = await openMember();
    member.simulatedVenue.faults.add({ path: 'order', isProcessed: false, answer: 'cut' });
    const order = member.orderOf();
    const prepared = member.prepare(order);
    await expect(member.broker.place(order, prepared)).rejects.toThrow();
    await member.pass(200 * SECOND_MS);
    expect(await member.broker.find(member.refOf(order, prepared))).toMatchObject({ kind: 'absent' });
    // The same request arrives late: a layer below has stored it.
    await member.broker.place(order, prepared);
    expect(await member.find(member.refOf(order, prepared))).toMatchObject({ status: 'open' });
    expect(await member.broker.cancel(member.refOf(order, prepared))).toEqual({ kind: 'asked' });
    expect(await member.find(member.refOf(order, prepared))).toMatchObject({ status: 'canceled' });
  });

  test('row 13: and that is repeated by an unknown layer is one order', async () => {
    await using member = await openMember();
    const { order, prepared } = await member.place();
    expect(await member.broker.place(order, prepared)).toEqual({ kind: 'exists' });
    expect(ordersAt(member)).toHaveLength(1);
  });

  test('row 41: is not absent by an answer without its time', async () => {
    await using member = await openMember();
    const order = member.orderOf();
    const prepared = member.prepare(order);
    member.simulatedVenue.faults.add({ path: 'data/', times: 10, date: 'absent' });
    expect(await member.broker.find(member.refOf(order, prepared))).toEqual({ kind: 'unsure' });
  });

  test('row 38: is not absent by a list that cannot be parsed', async () => {
    await using member = await openMember();
    const order = member.orderOf();
    const prepared = member.prepare(order);
    for (const answer of [{ retryAfterSec: 0.01 }, 'html', 'half'] as const) {
      for (const path of ['data/order/', 'data/orders', 'data/trades']) {
        // The status alone states that there is none.
        if (answer === 'half' && path === 'data/order/') continue;
        member.simulatedVenue.faults.add({ path, answer });
        await expect(member.broker.find(member.refOf(order, prepared))).rejects.toThrow();
        member.simulatedVenue.faults.clear();
      }
    }
  });
});

describe('the end of an order', () => {
  test('rows 31 and 64: one that waits to be matched cannot be canceled yet, and is matched later', async () => {
    await using member = await openMember();
    member.commands['behavior']?.({ matchDelayMs: 3 * SECOND_MS });
    const { ref, placed } = await member.place({ timeInForce: 'ioc', limitPrice: '0.6' });
    expect(placed).toMatchObject({ kind: 'taken', order: { status: 'open', filledAmount: '0' } });
    expect(await member.broker.cancel(ref)).toEqual({ kind: 'asked' });
    expect(await member.find(ref)).toMatchObject({ status: 'open', filledAmount: '0' });
    await member.pass(4 * SECOND_MS);
    expect(await member.find(ref)).toMatchObject({ status: 'filled' });
  });

  test('row 64: one that waited and was not matched has ended, once no trade can arrive any longer', async () => {
    await using member = await openMember();
    member.commands['behavior']?.({ matchDelayMs: 3 * SECOND_MS });
    const { ref } = await member.place({ timeInForce: 'ioc', limitPrice: '0.502' });
    member.walk(0.9);
    await member.pass(4 * SECOND_MS);
    for (let look = 0; look < 2; look += 1) {
      expect(await member.find(ref)).toMatchObject({ status: 'open' });
      await member.pass(10 * SECOND_MS);
    }
    expect(await member.find(ref)).toMatchObject({
      status: 'canceled',
      reasonCode: 'time_in_force',
      filledAmount: '0',
    });
  });

  test('rows 24 and 32: a cancel that crosses a fill changes nothing: the trades tell', async () => {
    await using member = await openMember();
    const { order, ref } = await member.place();
    member.meet(order, '10');
    expect(await member.broker.cancel(ref)).toEqual({ kind: 'gone' });
    expect(await member.find(ref)).toMatchObject({ status: 'filled', filledAmount: '10' });
  });

  test('row 19: whose trades come after its end keeps the amount that the venue has reported', async () => {
    await using member = await openMember();
    const { order, ref } = await member.place();
    member.meet(order, '6');
    const none = { status: 200, body: pageOf([]) };
    member.simulatedVenue.faults.add({ path: 'data/trades', times: 2, isProcessed: false, answer: none });
    expect(await member.find(ref)).toMatchObject({ status: 'open', filledAmount: '6', fills: [] });
    await member.broker.cancel(ref);
    expect(await member.find(ref)).toMatchObject({ status: 'canceled', filledAmount: '6', fills: [] });
    expect(await member.find(ref)).toMatchObject({
      status: 'canceled',
      filledAmount: '6',
      fills: [{ amount: '6' }],
    });
  });

  test('row 19: so does another process, once it has looked at what rests', async () => {
    await using member = await openMember();
    const { order, ref } = await member.place();
    member.meet(order, '6');
    const none = { status: 200, body: pageOf([]) };
    member.simulatedVenue.faults.add({ path: 'data/trades', times: 1, isProcessed: false, answer: none });
    const again = member.brokerOf(member.credentials);
    await again.recordOpenOrders();
    await again.cancel(ref);
    expect(await again.find(ref)).toMatchObject({
      kind: 'found',
      order: { status: 'canceled', filledAmount: '6', fills: [] },
    });
  });

  test('row 19: a trade that failed is not waited for again', async () => {
    await using member = await openMember();
    const { order, ref } = await member.place();
    member.meet(order, '6');
    const { fills } = await member.find(ref);
    member.commands['trades']?.({ trade: fills[0]?.tradeId, status: 'FAILED' });
    await member.broker.cancel(ref);
    await member.pass(60 * SECOND_MS);
    expect(await member.find(ref)).toMatchObject({ status: 'canceled', filledAmount: '0' });
  });

  test('row 23: in parts and then canceled keeps its parts', async () => {
    await using member = await openMember();
    const { order, ref } = await member.place();
    for (let part = 0; part < 5; part += 1) {
      member.meet(order, '1.5');
      await member.pass(12 * SECOND_MS);
    }
    expect(await member.find(ref)).toMatchObject({ status: 'open', filledAmount: '7.5' });
    await member.broker.cancel(ref);
    expect(await member.find(ref)).toMatchObject({
      status: 'canceled',
      filledAmount: '7.5',
      reasonCode: 'requested',
    });
  });

  test('row 35: a cancel whose answer is lost is asked again', async () => {
    await using member = await openMember();
    const { ref } = await member.place();
    member.simulatedVenue.faults.add({ method: 'DELETE', path: 'order', answer: 'cut' });
    await expect(member.broker.cancel(ref)).rejects.toThrow();
    expect(await member.broker.cancel(ref)).toEqual({ kind: 'gone' });
    for (let look = 0; look < 2; look += 1) {
      expect(await member.find(ref)).toMatchObject({ status: 'open' });
      await member.pass(10 * SECOND_MS);
    }
    expect(await member.find(ref)).toMatchObject({ status: 'canceled', filledAmount: '0' });
  });

  test('row 89: by hand at the venue is detected, even by a restarted broker', async () => {
    await using member = await openMember();
    const { ref, prepared } = await member.place();
    const order = member.exchange.orders.get(prepared.venueOrderId ?? '');
    if (order === undefined) throw new Error('it is not there');
    member.exchange.cancel(order);
    for (let look = 0; look < 2; look += 1) {
      expect(await member.find(ref)).toMatchObject({ status: 'open' });
      await member.pass(10 * SECOND_MS);
    }
    expect(await member.find(ref)).toMatchObject({ status: 'canceled', reasonCode: 'at_venue' });
  });

  test('by its own time is `expired`', async () => {
    await using member = await openMember();
    const goodTill = new Date(member.now().getTime() + 600 * SECOND_MS);
    const { ref } = await member.place({ goodTill });
    await member.pass(590 * SECOND_MS);
    expect(await member.find(ref)).toMatchObject({ status: 'open' });
    await member.pass(20 * SECOND_MS);
    for (let look = 0; look < 3; look += 1) {
      await member.find(ref);
      await member.pass(10 * SECOND_MS);
    }
    expect(await member.find(ref)).toMatchObject({ status: 'expired' });
  });

  test('rows 99 and 100: all at once is every order of the account', async () => {
    await using member = await openMember();
    const placed = [];
    for (let count = 0; count < 20; count += 1) placed.push(await member.place({ amount: '5' }));
    await member.broker.cancelAll();
    expect(await member.broker.listOpen()).toEqual([]);
    for (const { ref } of placed) expect(await member.find(ref)).toMatchObject({ status: 'canceled' });
  });
});

describe('an order beside a limit of requests', () => {
  test('row 37: waits for as long as the venue asks, while cancels and questions go on', {
    tags: ['long'],
  }, async () => {
    await using member = await openMember();
    const { ref } = await member.place();
    member.simulatedVenue.faults.add({ path: 'order', isProcessed: false, answer: { retryAfterSec: 2 } });
    await expect(member.place()).rejects.toThrow('429');
    const later = member.place();
    expect((await member.find(ref)).status).toBe('open');
    expect(await member.broker.cancel(ref)).toEqual({ kind: 'asked' });
    expect(member.exchange.openOrders(member.account)).toEqual([]);
    expect((await later).placed).toMatchObject({ kind: 'taken' });
  });
});

describe('what venue B refuses', () => {
  test.each([
    ['row 58: while it restarts', { mode: 'restarting' }, 'venue_restarting'],
    ['row 58: while it takes only orders that rest', { mode: 'post-only' }, 'post_only_mode'],
    ['row 59: while it takes only cancels', { mode: 'cancel-only' }, 'cancel_only'],
    ['row 59: while it does not trade', { mode: 'disabled' }, 'trading_disabled'],
  ])('%s is refused for certain, and its state says until when', async (_, behavior, code) => {
    await using member = await openMember();
    const resting = await member.place();
    member.commands['behavior']?.(behavior);
    expect((await member.place()).placed).toMatchObject({ kind: 'refused', code });
    const status = await member.broker.status();
    expect(status.isTrading).toBe(false);
    expect(status.resumesAt?.getTime()).toBe(member.now().getTime() + 120 * SECOND_MS);
    if (code === 'trading_disabled') await expect(member.broker.cancel(resting.ref)).rejects.toThrow();
    else expect(await member.broker.cancel(resting.ref)).toEqual({ kind: 'asked' });
    member.commands['behavior']?.({ mode: null });
    await member.pass(121 * SECOND_MS);
    expect(await member.broker.status()).toMatchObject({ isTrading: true, resumesAt: null });
    expect((await member.place()).placed).toMatchObject({ kind: 'taken' });
  });

  test('rows 52 and 53: for want of money or of an allowance is refused for certain', async () => {
    await using member = await openMember({ balance: '5' });
    expect((await member.place({ amount: '20' })).placed).toMatchObject({
      kind: 'refused',
      code: 'insufficient_balance',
    });
    expect((await member.place({ side: 'sell', limitPrice: '0.6' })).placed).toMatchObject({
      code: 'insufficient_balance',
    });
    member.commands['allowances']?.({
      account: member.account.id,
      contract: '0xE111180000d2663C0091e4f400237545B87B996B',
      units: '1000000',
    });
    expect((await member.place({ amount: '8' })).placed).toMatchObject({ code: 'insufficient_balance' });
    expect(await member.broker.balances()).toEqual([{ currency: 'pUSD', available: '1', total: '5' }]);
  });

  test('row 63: with `success: true` is refused all the same', async () => {
    await using member = await openMember();
    const body = {
      success: true,
      errorMsg: 'invalid post-only order: order crosses book',
      orderID: '',
      status: '',
    };
    member.simulatedVenue.faults.add({ path: 'order', isProcessed: false, answer: { status: 200, body } });
    expect((await member.place()).placed).toMatchObject({ kind: 'refused', code: 'post_only_cross' });
  });

  test('an order without a match that may not rest is refused: there is no such order', async () => {
    await using member = await openMember();
    expect((await member.place({ timeInForce: 'ioc' })).placed).toMatchObject({
      kind: 'refused',
      code: 'no_match',
    });
    expect(ordersAt(member)).toHaveLength(0);
  });

  test('one that fills whole or not at all is refused where the offers do not suffice, and filled where they do', async () => {
    await using member = await openMember();
    expect(
      (await member.place({ timeInForce: 'fok', amount: '1900', limitPrice: '0.505' })).placed,
    ).toMatchObject({
      kind: 'refused',
      code: 'no_match',
    });
    expect(ordersAt(member)).toHaveLength(0);
    const { ref } = await member.place({ timeInForce: 'fok', limitPrice: '0.6' });
    expect(await member.find(ref)).toMatchObject({ status: 'filled' });
  });

  test('one that would take an offer, and must not, is refused; below the offers it rests', async () => {
    await using member = await openMember();
    expect((await member.place({ timeInForce: 'gtx', limitPrice: '0.6' })).placed).toMatchObject({
      kind: 'refused',
      code: 'post_only_cross',
    });
    expect(ordersAt(member)).toHaveLength(0);
    const { ref } = await member.place({ timeInForce: 'gtx', limitPrice: '0.4' });
    expect(await member.find(ref)).toMatchObject({ status: 'open' });
  });

  test('row 70: a price of a grid that is finer now is taken, one off it is not sent', async () => {
    await using member = await openMember();
    const finer = member.instrument;
    const coarser = { ...finer, tickSize: '0.01' };
    const order = member.orderOf({ limitPrice: '0.455' });
    expect(member.broker.prepare(order, coarser, member.now())).toMatchObject({
      kind: 'refused',
      code: 'tick_changed',
    });
    expect(await member.broker.place(order, member.prepare(order, finer))).toMatchObject({ kind: 'taken' });
  });
});
