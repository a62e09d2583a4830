/** The user stream of Binance, against the simulated one. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { CommissionValuer } from '../../venues/binance/trading/commission-valuer.ts';
import { Signer } from '../../venues/binance/trading/sign.ts';
import { UserStream, type UserStreamOptions } from '../../venues/binance/trading/stream.ts';
import { TradingHost } from '../../venues/binance/trading/trading-host.ts';
import type { VenueEvent } from '../../venues/broker.ts';
import { API_KEY, openExchange, SECRET, tradeIdOf } from './support/binance-exchange.ts';

type Exchange = Awaited<ReturnType<typeof openExchange>>;

/** A stream and its events, once it is connected. */
async function listening(exchange: Exchange, more: Partial<UserStreamOptions> = {}) {
  const events: VenueEvent[] = [];
  const stream = new UserStream({
    url: exchange.hosts.socket,
    signer: exchange.signer,
    now: () => exchange.simulator.clock.now(),
    valuer: new CommissionValuer(new TradingHost(exchange.hosts.api, exchange.simulator.clock)),
    on: (event) => events.push(event),
    ...more,
  });
  const gaps = () => events.filter(({ kind }) => kind === 'gap').length;
  await expect.poll(gaps).toBe(1);
  return {
    events,
    gaps,
    fills: () => events.flatMap((event) => (event.kind === 'fill' ? [event.fill.tradeId] : [])),
    orders: () => events.flatMap((event) => (event.kind === 'order' ? [event] : [])),
    [Symbol.asyncDispose]: () => stream.stop(),
  };
}

const TIMES = { probeMs: 20, silenceMs: 150, backoffMs: 10, backoffMaxMs: 50 };

