/** Venue A's adapter against the simulated venue. Numbers in names are rows of the table of faults of live execution. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { type Order, stateOf } from '../../simulator/trading/orders.ts';
import { CREATE, found, impatient, loses, MARS, member, resting, taken } from './support/kalshi-trading.ts';

const QUARTER = 'KXBTC15M-26NOV220715-15';

describe('a create whose answer is lost', () => {
  test('row 1: at a host that refuses connections leaves the order unknown, and absent once the venue answers', async () => {
    await using venue = await member();
    await using gone = await member({ hosts: { rest: 'http://127.0.0.1:1', stream: 'ws://127.0.0.1:1' } });
    const { answer, ref } = await gone.place();
    await expect(answer).rejects.toThrow('venue A did not answer');
    expect(await venue.broker.find(ref)).toMatchObject({ kind: 'absent' });
  });

  test.each([
    ['row 2: never processed, without an answer', { isProcessed: false, answer: 'hang' }],
    ['row 11: never processed, 503', { isProcessed: false, answer: { status: 503, body: {} } }],
  ] as const)('%s: absent, and proof only from the arrival bound on', async (_, fault) => {
    await using venue = await impatient();
    const ref = await loses(venue, fault);
    const arrivesBy = ref.prepared?.arrivesBy ?? new Date(0);
    expect(arrivesBy.getTime() - (ref.prepared?.signedFor.getTime() ?? 0)).toBe(75_000);
    const early = await venue.broker.find(ref);
    expect(early.kind === 'absent' && early.asOf < arrivesBy).toBe(true);
    venue.simulator.clock.advance(76);
    const late = await venue.broker.find(ref);
    expect(late.kind === 'absent' && late.asOf > arrivesBy).toBe(true);
    expect(venue.broker.absenceProof).toEqual({ times: 2, apartMs: 5_000 });
  });

  test.each([
    ['row 3: cut', { answer: 'cut' }],
    ['row 8: half a body', { answer: 'half' }],
    ['row 9: 201 without an order', { answer: { status: 201, body: {} } }],
    ['row 10: a gateway 502 in HTML', { answer: 'html' }],
  ] as const)('%s: one order, found', async (_, fault) => {
    await using venue = await impatient();
    const ref = await loses(venue, fault);
    expect(found(await venue.broker.find(ref))).toMatchObject({ status: 'open', filledAmount: '0' });
    expect(venue.ordersThere()).toHaveLength(1);
  });

  test('row 4: and that was filled at once is found filled, with each fill once', async () => {
    await using venue = await impatient();
    venue.simulatedVenue.faults.add({ ...CREATE, answer: 'cut' });
    const { answer, ref } = await venue.place({ limitPrice: '0.99', amount: '3' });
    await expect(answer).rejects.toThrow();
    const order = found(await venue.broker.find(ref));
    expect(order).toMatchObject({ status: 'filled', filledAmount: '3' });
    expect(Decimal.sum(...order.fills.map(({ amount }) => amount)).toFixed()).toBe('3');
  });

  test.each([9, 59])(
    'rows 5 and 6: and that arrives %i s late is absent before, and found after',
    async (seconds) => {
      await using venue = await impatient();
      const ref = await loses(venue, { delayMs: seconds * 1_000 });
      expect(await venue.broker.find(ref)).toMatchObject({ kind: 'absent' });
      venue.simulator.clock.advance(seconds);
      await expect.poll(() => venue.broker.find(ref)).toMatchObject({ kind: 'found' });
      expect(venue.ordersThere()).toHaveLength(1);
    },
  );

  test('that arrives after the time window of its signature never becomes an order', async () => {
    await using venue = await impatient();
    const ref = await loses(venue, { delayMs: 61_000 });
    venue.simulator.clock.advance(80);
    await expect.poll(() => venue.broker.find(ref)).toMatchObject({ kind: 'absent' });
    expect(venue.ordersThere()).toEqual([]);
  });

  test('row 12: a request that another layer repeats is one order', async () => {
    await using venue = await member();
    const { answer, order, prepared, ref } = await venue.place();
    const first = taken(await answer);
    expect(await venue.broker.place(order, prepared)).toEqual({ kind: 'exists' });
    expect(found(await venue.broker.find(ref)).venueOrderId).toBe(first.venueOrderId);
    expect(venue.ordersThere()).toHaveLength(1);
  });
});

describe('a create that is refused', () => {
  test.each([
    ['row 37: 429 without a time', 'too-many', 'rate_limited'],
    ['row 37: 429 with a time', { retryAfterSec: 1 }, 'rate_limited'],
  ] as const)('%s', async (_, answer, code) => {
    await using venue = await member();
    venue.simulatedVenue.faults.add({ ...CREATE, isProcessed: false, answer });
    const placing = await venue.place();
    expect(await placing.answer).toMatchObject({ kind: 'refused', code });
    expect(venue.ordersThere()).toEqual([]);
  });

  test('row 40: with a clock 70 s off is refused for certain, as late', async () => {
    await using venue = await member();
    venue.exchange.offsetMs = 70_000;
    const { answer } = await venue.place();
    expect(await answer).toMatchObject({ kind: 'refused', code: 'arrived_late' });
    expect((await venue.broker.status()).clockOffsetMs).toBeGreaterThan(69_000);
  });

  test('row 41: without a time from the venue, its clock is unknown', async () => {
    await using venue = await member();
    venue.simulatedVenue.faults.add({ path: 'trade-api/v2/exchange/status', date: 'absent' });
    expect((await venue.broker.status()).clockOffsetMs).toBeNull();
  });

  test('rows 48 and 107: by a key that was revoked or is of another environment, whose rights are none', async () => {
    await using venue = await member();
    venue.account.keys.clear();
    const { answer } = await venue.place();
    expect(await answer).toMatchObject({ kind: 'refused', code: 'unauthorized' });
    expect(await venue.broker.status()).toMatchObject({ permissions: [], fingerprint: '' });
    await expect(venue.broker.balances()).rejects.toThrow('status 401');
  });

  test('row 49: in a category whose attestation has lapsed, and in no other', async () => {
    const lapsed = Date.UTC(2026, 10, 1) / 1_000;
    await using venue = await member({ tags: { regionExpiresSec: String(lapsed) } });
    expect((await venue.broker.status()).attestedUntil).toEqual(new Date(lapsed * 1_000));
    const election = await venue.place({ tokenId: 'KXPRESPARTY-2028-D:yes' });
    expect(await election.answer).toMatchObject({ kind: 'refused', code: 'forbidden' });
    const science = await venue.place();
    expect(await science.answer).toMatchObject({ kind: 'taken' });
  });

  test('row 52: on a shard with too small a balance, for any balance of the others', async () => {
    await using venue = await member();
    const order = { tokenId: `${QUARTER}:yes`, limitPrice: '0.001' };
    const dear = await venue.place({ ...order, amount: '600000' });
    expect(await dear.answer).toMatchObject({ kind: 'refused', code: 'insufficient_balance' });
    const cheap = await venue.place({ ...order, amount: '10000' });
    expect(await cheap.answer).toMatchObject({ kind: 'taken' });
    expect(await venue.broker.balances()).toMatchObject([
      { currency: 'USD', shard: '0', total: '1000', available: '1000' },
      { shard: '1' },
      { shard: '2', total: '500', available: '490' },
      { shard: '3' },
    ]);
  });

  test('row 53: when the money was withdrawn in between', async () => {
    await using venue = await member();
    venue.exchange.transfer(venue.account, 'USD/0', new Decimal(-1_000));
    const { answer } = await venue.place();
    expect(await answer).toMatchObject({ kind: 'refused', code: 'insufficient_balance' });
  });

  test('row 54: while trading pauses, when cancels still work', async () => {
    await using venue = await member();
    const { ref } = await resting(venue);
    venue.exchange.pause = 'trading';
    const { answer } = await venue.place();
    expect(await answer).toMatchObject({ kind: 'refused', code: 'trading_is_paused' });
    expect(await venue.broker.status()).toMatchObject({ isTrading: false });
    expect(await venue.broker.cancel(ref)).toEqual({ kind: 'asked' });
  });

  test('after the order expired does not leave', async () => {
    await using venue = await member();
    const { answer } = await venue.place({ validUntil: new Date(venue.simulator.clock.now() - 1) });
    expect(await answer).toMatchObject({ kind: 'refused', code: 'too_late' });
    expect(venue.ordersThere()).toEqual([]);
  });
});

describe('the end of an order', () => {
  test('row 27: a 404 is no evidence: executed, canceled and unknown orders get the same answer', async () => {
    await using venue = await member();
    const executed = await resting(venue);
    venue.exchange.fillResting(executed.there, new Decimal(10));
    expect(await venue.broker.cancel(executed.ref)).toEqual({ kind: 'gone' });
    expect(found(await venue.broker.find(executed.ref)).status).toBe('filled');
    const canceled = await resting(venue);
    venue.exchange.cancel(canceled.there);
    expect(await venue.broker.cancel(canceled.ref)).toEqual({ kind: 'gone' });
    expect(found(await venue.broker.find(canceled.ref)).status).toBe('canceled');
    const unknown = { ...executed.ref, id: 'unknown', venueOrderId: 'unknown' };
    expect(await venue.broker.cancel(unknown)).toEqual({ kind: 'gone' });
    expect(await venue.broker.find(unknown)).toEqual({ kind: 'unsure' });
  });

  test('row 28: is requested on the shard of its market', async () => {
    await using venue = await member();
    const { ref } = await resting(venue, { tokenId: `${QUARTER}:yes`, limitPrice: '0.001' });
    expect(await venue.broker.cancel(ref)).toEqual({ kind: 'asked' });
    expect(found(await venue.broker.find(ref)).status).toBe('canceled');
  });

  test('row 29: shows late: open for a while, the second cancel finds nothing, then canceled for good', async () => {
    await using venue = await member({ readLagMs: 400 });
    const { ref } = await resting(venue);
    venue.simulator.clock.advance();
    expect(await venue.broker.cancel(ref)).toEqual({ kind: 'asked' });
    expect(found(await venue.broker.find(ref)).status).toBe('open');
    expect(await venue.broker.cancel(ref)).toEqual({ kind: 'gone' });
    venue.simulator.clock.advance();
    expect(found(await venue.broker.find(ref)).status).toBe('canceled');
  });

  test('row 30: an answer about another order is refused', async () => {
    await using venue = await member();
    const { ref } = await resting(venue);
    const body = { order_id: 'another', reduced_by: '10.00', ts_ms: 1 };
    venue.simulatedVenue.faults.add({ method: 'DELETE', isProcessed: false, answer: { status: 200, body } });
    await expect(venue.broker.cancel(ref)).rejects.toThrow('something other than');
    expect(found(await venue.broker.find(ref)).status).toBe('open');
  });

  test('row 35: can be requested again after its answer was lost', async () => {
    await using venue = await impatient();
    const { ref } = await resting(venue);
    venue.simulatedVenue.faults.add({ method: 'DELETE', answer: 'cut' });
    await expect(venue.broker.cancel(ref)).rejects.toThrow();
    expect(await venue.broker.cancel(ref)).toEqual({ kind: 'gone' });
    expect(found(await venue.broker.find(ref)).status).toBe('canceled');
  });

  test('row 36: can be requested before the venue id of the order is known', async () => {
    await using venue = await impatient();
    const ref = await loses(venue, { answer: 'cut' });
    expect(await venue.broker.cancel(ref)).toEqual({ kind: 'asked' });
    expect(found(await venue.broker.find(ref)).status).toBe('canceled');
  });

  test('rows 23 and 24: keeps what was filled, in parts and in the moment of the cancel', async () => {
    await using venue = await member();
    const { ref, there } = await resting(venue);
    for (const amount of [1, 2, 1, 2, 1]) {
      venue.exchange.fillResting(there, new Decimal(amount));
      venue.simulator.clock.advance(12);
    }
    await venue.broker.cancel(ref);
    const order = found(await venue.broker.find(ref));
    expect(order).toMatchObject({ status: 'canceled', filledAmount: '7' });
    expect(order.fills.map(({ amount }) => Number(amount)).sort()).toEqual([1, 1, 1, 2, 2]);
  });

  test('row 19: may be visible before its fills: the amount states how much is filled', async () => {
    await using venue = await member();
    const { ref, there } = await resting(venue);
    venue.exchange.fillResting(there, new Decimal(6));
    await venue.broker.cancel(ref);
    const path = 'trade-api/v2/portfolio/fills';
    venue.simulatedVenue.faults.add({
      path,
      isProcessed: false,
      answer: { status: 200, body: { fills: [], cursor: '' } },
    });
    expect(found(await venue.broker.find(ref))).toMatchObject({
      status: 'canceled',
      filledAmount: '6',
      fills: [],
    });
    expect(found(await venue.broker.find(ref)).fills).toHaveLength(1);
  });

  test('row 55: comes automatically when the venue pauses', async () => {
    await using venue = await member();
    const { ref } = await resting(venue);
    venue.exchange.pause = 'all';
    venue.simulator.clock.advance();
    expect(found(await venue.broker.find(ref)).status).toBe('canceled');
    await expect(venue.broker.cancel({ ...ref, venueOrderId: 'x' })).rejects.toThrow('exchange_is_paused');
  });

  test('row 56: comes from the venue when a market was inactive for a while', async () => {
    await using venue = await member();
    const { ref, there } = await resting(venue);
    venue.exchange.cancel(there, 'market_paused');
    expect(found(await venue.broker.find(ref))).toMatchObject({
      status: 'canceled',
      filledAmount: '0',
      reasonCode: 'market_pause_cancel',
    });
  });

  test('row 57: after the close comes from the venue: a cancel is refused, the order stays open, then the venue cancels it', async () => {
    await using venue = await member();
    // Placed nine minutes before the close, within the ten minutes that it may rest.
    venue.simulator.clock.advance(6 * 60);
    const { ref } = await resting(venue, {
      tokenId: `${QUARTER}:no`,
      limitPrice: '0.001',
      side: 'buy',
      goodTill: null,
    });
    venue.simulator.clock.advance(9 * 60 + 1);
    expect(await venue.broker.cancel(ref)).toEqual({ kind: 'gone' });
    expect(found(await venue.broker.find(ref)).status).toBe('open');
    expect(stateOf(venue.ordersThere()[0] as Order).status).toBe('open');
    venue.simulator.clock.advance(5);
    expect(found(await venue.broker.find(ref)).status).toBe('canceled');
  });

  test('is expired where it rested until its own end', async () => {
    await using venue = await member();
    const { ref } = await resting(venue, { goodTill: new Date(venue.simulator.clock.now() + 60_000) });
    venue.simulator.clock.advance(61);
    expect(found(await venue.broker.find(ref)).status).toBe('expired');
  });

  test('row 74: comes early for a sale of more than the venue’s position', async () => {
    await using venue = await member();
    const bought = await venue.place({ limitPrice: '0.99', amount: '3', timeInForce: 'ioc' });
    taken(await bought.answer);
    const { answer, ref } = await venue.place({
      side: 'sell',
      limitPrice: '0.01',
      amount: '5',
      timeInForce: 'ioc',
    });
    expect(taken(await answer)).toMatchObject({ status: 'canceled', filledAmount: '3' });
    expect(found(await venue.broker.find(ref))).toMatchObject({ status: 'canceled', filledAmount: '3' });
    expect(await venue.broker.positions()).toEqual([]);
  });

  test('row 100: of all orders is requested at once, and they are listed until there are none', async () => {
    await using venue = await member();
    await resting(venue);
    await resting(venue, { tokenId: `${QUARTER}:yes`, limitPrice: '0.001' });
    expect(await venue.broker.listOpen()).toHaveLength(2);
    await venue.broker.cancelAll();
    expect(await venue.broker.listOpen()).toEqual([]);
  });
});

test('the account nets if its own subaccount does, on every shard', async () => {
  await using venue = await member();
  expect(await venue.broker.terms()).toEqual({ nets: true });
  const termsFrom = async (...configs: object[]) => {
    const answer = { status: 200, body: { netting_configs: configs } };
    venue.simulatedVenue.faults.add({ method: 'GET', path: 'trade-api/v2/portfolio/subaccounts', answer });
    return venue.broker.terms();
  };
  const [on, off] = [true, false].map((enabled) => ({ subaccount_number: 0, enabled, exchange_index: 0 }));
  expect(await termsFrom({ ...on, exchange_index: 2 }, off ?? {})).toEqual({ nets: false });
  expect(await termsFrom({ ...off, subaccount_number: 3 }, on ?? {})).toEqual({ nets: true });
  expect(await termsFrom({ ...off, subaccount_number: 3 })).toEqual({});
  await expect(termsFrom({ subaccount_number: 0 })).rejects.toThrow();
});

describe('order groups', () => {
  test('row 98: end all their orders at the limit, and block new ones until a reset', async () => {
    const groups = new Map<string, string>();
    await using venue = await member({ groupOf: (ticker) => groups.get(ticker) ?? null });
    const groupId = await venue.broker.openGroup(0, '5');
    groups.set(MARS, groupId);
    const one = await resting(venue);
    const two = await resting(venue);
    venue.exchange.fillResting(one.there, new Decimal(6));
    expect(found(await venue.broker.find(one.ref))).toMatchObject({ status: 'canceled', filledAmount: '6' });
    expect(found(await venue.broker.find(two.ref))).toMatchObject({ status: 'canceled', filledAmount: '0' });
    const shut = await venue.place();
    expect(await shut.answer).toMatchObject({ kind: 'refused', code: 'order_group_triggered' });
    await venue.broker.actOnGroup(groupId, 'reset', 0);
    const open = await venue.place();
    expect(await open.answer).toMatchObject({ kind: 'taken' });
    await venue.broker.actOnGroup(groupId, 'trigger', 0);
    expect(await venue.broker.listOpen()).toEqual([]);
  });
});

test('row 106: no error contains the key or the venue’s text', async () => {
  await using venue = await member();
  const leak = { error: { code: 'PRIVATE KEY of key-1!', message: 'key-1' } };
  venue.simulatedVenue.faults.add({ method: 'GET', answer: { status: 500, body: leak } });
  const error: unknown = await venue.broker.positions().catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/venue A did not return positions: status 500$/);
  expect(JSON.stringify(venue.signer)).not.toContain('PRIVATE');
});
