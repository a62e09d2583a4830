import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountFill } from '../../venues/broker.ts';
import {
  deriveOrderState,
  type OrderObservations,
  ownFills,
} from '../../venues/polymarket/trading/derive-order-state.ts';
import {
  fillOf,
  openOrderOf,
  ownFillsOfTrade,
  WireOrder,
  WireTrade,
} from '../../venues/polymarket/trading/records.ts';
import { DAMAGES, damaged, type Path } from './support/damage.ts';
import {
  type Body,
  makerOf,
  mintTrade,
  OTHER_ID,
  orderRecord,
  STRANGER,
  takerTrade,
} from './support/polymarket-bodies.ts';
import { instrumentOf, NOW, OTHER_TOKEN, prepared, TOKEN, WALLET } from './support/polymarket-trading.ts';

const SCHEDULE = instrumentOf().feeSchedule ?? {
  formula: 'probability',
  takerRate: '0',
  makerRate: '0',
  exponent: 1,
  roundUpTo: null,
};

const BUY = prepared();
const ID = BUY.id;

const fillsOf = (trade: Body): AccountFill[] =>
  ownFillsOfTrade(WireTrade.parse(trade), WALLET.address).map((part) => fillOf(part, SCHEDULE));

const costOf = (fills: readonly AccountFill[]): string =>
  fills
    .reduce((sum, { amount, price }) => sum.plus(new Decimal(amount).times(price)), new Decimal(0))
    .toFixed();