describe('the user stream of Binance', () => {
  test('reports an order from its start to its end, each fill before the resulting status', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange);
    const { order, ref } = await exchange.rest();
    await exchange.trade(order, '0.004');
    await exchange.broker.cancel(ref);
    await expect.poll(() => stream.orders().at(-1)?.order.status).toBe('canceled');
    expect(stream.events.slice(1).map(({ kind }) => kind)).toEqual(['order', 'fill', 'order', 'order']);
    expect(stream.fills()).toEqual([tradeIdOf(exchange, 1)]);
    expect(stream.events[2]).toMatchObject({
      kind: 'fill',
      fill: {
        clientOrderId: order.id,
        venueOrderId: ref.venueOrderId,
        amount: '0.004',
        fee: '0.2',
        feeAsset: 'BTC',
        liquidity: 'maker',
      },
    });
    // Row 34: the cancel has an id of its own.
    expect(new Set(stream.orders().map(({ clientOrderId }) => clientOrderId))).toEqual(new Set([order.id]));
    expect(stream.orders().map(({ order: { status, filledAmount } }) => [status, filledAmount])).toEqual([
      ['open', '0'],
      ['open', '0.004'],
      ['canceled', '0.004'],
    ]);
  });

  test('reports orders placed by hand, and none of strangers', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange);
    const draft = {
      clientOrderId: 'by-hand',
      instrument: 'BTCUSDT',
      side: 'buy',
      price: new Decimal(50_000),
      amount: new Decimal(1),
      timeInForce: 'GTC',
    } as const;
    exchange.venue.exchange.place({ ...draft, account: null });
    exchange.venue.exchange.place({ ...draft, account: exchange.account });
    await expect.poll(() => stream.orders()).toMatchObject([{ clientOrderId: 'by-hand' }]);
  });

  test('row 78: reports why an order that would trade with its own account has ended', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange);
    exchange.simulator.priceOverrides.set('BTCUSDT', 70_000, exchange.venue.exchange.now());
    await exchange.rest({ side: 'sell', limitPrice: '75000' });
    exchange.simulator.priceOverrides.set('BTCUSDT', 100_000, exchange.venue.exchange.now());
    const order = exchange.order({ timeInForce: 'ioc', limitPrice: '76000' });
    await exchange.broker.place(order, exchange.prepare(order));
    await expect
      .poll(() => stream.orders().at(-1))
      .toMatchObject({
        clientOrderId: order.id,
        order: { status: 'canceled', reasonCode: 'self_trade' },
      });
  });

  test('row 79: cut, reconnects and reports a gap', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange, { times: TIMES });
    const { order } = await exchange.rest();
    await expect.poll(() => stream.orders().length).toBe(1);
    exchange.simulatedVenue.streams.cut();
    await exchange.trade(order, '0.004');
    await expect.poll(stream.gaps).toBe(2);
    await exchange.trade(order, '0.006');
    await expect.poll(stream.fills).toEqual([tradeIdOf(exchange, 2)]);
    // The listing reports the missed fills.
    const { fills } = await exchange.broker.fillsSince(null);
    expect(fills.map(({ tradeId }) => tradeId)).toEqual([tradeIdOf(exchange, 1), tradeIdOf(exchange, 2)]);
  });

  test('row 80: passes repeats on unchanged: the same fill under the same id', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange);
    exchange.simulatedVenue.streams.disturb('duplicate');
    const { order } = await exchange.rest();
    await exchange.trade(order, '0.004');
    await expect.poll(stream.fills).toEqual([tradeIdOf(exchange, 1), tradeIdOf(exchange, 1)]);
    const [one, two] = stream.events.filter(({ kind }) => kind === 'fill');
    expect(two).toEqual(one);
  });

  test('row 81: open but dead is detected by a probe, and opened again', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange, { times: TIMES });
    exchange.simulatedVenue.streams.disturb('silence');
    await expect.poll(() => exchange.simulatedVenue.streams.size).toBe(0);
    exchange.simulatedVenue.streams.disturb(null);
    await expect.poll(stream.gaps).toBe(2);
  });

  test('an answered probe keeps a quiet stream open', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange, { times: TIMES });
    await new Promise((resolve) => setTimeout(resolve, 3 * TIMES.silenceMs));
    expect(stream.gaps()).toBe(1);
    expect(exchange.simulatedVenue.streams.size).toBe(1);
  });

  test.each([
    ['its own lifetime', { lifetimeMs: 200 }, null],
    ['a server that shuts down', {}, '{"event":{"e":"serverShutdown","E":1770123456789}}'],
  ])('row 82: before the end, by %s, the next one is opened: nothing is missed', async (_, times, frame) => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange, { times: { ...TIMES, ...times } });
    const { order } = await exchange.rest();
    const [first] = exchange.simulatedVenue.streams.clients();
    if (frame !== null) exchange.simulatedVenue.streams.send(frame);
    await expect
      .poll(() => {
        const clients = exchange.simulatedVenue.streams.clients();
        return clients.length > 0 && clients.every((client) => client !== first);
      })
      .toBe(true);
    await exchange.trade(order, '0.004');
    await expect.poll(() => new Set(stream.fills())).toEqual(new Set([tradeIdOf(exchange, 1)]));
    expect(stream.gaps()).toBe(1);
  });

  test('row 82: that the venue ends after 24 hours reconnects', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange, { times: TIMES });
    exchange.simulator.clock.advance(24 * 3_600);
    await expect.poll(stream.gaps).toBe(2);
  });

  test('row 83: reports an unreadable event as such, and continues', async () => {
    await using exchange = await openExchange();
    await using stream = await listening(exchange);
    exchange.simulatedVenue.streams.send('{"event":{"e":"somethingNew"}}');
    await exchange.rest();
    await expect.poll(() => stream.orders().length).toBe(1);
    expect(stream.events[1]).toEqual({ kind: 'unreadable', about: 'an event of an unknown type' });
  });

  test('whose commission cannot be valued reports a gap, instead of a fill with a wrong fee', async () => {
    await using exchange = await openExchange({ tags: { bnb: 'true' } });
    exchange.venue.exchange.transfer(exchange.account, 'BNB', new Decimal(1));
    await using stream = await listening(exchange);
    const { order } = await exchange.rest();
    exchange.simulatedVenue.faults.add({ method: 'GET', path: 'api/v3/klines', answer: 'html' });
    await exchange.trade(order, order.amount);
    await expect.poll(() => stream.orders().at(-1)?.order.status).toBe('filled');
    expect(stream.fills()).toEqual([]);
    expect(stream.gaps()).toBe(2);
  });

  test('with a wrong signature never connects, and keeps trying', async () => {
    await using exchange = await openExchange();
    const events: VenueEvent[] = [];
    let opened = 0;
    const stream = new UserStream({
      url: exchange.hosts.socket,
      signer: Signer.of(API_KEY, `${SECRET}x`),
      now: () => {
        opened += 1;
        return exchange.simulator.clock.now();
      },
      valuer: new CommissionValuer(new TradingHost(exchange.hosts.api, exchange.simulator.clock)),
      on: (event) => events.push(event),
      times: TIMES,
    });
    await expect.poll(() => opened).toBeGreaterThan(2);
    await stream.stop();
    expect(events).toEqual([]);
  });

  test('that was stopped is closed at the venue, and never reconnects', async () => {
    await using exchange = await openExchange();
    const stream = await listening(exchange, { times: TIMES });
    await stream[Symbol.asyncDispose]();
    await expect.poll(() => exchange.simulatedVenue.streams.size).toBe(0);
    await exchange.rest();
    expect(stream.orders()).toEqual([]);
  });
});
