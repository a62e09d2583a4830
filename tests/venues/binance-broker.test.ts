/** The behavior of Binance's broker under faults, against the simulated Binance. Named by row. */
import { inspect } from 'node:util';
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import type { TradingFault } from '../../simulator/trading/fault-plan.ts';
import { hostsOf } from '../../venues/binance/trading/hosts.ts';
import { Signer } from '../../venues/binance/trading/sign.ts';
import { API_KEY, openExchange, preparedOf, refOf, SECRET } from './support/binance-exchange.ts';
import { BTCUSDT } from './support/binance-trading.ts';
import { failureOf } from './support/replay.ts';

const ORDER = 'api/v3/order';
const LOST: readonly (readonly [string, TradingFault])[] = [
  ['row 1 and 2: the line is cut before it arrives', { isProcessed: false, answer: 'cut' }],
  ['row 3: the line is cut after it arrived', { answer: 'cut' }],
  ['row 8: half of an answer comes', { answer: 'half' }],
  ['row 10: a gateway answers 502 in HTML, and the order exists', { answer: 'html' }],
  ['row 11: a gateway answers 502 in HTML, and it does not', { isProcessed: false, answer: 'html' }],
  ['a 421 comes, which `fetch` would answer with a second POST', { answer: { status: 421, body: {} } }],
  ['-1007 comes', { answer: { status: 504, body: { code: -1007, msg: 'Timeout' } } }],
];

describe('an order whose answer is lost', () => {
  test.each(LOST)(
    'rows 15 and 84: %s: one POST left, and the venue says what became of it',
    async (_, fault) => {
      await using exchange = await openExchange();
      const { broker, simulatedVenue } = exchange;
      const order = exchange.order();
      const prepared = exchange.prepare(order);
      simulatedVenue.faults.add({ method: 'POST', path: ORDER, ...fault });
      await failureOf(broker.place(order, prepared));
      expect(exchange.requestCount(ORDER)).toBe(1);
      const exists = exchange.atVenue(order.id).length === 1;
      expect(exists).toBe(fault.isProcessed !== false);
      const early = await broker.find(refOf(order, prepared));
      expect(early.kind).toBe(exists ? 'found' : 'absent');
      if (early.kind === 'absent') expect(early.asOf.getTime()).toBeLessThan(prepared.arrivesBy.getTime());
    },
  );

  test('row 4: filled at once is found with each fill once', async () => {
    await using exchange = await openExchange();
    const { broker, simulatedVenue } = exchange;
    const order = exchange.order({ timeInForce: 'ioc', limitPrice: '200000', amount: '0.02' });
    const prepared = exchange.prepare(order);
    simulatedVenue.faults.add({ method: 'POST', path: ORDER, answer: 'cut' });
    await failureOf(broker.place(order, prepared));
    const found = await broker.find(refOf(order, prepared));
    expect(found).toMatchObject({ kind: 'found', order: { status: 'filled', filledAmount: '0.02' } });
    expect(found.kind === 'found' && new Set(found.order.fills.map(({ tradeId }) => tradeId)).size).toBe(
      exchange.venue.exchange.fills.length,
    );
  });

  test('row 5: that arrives four seconds late is absent meanwhile, which proves nothing, and found then', async () => {
    await using exchange = await openExchange();
    const { broker, simulatedVenue, simulator } = exchange;
    const order = exchange.order();
    const prepared = exchange.prepare(order);
    simulatedVenue.faults.add({ method: 'POST', path: ORDER, delayMs: 4_000 });
    const placing = broker.place(order, prepared);
    await expect.poll(() => exchange.requestCount(ORDER)).toBe(1);
    simulator.clock.advance(3);
    const early = await broker.find(refOf(order, prepared));
    expect(early.kind === 'absent' && early.asOf < prepared.arrivesBy).toBe(true);
    simulator.clock.advance(1);
    expect(await placing).toMatchObject({ kind: 'taken' });
    expect(await broker.find(refOf(order, prepared))).toMatchObject({ kind: 'found' });
  });

  test('that arrives after its time is refused by the venue, so that the bound is exact', async () => {
    await using exchange = await openExchange();
    const { broker, simulatedVenue, simulator } = exchange;
    const order = exchange.order();
    simulatedVenue.faults.add({ method: 'POST', path: ORDER, delayMs: 6_000 });
    const placing = broker.place(order, exchange.prepare(order));
    await expect.poll(() => exchange.requestCount(ORDER)).toBe(1);
    simulator.clock.advance(6);
    expect(await placing).toMatchObject({ kind: 'refused', code: 'arrived_late' });
    expect(exchange.atVenue(order.id)).toEqual([]);
  });

  test('whose answer names a coin without a price is looked up again, and then reported with its value', async () => {
    await using exchange = await openExchange({ tags: { bnb: 'true' } });
    const { broker, simulatedVenue, venue, account } = exchange;
    venue.exchange.transfer(account, 'BNB', new Decimal(1));
    const order = exchange.order({ timeInForce: 'ioc', limitPrice: '200000' });
    const prepared = exchange.prepare(order);
    simulatedVenue.faults.add({ method: 'GET', path: 'api/v3/klines', answer: 'html' });
    await failureOf(broker.place(order, prepared));
    expect(await broker.find(refOf(order, prepared))).toMatchObject({
      kind: 'found',
      order: { status: 'filled', fills: [{ feeAsset: 'BNB' }] },
    });
  });
});