describe('a trade of venue B', () => {
  test('in which an order was the taker is a fill of it, with its fee', () => {
    expect(fillsOf(takerTrade(ID))).toEqual([
      {
        tradeId: 'f6b2c1de-2222-4000-8000-000000000001',
        venueOrderId: ID,
        clientOrderId: null,
        tokenId: TOKEN,
        side: 'buy',
        amount: '10',
        price: '0.6',
        fee: '0.12',
        feeAsset: 'pUSD',
        feeAmount: '0.12',
        liquidity: 'taker',
        state: 'provisional',
        at: new Date(1_795_341_601_000),
      },
    ]);
  });

  test('row 66: with a taker of the other outcome is a fill by our own entry: its token, its side, its price', () => {
    expect(fillsOf(mintTrade(ID))).toMatchObject([
      {
        venueOrderId: ID,
        tokenId: TOKEN,
        side: 'buy',
        amount: '10',
        price: '0.6',
        fee: '0',
        liquidity: 'maker',
      },
    ]);
  });

  test('row 65: over three levels costs the sum of its makers, to the last unit', () => {
    const makers = [
      makerOf({ matched_amount: '3.33', price: '0.57' }),
      makerOf({ matched_amount: '3.33', price: '0.58' }),
      // A buyer of the other outcome at 0.41 sells this one at 0.59.
      makerOf({ matched_amount: '3.34', price: '0.41', asset_id: OTHER_TOKEN, side: 'BUY' }),
    ];
    const fills = fillsOf(takerTrade(ID, { maker_orders: makers, price: '0.59' }));
    const cost = new Decimal('3.33').times('0.57').plus(new Decimal('3.33').times('0.58')).plus('1.9706');
    expect(new Decimal(costOf(fills)).minus(cost).abs().lessThan('0.000001')).toBe(true);
  });

  test('rows 61 and 65: that took all the money of a buy costs at most that money, at any price per share', () => {
    const swept = (parts: readonly (readonly [size: string, price: string])[]) =>
      fillsOf(
        takerTrade(ID, {
          size: parts.reduce((sum, [size]) => sum.plus(size), new Decimal(0)).toFixed(),
          maker_orders: parts.map(([size, price]) => makerOf({ matched_amount: size, price })),
        }),
      );
    // 110 at 0.087 is 9.57 dollars, and they bought 111.18: the price per share was 0.08607663248785…
    const parts = [
      ['100.09', '0.086'],
      ['11.09', '0.086768259693417494'],
    ] as const;
    expect(new Decimal(costOf(swept(parts))).lessThanOrEqualTo('9.57')).toBe(true);
    const part = fc
      .tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 999 }))
      .map(
        ([units, mills]) =>
          [new Decimal(units).dividedBy(1e6).toFixed(), new Decimal(mills).dividedBy(1e3).toFixed()] as const,
      );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (met) => {
        const cost = met.reduce(
          (sum, [size, price]) => sum.plus(new Decimal(size).times(price)),
          new Decimal(0),
        );
        const missing = cost.minus(costOf(swept(met)));
        return missing.greaterThanOrEqualTo(0) && missing.lessThan('0.000001');
      }),
    );
  });

  test('with incomplete makers costs the price of its record', () => {
    const fills = fillsOf(takerTrade(ID, { maker_orders: [makerOf({ matched_amount: '4', price: '0.1' })] }));
    expect(fills).toMatchObject([{ amount: '10', price: '0.6' }]);
  });

  test('row 67: with two of our orders is two fills, also where we are on both sides', () => {
    const own = { maker_address: WALLET.address.toUpperCase().replace('0X', '0x'), matched_amount: '5' };
    const second = `0x${'cd'.repeat(32)}`;
    const makers = [makerOf({ ...own, order_id: second }), makerOf({ matched_amount: '5' })];
    const fills = fillsOf(takerTrade(ID, { maker_orders: makers }));
    expect(fills.map(({ venueOrderId, side, amount }) => [venueOrderId, side, amount])).toEqual([
      [ID, 'buy', '10'],
      [second, 'sell', '5'],
    ]);
    const both = mintTrade(ID, {
      maker_orders: [
        makerOf({ ...own, order_id: ID, side: 'BUY' }),
        makerOf({ ...own, order_id: second, side: 'BUY' }),
      ],
    });
    expect(fillsOf(both).map(({ venueOrderId }) => venueOrderId)).toEqual([ID, second]);
  });

  test.each([
    ['MATCHED', 'provisional'],
    ['MATCHED_NOT_BROADCASTED', 'provisional'],
    ['MINED', 'provisional'],
    ['RETRYING', 'provisional'],
    ['CONFIRMED', 'final'],
    ['FAILED', 'failed'],
    ['TRADE_STATUS_CONFIRMED', 'final'],
  ])('row 68: that is %s is %s', (status, state) => {
    expect(fillsOf(takerTrade(ID, { status }))).toMatchObject([{ state }]);
  });

  test.each([
    ['of an unknown status', takerTrade(ID, { status: 'SETTLING' })],
    ['that has no order of this account', mintTrade(ID, { maker_orders: [makerOf()] })],
    [
      'whose sides contradict each other',
      mintTrade(ID, {
        maker_orders: [makerOf({ order_id: ID, maker_address: WALLET.address, side: 'SELL' })],
      }),
    ],
    ['of nothing', takerTrade(ID, { size: '0' })],
    ['for nothing', takerTrade(ID, { price: '0' })],
  ])('%s is refused', (_, trade) => {
    expect(() => fillsOf(trade)).toThrow();
  });

  test.each(['2026-11-22T10:00:01.5Z', '1795341601', 1_795_341_601, '1795341601500', 1_795_341_601_500])(
    'has its time, in any format: %s',
    (time) => {
      const [fill] = fillsOf(takerTrade(ID, { match_time: time }));
      expect(fill?.at.toISOString().slice(0, 19)).toMatch(/^2026-11-22T\d\d:00:01/);
    },
  );
});

const FIELDS: readonly Path[] = [
  ...Object.keys(takerTrade(ID)).map((field): Path => [field]),
  ...Object.keys(makerOf()).map((field): Path => ['maker_orders', 0, field]),
];

