import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PrepareResult } from '../../venues/broker.ts';
import { orderAmounts } from '../../venues/polymarket/trading/amounts.ts';
import { tradeFee } from '../../venues/polymarket/trading/fee.ts';
import {
  ARRIVAL_MS,
  orderBody,
  orderIdOf,
  PolymarketRequest,
  prepareOrder,
  saltOf,
} from '../../venues/polymarket/trading/order.ts';
import { mayRest } from '../../venues/vocabulary.ts';
import { buyOf, instrumentOf, MARKET, NOW, SIGNER, TOKEN, WALLET } from './support/polymarket-trading.ts';
import { fixture } from './support/replay.ts';

const prepare = (
  order: Partial<Parameters<typeof buyOf>[0]> = {},
  instrument: Parameters<typeof instrumentOf>[0] = {},
): PrepareResult => prepareOrder(buyOf(order), instrumentOf(instrument), WALLET, SIGNER.address, NOW);

function requestOf(preparation: PrepareResult): PolymarketRequest {
  if (preparation.kind === 'refused') throw new Error(preparation.reason);
  return PolymarketRequest.parse(preparation.prepared.request);
}

const TICKS = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'];

describe('amounts of an order of venue B', () => {
  type Vector = {
    name: string;
    request: { side: string; price: number; size?: number; amount?: number };
    order: { makerAmount: string; takerAmount: string };
  };
  test.each(fixture<Vector[]>('polymarket-orders.json').map((vector) => [vector.name, vector] as const))(
    'are those of the official client: %s',
    (name, { request, order }) => {
      const isMarket = request.size === undefined;
      const isBuy = request.side === 'BUY';
      // A market buy states its money: the shares cost as much, rounded up to two decimals and then down to the money.
      const shares = new Decimal(request.size ?? request.amount ?? 0).dividedBy(
        isMarket && isBuy ? request.price : 1,
      );
      const amounts = orderAmounts(
        {
          side: isBuy ? 'buy' : 'sell',
          timeInForce: isMarket ? 'ioc' : 'gtc',
          amount: shares.toDecimalPlaces(2, Decimal.ROUND_UP).toFixed(),
          // The binary numbers of that client turn a price of 0.58 into 0.57.
          limitPrice: name === 'market_sell_fak_safe' ? '0.57' : String(request.price),
        },
        instrumentOf(),
      );
      expect(amounts).toMatchObject({ kind: 'amounts', makerAmount: order.makerAmount });
      expect(amounts).toMatchObject({ takerAmount: order.takerAmount });
    },
  );

  type Buy = { tick: string; limitPrice: string; amount: string; makerAmount: string; takerAmount: string };
  test('of buys that take are those of the official client, on every grid', () => {
    for (const { tick, makerAmount, takerAmount, ...order } of fixture<Buy[]>(
      'polymarket-market-buys.json',
    )) {
      const amounts = orderAmounts(
        { side: 'buy', timeInForce: 'ioc', ...order },
        instrumentOf({ tickSize: tick }),
      );
      // The venue accepts four decimals of shares at most, although the client makes more on fine grids.
      const taken = new Decimal(takerAmount).divToInt(100).times(100).toFixed();
      expect([order, amounts]).toEqual([order, { kind: 'amounts', makerAmount, takerAmount: taken }]);
    }
  });

  type Order = Buy & { side: 'buy' | 'sell'; timeInForce: 'gtc' | 'ioc' };
  test('of buys that rest and of all sells are those of the official client, on every grid', () => {
    for (const { tick, makerAmount, takerAmount, ...order } of fixture<Order[]>('polymarket-amounts.json')) {
      const amounts = orderAmounts(order, instrumentOf({ tickSize: tick }));
      expect([order, amounts]).toEqual([order, { kind: 'amounts', makerAmount, takerAmount }]);
    }
  });

  const tick = fc.constantFrom(...TICKS);
  const generated = fc
    .record({
      tick,
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      hundredths: fc.integer({ min: 500, max: 100_000_000 }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      timeInForce: fc.constantFrom('gtc' as const, 'gtx' as const, 'ioc' as const, 'fok' as const),
    })
    .map(({ tick, at, hundredths, ...rest }) => {
      const steps = Math.round(1 / Number(tick)) - 1;
      const price = new Decimal(tick).times(1 + Math.min(steps - 1, Math.floor(at * steps)));
      return {
        ...rest,
        tick,
        limitPrice: price.toFixed(),
        amount: new Decimal(hundredths).div(100).toFixed(),
      };
    });

  test('are whole units of the venue, take what rests at the limit, and reach no tick beyond it, on every grid', () => {
    fc.assert(
      fc.property(generated, (order) => {
        const amounts = orderAmounts(order, instrumentOf({ tickSize: order.tick, minNotional: null }));
        if (amounts.kind === 'refused') {
          expect(amounts.code).toBe('too_coarse');
          return;
        }
        const [maker, taker] = [new Decimal(amounts.makerAmount), new Decimal(amounts.takerAmount)];
        const limit = new Decimal(order.limitPrice);
        expect(maker.isInteger() && taker.isInteger()).toBe(true);
        if (order.side === 'buy') {
          // The venue matches at the signed price exactly. The money stays within what the amount costs at its limit.
          const signed = maker.div(taker);
          expect(signed.greaterThanOrEqualTo(limit)).toBe(true);
          expect(signed.minus(limit).lessThan(order.tick)).toBe(true);
          expect(maker.lessThanOrEqualTo(limit.times(order.amount).times(1e6))).toBe(true);
        } else {
          expect(maker.div(1e6).toFixed()).toBe(new Decimal(order.amount).toFixed());
          expect(taker.div(maker).equals(limit)).toBe(true);
        }
        if (!mayRest(order.timeInForce) && order.side === 'buy') {
          expect(maker.div(1e6).decimalPlaces()).toBeLessThanOrEqual(2);
          expect(taker.div(1e6).decimalPlaces()).toBeLessThanOrEqual(4);
        }
      }),
    );
  });

  test.each([
    ['a price between the steps', { limitPrice: '0.605' }, {}, 'tick_changed'],
    ['a price below the grid', { limitPrice: '0' }, {}, 'tick_changed'],
    ['a price above the grid', { limitPrice: '1' }, {}, 'tick_changed'],
    [
      'a price of a grid that became finer elsewhere',
      { limitPrice: '0.6' },
      { tickSize: '0.25' },
      'unknown_tick',
    ],
    ['three decimals of a share', { amount: '10.001' }, {}, 'invalid_amount'],
    ['nothing', { amount: '0' }, {}, 'invalid_amount'],
    ['too little to rest', { amount: '4.99' }, {}, 'min_size'],
    [
      'so small that its price is a tick away',
      { timeInForce: 'ioc', amount: '0.05', limitPrice: '0.3334' },
      { tickSize: '0.0001', minNotional: null },
      'too_coarse',
    ],
    ['too little to take', { timeInForce: 'ioc', amount: '1.66' }, {}, 'min_notional'],
  ] as const)('row 70: are refused for %s', (_, order, instrument, code) => {
    expect(prepare(order, instrument)).toMatchObject({ kind: 'refused', code });
  });

  test('row 70: follow the grid of the moment of preparing: 0.605 once the steps are finer', () => {
    const request = requestOf(prepare({ limitPrice: '0.605' }, { tickSize: '0.001' }));
    expect(request.order).toMatchObject({ makerAmount: '6050000', takerAmount: '10000000' });
  });

  test('of small amounts are accepted for taking orders, even below the minimum of resting ones', () => {
    const request = requestOf(prepare({ timeInForce: 'ioc', amount: '2', limitPrice: '0.61' }));
    expect(request.order).toMatchObject({ makerAmount: '1220000', takerAmount: '2000000' });
    expect(prepare({ timeInForce: 'ioc', amount: '0.5', side: 'sell' })).toMatchObject({ kind: 'prepared' });
  });
});

describe('an order of venue B', () => {
  test('row 46: has a salt below 2^53, the same for the same order and another for another', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (id, accountId) => {
        const salt = BigInt(saltOf({ id, accountId, mode: 'live' }));
        expect(salt >= 0n && salt <= BigInt(Number.MAX_SAFE_INTEGER)).toBe(true);
        expect(saltOf({ id, accountId, mode: 'live' })).toBe(salt.toString());
        expect(saltOf({ id, accountId, mode: 'paper' })).not.toBe(salt.toString());
      }),
    );
  });

  test('is prepared twice as one and the same request, with the id the venue will give it', () => {
    const [a, b] = [prepare(), prepare()];
    expect(a).toEqual(b);
    expect(a).toMatchObject({
      kind: 'prepared',
      prepared: {
        clientOrderId: buyOf().id,
        venueOrderId: orderIdOf(requestOf(a), 'demo'),
        signedFor: NOW,
        arrivesBy: new Date(NOW.getTime() + ARRIVAL_MS),
      },
    });
    expect(requestOf(a).order).toMatchObject({
      maker: WALLET.address,
      signer: WALLET.address,
      tokenId: TOKEN,
      side: 'BUY',
      signatureType: 3,
      timestamp: String(NOW.getTime()),
    });
    expect(requestOf(a)).toMatchObject({ orderType: 'GTC', expiration: '0', market: MARKET });
  });

  test('stores no secret: neither signature nor key of the API', () => {
    const text = JSON.stringify(prepare());
    expect(text).not.toContain('signature"');
    expect(text).not.toContain('owner');
    const keys = Object.keys(requestOf(prepare()).order);
    expect(keys).not.toContain('signature');
  });

  test('is sent as the exact stored bytes, with its signature and its owner', () => {
    const request = requestOf(JSON.parse(JSON.stringify(prepare())) as PrepareResult);
    const body = orderBody(request, WALLET, SIGNER, 'api-key');
    expect(orderBody(request, WALLET, SIGNER, 'api-key')).toBe(body);
    const sent = JSON.parse(body) as { order: Record<string, unknown> };
    const { salt, ...typed } = request.order;
    expect(sent).toMatchObject({ deferExec: false, owner: 'api-key', orderType: 'GTC' });
    expect(sent.order).toMatchObject({ ...typed, salt: Number(salt), expiration: '0' });
    expect(String(sent.order['signature'])).toMatch(/^0x[0-9a-f]+6492$/);
  });

  test('that takes at once is killed for the rest, or as a whole', () => {
    expect(requestOf(prepare({ timeInForce: 'ioc' }))).toMatchObject({ orderType: 'FAK', expiration: '0' });
    expect(requestOf(prepare({ timeInForce: 'fok' }))).toMatchObject({ orderType: 'FOK', expiration: '0' });
  });

  test('that never takes an offer says so beside its type, and no other order does', () => {
    expect(requestOf(prepare({ timeInForce: 'gtx' }))).toMatchObject({ orderType: 'GTC', postOnly: true });
    expect(requestOf(prepare({ timeInForce: 'gtc' }))).not.toHaveProperty('postOnly');
  });

  test('that rests until a time ends then at the venue, which ends it a minute before its stated expiry', () => {
    const goodTill = new Date(NOW.getTime() + 600_500);
    const request = requestOf(prepare({ goodTill }));
    expect(request.orderType).toBe('GTD');
    const endsMs = Number(request.expiration) * 1_000 - 60_000;
    expect(endsMs - goodTill.getTime()).toBeGreaterThanOrEqual(0);
    expect(endsMs - goodTill.getTime()).toBeLessThan(1_000);
  });

  test('that rests for less than the venue allows is left to our own clock', () => {
    const goodTill = new Date(NOW.getTime() + 150_000);
    expect(requestOf(prepare({ goodTill }))).toMatchObject({ orderType: 'GTC', expiration: '0' });
  });

  test.each([undefined, 'v4', 'Standard', ''])('on an unknown contract is refused: %s', (contract) => {
    const { contract: _, ...rest } = instrumentOf();
    const instrument = contract === undefined ? rest : { ...rest, contract };
    expect(prepareOrder(buyOf(), instrument, WALLET, SIGNER.address, NOW)).toMatchObject({
      kind: 'refused',
      code: 'unknown_contract',
    });
  });

  test('of a key without a wallet names the key as maker and signer', () => {
    const wallet = { ...WALLET, signatureType: 0, address: SIGNER.address, isSession: false } as const;
    const prepared = prepareOrder(buyOf(), instrumentOf(), wallet, SIGNER.address, NOW);
    expect(requestOf(prepared).order).toMatchObject({
      maker: SIGNER.address,
      signer: SIGNER.address,
      signatureType: 0,
    });
  });
});

describe('the fee of a trade at venue B', () => {
  const schedule = {
    formula: 'probability',
    takerRate: '0.07',
    makerRate: '0',
    exponent: 1,
    roundUpTo: null,
  } as const;

  test.each([
    ['10', '0.5', 'taker', '0.175'],
    ['10', '0.5', 'maker', '0'],
    // 7 × 0.07 × 0.333 × 0.667 = 0.10883439…
    ['7', '0.333', 'taker', '0.10884'],
    ['0.01', '0.01', 'taker', '0.00001'],
  ] as const)('of %s shares at %s to a %s is %s', (amount, price, liquidity, fee) => {
    expect(tradeFee(schedule, { amount, price, liquidity })).toBe(fee);
  });

  test('row 69: follows the schedule it is given', () => {
    const trade = { amount: '10', price: '0.5', liquidity: 'taker' } as const;
    expect(tradeFee({ ...schedule, takerRate: '0.04' }, trade)).toBe('0.1');
  });
});