describe('the absence of an order', () => {
  test('row 41: is believed by the time of Binance itself, with no `Date` on any answer', async () => {
    await using exchange = await openExchange();
    const order = exchange.order();
    const prepared = exchange.prepare(order);
    exchange.simulatedVenue.faults.add({ times: 100, date: 'absent' });
    exchange.simulator.clock.advance(11);
    const found = await exchange.broker.find(refOf(order, prepared));
    expect(found.kind === 'absent' && found.asOf > prepared.arrivesBy).toBe(true);
  });

  test('row 41: proves nothing once the clock of Binance is not where it was', async () => {
    await using exchange = await openExchange();
    const { broker, venue } = exchange;
    await broker.status();
    const order = exchange.order();
    const prepared = exchange.prepare(order);
    venue.exchange.offsetMs = 600_000;
    // A request signed with the old offset is refused by then; in both cases nothing is concluded.
    expect(await broker.find(refOf(order, prepared)).catch(() => ({ kind: 'unsure' }))).toEqual({
      kind: 'unsure',
    });
  });

  test.each([
    ['once it was acknowledged', 'known'],
    ['of an order sent before requests were kept', 'unprepared'],
  ])('%s is never reported', async (_, which) => {
    await using exchange = await openExchange();
    const order = exchange.order();
    const prepared = exchange.prepare(order);
    exchange.simulator.clock.advance(60);
    const ref = which === 'known' ? refOf(order, prepared, '4293999') : refOf(order, null);
    expect(await exchange.broker.find(ref)).toEqual({ kind: 'unsure' });
  });

  test('row 109: of an order that was archived (-2026) says nothing', async () => {
    await using exchange = await openExchange();
    const { order, prepared } = await exchange.rest();
    const archived = { status: 400, body: { code: -2026, msg: 'Order was archived.' } };
    exchange.simulatedVenue.faults.add({ method: 'GET', path: ORDER, answer: archived });
    expect(await exchange.broker.find(refOf(order, prepared))).toEqual({ kind: 'unsure' });
  });

  test('while reads lag behind matching is no proof, and ends automatically', async () => {
    await using exchange = await openExchange();
    const { broker, venue, simulator } = exchange;
    venue.exchange.readLagMs = 2_000;
    const { order, prepared } = await exchange.rest();
    const early = await broker.find(refOf(order, prepared));
    expect(early.kind === 'absent' && early.asOf < prepared.arrivesBy).toBe(true);
    simulator.clock.advance(2);
    expect(await broker.find(refOf(order, prepared))).toMatchObject({ kind: 'found' });
  });

  test('is not reported if another order is in the answer: it is unreadable', async () => {
    await using exchange = await openExchange();
    const { order, prepared } = await exchange.rest();
    const another = {
      symbol: 'BTCUSDT',
      orderId: 1,
      clientOrderId: 'another',
      side: 'BUY',
      price: '1',
      origQty: '1',
      executedQty: '0',
      status: 'CANCELED',
      time: 1,
    };
    exchange.simulatedVenue.faults.add({
      method: 'GET',
      path: ORDER,
      answer: { status: 200, body: another },
    });
    expect(await failureOf(exchange.broker.find(refOf(order, prepared)))).toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('ids', () => {
  test('row 14: of an open order cannot be used again: it exists', async () => {
    await using exchange = await openExchange();
    const { order, prepared } = await exchange.rest();
    expect(await exchange.broker.place(order, prepared)).toEqual({ kind: 'exists' });
    expect(exchange.atVenue(order.id)).toHaveLength(1);
  });

  test('row 15: of a filled order are free again at the venue, so that only never repeating keeps it one order', async () => {
    await using exchange = await openExchange();
    const { order, prepared } = await exchange.rest();
    await exchange.trade(order, order.amount);
    expect(await exchange.broker.place(order, prepared)).toMatchObject({ kind: 'taken' });
    expect(exchange.atVenue(order.id)).toHaveLength(2);
  });
});

describe('a cancel', () => {
  test('row 33: of a filled order (-2011) finds nothing, and the order is found filled', async () => {
    await using exchange = await openExchange();
    const { order, ref } = await exchange.rest();
    await exchange.trade(order, order.amount);
    expect(await exchange.broker.cancel(ref)).toEqual({ kind: 'gone' });
    expect(await exchange.broker.find(ref)).toMatchObject({ order: { status: 'filled' } });
  });

  test('row 35: whose answer is lost may be requested again', async () => {
    await using exchange = await openExchange();
    const { ref } = await exchange.rest();
    exchange.simulatedVenue.faults.add({ method: 'DELETE', answer: 'cut' });
    expect(await failureOf(exchange.broker.cancel(ref))).toMatchObject({ kind: 'unavailable' });
    expect(await exchange.broker.cancel(ref)).toEqual({ kind: 'gone' });
    expect(await exchange.broker.find(ref)).toMatchObject({ order: { status: 'canceled' } });
  });

  test('row 38: and a read answered by 429 state when to retry, and the order stays unchanged', async () => {
    await using exchange = await openExchange();
    const { ref } = await exchange.rest();
    exchange.simulatedVenue.faults.add({
      method: 'DELETE',
      isProcessed: false,
      answer: { retryAfterSec: 7 },
    });
    expect(await failureOf(exchange.broker.cancel(ref))).toMatchObject({ kind: 'unavailable' });
    expect(await failureOf(exchange.broker.find(ref))).toMatchObject({
      kind: 'unavailable',
      retryAfterSec: 7,
    });
    expect(exchange.venue.exchange.openOrders(exchange.account)).toHaveLength(1);
  });

  test('row 100: of everything is repeated until nothing is open, of orders placed by hand too', async () => {
    await using exchange = await openExchange();
    const { broker, simulatedVenue, venue, account } = exchange;
    await exchange.rest();
    await exchange.rest({ tokenId: 'ETHUSDT', limitPrice: '1000', amount: '0.5' });
    venue.exchange.place({
      account,
      clientOrderId: 'by-hand',
      instrument: 'BTCUSDT',
      side: 'sell',
      price: new Decimal(90_000),
      amount: new Decimal('0.1'),
      timeInForce: 'GTC',
    });
    simulatedVenue.faults.add({
      method: 'DELETE',
      path: 'api/v3/openOrders',
      isProcessed: false,
      answer: { status: 200, body: [] },
    });
    await broker.cancelAll();
    expect(venue.exchange.openOrders(account)).toEqual([]);
    expect(await broker.listOpen()).toEqual([]);
  });

  test('of all orders is not blocked by an order that cannot be parsed', async () => {
    await using exchange = await openExchange();
    const { venue, account, broker, simulatedVenue } = exchange;
    await exchange.rest();
    const unread = [{ symbol: 'BTCUSDT', status: 'A_STATUS_NOBODY_KNOWS' }];
    const answer = { status: 200, body: unread };
    simulatedVenue.faults.add({ method: 'GET', path: 'api/v3/openOrders', times: 2, answer });
    expect(await failureOf(broker.listOpen())).toMatchObject({ kind: 'unavailable' });
    await broker.cancelAll();
    expect(venue.exchange.openOrders(account)).toEqual([]);
  });

  test('of all orders that never ends is an error, not a success', async () => {
    await using exchange = await openExchange();
    await exchange.rest();
    exchange.simulatedVenue.faults.add({
      method: 'DELETE',
      times: 100,
      isProcessed: false,
      answer: { status: 200, body: [] },
    });
    expect(await failureOf(exchange.broker.cancelAll())).toMatchObject({ kind: 'unavailable' });
  });
});

describe('clocks', () => {
  test.each([3_000, -3_000, 70_000, -70_000])(
    'row 40: of ours %i ms off are reported, refused, and corrected by the measured offset',
    async (offMs) => {
      await using exchange = await openExchange();
      const clock = { now: () => exchange.simulator.clock.now() + offMs, speed: 0, observe: () => {} };
      const broker = exchange.brokerWith({ clock });
      const off = exchange.order();
      const placeNow = async (order = off) =>
        broker.place(order, preparedOf(broker.prepare(order, BTCUSDT, new Date(clock.now()))));
      // Three seconds behind are within the window.
      if (offMs !== -3_000) expect(await placeNow()).toMatchObject({ kind: 'refused', code: 'arrived_late' });
      const { serverTime } = { serverTime: exchange.venue.exchange.venueNow() };
      const status = await broker.status().catch(() => broker.status());
      expect(status.clockOffsetMs).toBe(serverTime - clock.now());
      const order = exchange.order();
      expect(await placeNow(order)).toMatchObject({ kind: 'taken' });
      expect(exchange.atVenue(order.id)).toHaveLength(1);
    },
  );

  test('a time is checked again before the matching engine: a request delayed within the venue is refused', async () => {
    await using exchange = await openExchange();
    exchange.venue.engineLagMs = 5_001;
    const order = exchange.order();
    expect(await exchange.broker.place(order, exchange.prepare(order))).toMatchObject({
      code: 'arrived_late',
    });
  });
});

describe('a key', () => {
  test('row 48: revoked in mid-flight: orders are refused and reads are errors', async () => {
    await using exchange = await openExchange();
    const { ref } = await exchange.rest();
    exchange.account.keys.clear();
    const order = exchange.order();
    expect(await exchange.broker.place(order, exchange.prepare(order))).toMatchObject({
      code: 'unauthorized',
    });
    expect(await failureOf(exchange.broker.find(ref))).toMatchObject({ kind: 'unavailable' });
    expect(exchange.atVenue(ref.id)).toHaveLength(1);
  });

  test('that may withdraw or transfer is reported with these rights, and one that may not is not', async () => {
    await using harmless = await openExchange();
    expect((await harmless.broker.status()).permissions).toEqual(['read', 'trade']);
    expect(await harmless.broker.terms()).toEqual({ takerRate: '0.001' });
    await using rich = await openExchange({ scopes: ['read', 'write', 'withdraw', 'transfer'] });
    expect((await rich.broker.status()).permissions).toEqual(['read', 'trade', 'withdraw', 'transfer']);
    await using looking = await openExchange({ scopes: ['read'] });
    expect((await looking.broker.status()).permissions).toEqual(['read']);
  });

  test('has an expiry and an owner in the status', async () => {
    await using exchange = await openExchange({ expiresMs: Date.UTC(2027, 0, 1) });
    const status = await exchange.broker.status();
    expect(status).toMatchObject({ keyExpiresAt: new Date('2027-01-01'), isTrading: true });
    expect(status.fingerprint).toMatch(/^\d+$/);
  });

  test('row 107: of the testnet is refused by the live host, and the reverse', async () => {
    await using testnet = await openExchange({ environment: 'testnet' });
    const atLive = testnet.brokerWith({ hosts: hostsOf('live', testnet.simulator.url) });
    expect(await failureOf(atLive.status())).toMatchObject({ kind: 'unavailable' });
    await using live = await openExchange();
    const atTestnet = live.brokerWith({ hosts: hostsOf('testnet', live.simulator.url) });
    expect(await failureOf(atTestnet.status())).toMatchObject({ kind: 'unavailable' });
  });

  test('row 106: no error contains it or its secret', async () => {
    await using exchange = await openExchange();
    const { broker, simulatedVenue } = exchange;
    const { ref, order, prepared } = await exchange.rest();
    const wrong = exchange.brokerWith({ signer: Signer.of(API_KEY, `${SECRET.slice(1)}x`) });
    const failures: unknown[] = [await failureOf(wrong.status()), await wrong.place(order, prepared)];
    for (const answer of ['cut', 'half', 'html', { retryAfterSec: 1 }] as const) {
      simulatedVenue.faults.clear();
      simulatedVenue.faults.add({ times: 100, answer });
      failures.push(await failureOf(broker.cancel(ref)), await failureOf(broker.listOpen()));
    }
    for (const failure of failures) {
      const printed = inspect(failure, { depth: null, showHidden: true });
      for (const secret of [API_KEY, SECRET, 'signature=']) expect(printed).not.toContain(secret);
    }
  });
});

describe('hosts', () => {
  test('are fixed by the environment', () => {
    expect(hostsOf('live').api).toBe('https://api.binance.com/');
    expect(hostsOf('testnet').api).toBe('https://testnet.binance.vision/');
    expect(hostsOf('demo').api).toBe('https://demo-api.binance.com/');
  });
});