describe('one damaged field of a trade never books an amount that was not traded', () => {
  const bookings = [
    ['where we took', takerTrade(ID)],
    ['where we were met by the other outcome', mintTrade(ID)],
  ] as const;

  test.each(bookings)('%s', (_, trade) => {
    const undamaged = fillsOf(trade);
    for (const path of FIELDS) {
      for (const [damage, value] of DAMAGES) {
        let fills: AccountFill[];
        try {
          fills = [...ownFills(fillsOf(damaged(trade, path, value)), ID, BUY.request)];
        } catch {
          continue;
        }
        // A trade of another order does not count.
        if (fills.length === 0 && (path[0] === 'taker_order_id' || path[2] === 'order_id')) continue;
        // A field that no code reads changes nothing; a name in another spelling names the same trade.
        expect(fills, `${path.join('.')} ${damage}`).toEqual(
          undamaged.map((fill, at) => ({ ...fill, tradeId: fills[at]?.tradeId })),
        );
        if (path[0] !== 'id') expect(fills).toEqual(undamaged);
      }
    }
  });
});

const sight = (changes: Partial<OrderObservations> = {}): OrderObservations => ({
  orderId: ID,
  request: BUY.request,
  listed: null,
  fills: [],
  lastMatched: '0',
  isAcknowledged: false,
  isCancelConfirmed: false,
  isSettled: false,
  isSilenced: false,
  now: NOW,
  ...changes,
});
const listed = (changes: Body = {}) => WireOrder.parse(orderRecord(ID, changes));
const part = (size: string, changes: Body = {}) =>
  fillsOf(takerTrade(ID, { size, maker_orders: [makerOf({ matched_amount: size })], ...changes }));

