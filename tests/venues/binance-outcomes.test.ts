/** Money and end of an order at Binance, against the simulated Binance. Named by row. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { FAR, openExchange, preparedOf, tradeIdOf } from './support/binance-exchange.ts';
import { BTCUSDT } from './support/binance-trading.ts';
import { failureOf } from './support/replay.ts';

describe('money', () => {
  test('row 75: a coin bought arrives less its commission, and the fee is that at the price of the trade', async () => {
    await using exchange = await openExchange();
    const { order, ref } = await exchange.rest({ amount: '1' });
    await exchange.trade(order, '1');
    const found = await exchange.broker.find(ref);
    expect(found).toMatchObject({
      order: { fills: [{ amount: '1', price: FAR, fee: '50', feeAsset: 'BTC', feeAmount: '0.001' }] },
    });
    expect(await exchange.broker.positions()).toContainEqual({ tokenId: 'BTCUSDT', amount: '2.999' });
  });

  test('row 76: commissions in BNB until it runs out: two fee assets in one order, each with its value', async () => {
    await using exchange = await openExchange({ tags: { bnb: 'true' } });
    exchange.venue.exchange.transfer(exchange.account, 'BNB', new Decimal('0.0003'));
    const { order, ref } = await exchange.rest({ amount: '0.01' });
    await exchange.trade(order, '0.005');
    await exchange.trade(order, '0.005');
    const found = await exchange.broker.find(ref);
    const fills = found.kind === 'found' ? found.order.fills : [];
    expect(fills.map(({ feeAsset }) => feeAsset)).toEqual(['BNB', 'BTC']);
    // Three quarters of a thousandth of 250, by the price of a minute.
    expect(Number(fills[0]?.fee)).toBeCloseTo(0.1875, 2);
    expect(fills[1]?.fee).toBe('0.25');
  });

  test('row 77: the same trade id on two symbols is two fills', async () => {
    await using exchange = await openExchange();
    const btc = await exchange.rest();
    const eth = await exchange.rest({ tokenId: 'ETHUSDT', limitPrice: '1000', amount: '0.5' });
    await exchange.trade(btc.order, '0.01');
    await exchange.trade(eth.order, '0.5');
    expect(
      new Set(exchange.venue.exchange.fills.filter(({ order }) => order.account).map(({ id }) => id)).size,
    ).toBe(1);
    const { fills } = await exchange.broker.fillsSince(null);
    expect(fills.map(({ tradeId }) => tradeId).sort()).toEqual([
      tradeIdOf(exchange, 1),
      tradeIdOf(exchange, 1, 'ETHUSDT'),
    ]);
  });

  test('in a coin without a dollar market delays no fill', async () => {
    await using exchange = await openExchange();
    exchange.venue.exchange.transfer(exchange.account, 'LDBNB', new Decimal(3));
    const { order } = await exchange.rest();
    await exchange.trade(order, '0.01');
    const { fills, cursor } = await exchange.broker.fillsSince(null);
    expect(fills.map(({ tradeId }) => tradeId)).toEqual([tradeIdOf(exchange, 1)]);
    expect((await exchange.broker.fillsSince(cursor)).fills).toHaveLength(1);
  });

  test('is not read from pages of trades in descending order, which would never end', async () => {
    await using exchange = await openExchange();
    const pageFrom = (firstId: number) =>
      Array.from({ length: 1_000 }, (_, index) => ({
        symbol: 'BTCUSDT',
        id: firstId + index,
        orderId: 1,
        price: '50000',
        qty: '0.01',
        commission: '0',
        commissionAsset: 'BTC',
        time: exchange.simulator.clock.now(),
        isBuyer: true,
        isMaker: true,
      }));
    for (const [nth, firstId] of [5_000, 1, 5_000, 1].entries()) {
      const answer = { status: 200, body: pageFrom(firstId) };
      exchange.simulatedVenue.faults.add({ method: 'GET', path: 'api/v3/myTrades', nth: nth + 1, answer });
    }
    expect(await failureOf(exchange.broker.fillsSince(null))).toMatchObject({ kind: 'unavailable' });
    expect(exchange.requestCount('api/v3/myTrades')).toBe(2);
  });

  test('row 53: withdrawn meanwhile makes the order refused', async () => {
    await using exchange = await openExchange();
    exchange.venue.exchange.transfer(exchange.account, 'USDT', new Decimal(-100_000));
    const order = exchange.order();
    expect(await exchange.broker.place(order, exchange.prepare(order))).toMatchObject({
      code: 'insufficient_balance',
    });
  });

  test('is reported as free and total, and resting orders reduce the free part', async () => {
    await using exchange = await openExchange();
    await exchange.rest();
    expect(await exchange.broker.balances()).toContainEqual({
      currency: 'USDT',
      available: '99500',
      total: '100000',
    });
  });
});

describe('how an order ends', () => {
  test('row 78: that would trade with the same account is canceled for that, and only that one', async () => {
    await using exchange = await openExchange();
    const { broker, simulator, venue } = exchange;
    simulator.priceOverrides.set('BTCUSDT', 70_000, venue.exchange.now());
    const { ref } = await exchange.rest({ side: 'sell', limitPrice: '75000' });
    simulator.priceOverrides.set('BTCUSDT', 100_000, venue.exchange.now());
    const order = exchange.order({ timeInForce: 'ioc', limitPrice: '76000' });
    expect(await broker.place(order, exchange.prepare(order))).toMatchObject({
      kind: 'taken',
      order: { status: 'canceled', reasonCode: 'self_trade', filledAmount: '0', fills: [] },
    });
    expect(await broker.find(ref)).toMatchObject({ order: { status: 'open' } });
  });

  test('immediate or canceled: the rest is canceled for lack of offers', async () => {
    await using exchange = await openExchange();
    const order = exchange.order({ timeInForce: 'ioc' });
    expect(await exchange.broker.place(order, exchange.prepare(order))).toMatchObject({
      order: { status: 'canceled', reasonCode: 'no_more_offers', filledAmount: '0' },
    });
  });

  test('filled whole or not at all: it is canceled without a fill where the offers do not suffice', async () => {
    await using exchange = await openExchange();
    const fillOrKill = (terms: { limitPrice: string; amount?: string }) => {
      const order = exchange.order({ timeInForce: 'fok', ...terms });
      return exchange.broker.place(order, exchange.prepare(order));
    };
    expect(await fillOrKill({ limitPrice: '1000' })).toMatchObject({
      order: { status: 'canceled', reasonCode: 'no_more_offers', filledAmount: '0', fills: [] },
    });
    expect(await fillOrKill({ limitPrice: '100000' })).toMatchObject({ order: { status: 'filled' } });
  });

  test('that would take an offer, and must not, is refused; below the offers it rests', async () => {
    await using exchange = await openExchange();
    const postOnly = (limitPrice: string) => {
      const order = exchange.order({ timeInForce: 'gtx', limitPrice });
      return exchange.broker.place(order, exchange.prepare(order));
    };
    expect(await postOnly('100000')).toMatchObject({ kind: 'refused', code: 'post_only_cross' });
    expect(await postOnly('1000')).toMatchObject({ order: { status: 'open', filledAmount: '0' } });
  });

  test('row 60: in cancel-only mode no order is placed, and resting orders can be canceled', async () => {
    await using exchange = await openExchange();
    const { ref } = await exchange.rest();
    exchange.venue.exchange.pause = 'trading';
    const order = exchange.order();
    expect(await exchange.broker.place(order, exchange.prepare(order))).toMatchObject({
      code: 'market_not_open',
    });
    expect(await exchange.broker.cancel(ref)).toEqual({ kind: 'asked' });
  });

  test('a test of an order returns the same refusal as placing it, and places nothing', async () => {
    await using exchange = await openExchange();
    const order = exchange.order();
    expect(await exchange.broker.refusalOf(exchange.prepare(order))).toBeNull();
    const tiny = preparedOf(
      exchange.broker.prepare(
        exchange.order({ amount: '0.00001' }),
        { ...BTCUSDT, minNotional: null },
        exchange.now(),
      ),
    );
    expect(await exchange.broker.refusalOf(tiny)).toMatchObject({ kind: 'refused', code: 'too_small' });
    expect(exchange.venue.exchange.orders.size).toBe(0);
  });
});