describe('an order of venue B', () => {
  test('that is listed is open, with what it has matched', () => {
    expect(deriveOrderState(sight({ listed: listed({ size_matched: '2.5' }) }))).toMatchObject({
      status: 'open',
      filledAmount: '2.5',
      venueOrderId: ID,
    });
  });

  test('of which there is no trace is absent, not ended', () => {
    expect(deriveOrderState(sight())).toBeNull();
    expect(deriveOrderState(sight({ isSettled: true }))).toBeNull();
  });

  test.each([
    ['10', 'filled'],
    ['9.995', 'filled'],
    ['12', 'filled'],
    ['9.98', 'open'],
  ])('row 61 and 62: that is gone with %s of 10 traded is %s', (size, status) => {
    expect(deriveOrderState(sight({ fills: part(size) }))).toMatchObject({ status, filledAmount: size });
  });

  test('that is gone with a part of it traded ends only once no trade can arrive any longer', () => {
    const fills = part('4');
    expect(deriveOrderState(sight({ fills }))).toMatchObject({ status: 'open', filledAmount: '4' });
    expect(deriveOrderState(sight({ fills, isSettled: true }))).toMatchObject({
      status: 'canceled',
      filledAmount: '4',
    });
  });

  test('rows 89 and 95: that the venue had and no longer has was ended there', () => {
    expect(deriveOrderState(sight({ isAcknowledged: true }))).toMatchObject({ status: 'open' });
    expect(deriveOrderState(sight({ isAcknowledged: true, isSettled: true }))).toMatchObject({
      status: 'canceled',
      reasonCode: 'at_venue',
    });
  });

  test('whose cancel the venue has confirmed has ended', () => {
    expect(deriveOrderState(sight({ isCancelConfirmed: true }))).toMatchObject({
      status: 'canceled',
      reasonCode: 'requested',
    });
  });

  test('row 32: whose cancel came too late is filled, by its trades', () => {
    expect(deriveOrderState(sight({ isCancelConfirmed: true, fills: part('10') }))).toMatchObject({
      status: 'filled',
    });
  });

  test('row 68: a failed trade does not count', () => {
    const fills = part('10', { status: 'FAILED' });
    expect(deriveOrderState(sight({ fills }))).toMatchObject({ status: 'open', filledAmount: '0' });
    expect(deriveOrderState(sight({ fills, isSettled: true }))).toMatchObject({
      status: 'canceled',
      filledAmount: '0',
    });
  });

  test.each([
    ['MATCHED', '10', false, 'filled', null],
    ['MATCHED', '4', false, 'open', null],
    ['DELAYED', '0', false, 'open', null],
    ['INVALID', '0', false, 'rejected', 'invalid'],
    ['INVALID', '0', true, 'canceled', 'invalid'],
    ['CANCELED', '4', true, 'canceled', 'at_venue'],
    ['CANCELLED', '4', true, 'canceled', 'at_venue'],
    ['CANCELED_MARKET_RESOLVED', '4', true, 'canceled', 'market_resolved'],
  ])(
    'row 64: listed as %s with %s matched (known before: %s) is %s',
    (status, matched, isAcknowledged, is, code) => {
      const order = deriveOrderState(
        sight({ listed: listed({ status, size_matched: matched }), isAcknowledged }),
      );
      expect(order).toMatchObject({ status: is, filledAmount: matched, reasonCode: code });
    },
  );

  test('row 83: of an unknown status is not moved', () => {
    expect(() => deriveOrderState(sight({ listed: listed({ status: 'PAUSED' }) }))).toThrow(
      /an unknown status/,
    );
  });

  test('that takes at once is canceled for the unfilled rest', () => {
    const { request, id } = prepared({ timeInForce: 'ioc' });
    const taking = { request, orderId: id, fills: part('4') };
    expect(deriveOrderState(sight({ ...taking, isSettled: true }))).toMatchObject({
      status: 'canceled',
      reasonCode: 'time_in_force',
    });
    expect(
      deriveOrderState(sight({ ...taking, listed: listed({ status: 'MATCHED', size_matched: '4' }) })),
    ).toMatchObject({
      status: 'canceled',
      filledAmount: '4',
    });
  });

  test('has expired after its time, and not before', () => {
    const { request, id } = prepared({ goodTill: new Date(NOW.getTime() + 600_000) });
    const gone = { request, orderId: id, isAcknowledged: true, isSettled: true };
    expect(deriveOrderState(sight({ ...gone, now: new Date(NOW.getTime() + 600_000) }))).toMatchObject({
      status: 'expired',
    });
    expect(deriveOrderState(sight({ ...gone, now: new Date(NOW.getTime() + 599_000) }))).toMatchObject({
      status: 'canceled',
    });
  });

  test('is never absent, filled or ended by one damaged field of its record', () => {
    const record = orderRecord(ID, { size_matched: '2.5' });
    const result = deriveOrderState(sight({ listed: WireOrder.parse(record) }));
    for (const field of Object.keys(record)) {
      for (const [damage, value] of DAMAGES) {
        const read = WireOrder.safeParse(damaged(record, [field], value));
        if (!read.success) continue;
        let now: unknown;
        try {
          now = deriveOrderState(sight({ listed: read.data }));
        } catch {
          continue;
        }
        expect(now, `${field} ${damage}`).toEqual(result);
      }
    }
  });

  test('is listed as it is', () => {
    expect(openOrderOf(listed({ size_matched: '2.50' }))).toEqual({
      venueOrderId: ID,
      clientOrderId: null,
      tokenId: TOKEN,
      side: 'buy',
      amount: '10',
      limitPrice: '0.6',
      filledAmount: '2.5',
      placedAt: new Date(1_795_341_600_000),
    });
  });

  test('never becomes filled by less than the requested amount', () => {
    const shares = fc
      .integer({ min: 1, max: 1_500 })
      .map((hundredths) => new Decimal(hundredths).div(100).toFixed());
    fc.assert(
      fc.property(shares, fc.boolean(), fc.boolean(), (size, isAcknowledged, isSettled) => {
        const order = deriveOrderState(sight({ fills: part(size), isAcknowledged, isSettled }));
        expect(order?.status === 'filled').toBe(Number(size) > 9.99);
        expect(order?.filledAmount).toBe(size);
      }),
    );
  });
});

test('strangers and other orders never become fills of an order', () => {
  const fills = fillsOf(takerTrade(OTHER_ID, { maker_orders: [makerOf({ maker_address: STRANGER })] }));
  expect(fills.filter(({ venueOrderId }) => venueOrderId === ID)).toEqual([]);
});
