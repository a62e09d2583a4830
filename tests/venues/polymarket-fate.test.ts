/** Preparation and fate of orders at venue B: their amounts and their records. */
import { describe, expect, test } from 'vitest';
import type { AccountFill, TradedInstrument, VenueFill } from '../../venues/broker.ts';
import { type AmountsInput, orderAmounts } from '../../venues/polymarket/trading/amounts.ts';
import {
  deriveOrderState,
  type OrderObservations,
  ownFills,
} from '../../venues/polymarket/trading/derive-order-state.ts';
import { prepareOrder } from '../../venues/polymarket/trading/order.ts';
import { ownFillsOfTrade, WireOrder, WireTrade } from '../../venues/polymarket/trading/records.ts';
import {
  type Body,
  makerOf,
  mintTrade,
  OTHER_ID,
  orderRecord,
  takerTrade,
} from './support/polymarket-bodies.ts';
import {
  buyOf,
  instrumentOf,
  NOW,
  OTHER_TOKEN,
  prepared,
  SIGNER,
  TOKEN,
  WALLET,
} from './support/polymarket-trading.ts';

const RESTING = prepared();
const SELLING = prepared({ timeInForce: 'ioc', side: 'sell' });

const FILL: VenueFill = {
  tradeId: 't',
  amount: '4',
  price: '0.6',
  fee: '0',
  feeAsset: 'USD',
  feeAmount: '0',
  liquidity: 'taker',
  state: 'final',
  at: NOW,
};
const fillOf = (changes: Partial<AccountFill> = {}): AccountFill => ({
  ...FILL,
  venueOrderId: RESTING.id,
  clientOrderId: null,
  tokenId: TOKEN,
  side: 'buy',
  ...changes,
});
const sight = (changes: Partial<OrderObservations> = {}): OrderObservations => ({
  orderId: RESTING.id,
  request: RESTING.request,
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
const listed = (changes: Body = {}) => WireOrder.parse(orderRecord(RESTING.id, changes));

describe('what became of an order', () => {
  test('its trades are those of its id, all of its token and side', () => {
    const other = fillOf({ venueOrderId: OTHER_ID, side: 'sell', tokenId: OTHER_TOKEN });
    expect(ownFills([fillOf(), other], RESTING.id, RESTING.request)).toEqual([fillOf()]);
    const sold = fillOf({ venueOrderId: SELLING.id, side: 'sell' });
    expect(ownFills([sold], SELLING.id, SELLING.request)).toEqual([sold]);
    for (const damaged of [fillOf({ side: 'sell' }), fillOf({ tokenId: OTHER_TOKEN })])
      expect(() => ownFills([fillOf(), damaged], RESTING.id, RESTING.request)).toThrow('venue B');
    expect(() => ownFills([fillOf({ venueOrderId: SELLING.id })], SELLING.id, SELLING.request)).toThrow(
      'venue B',
    );
  });

  test('a record of another order, or of another token, is none', () => {
    expect(deriveOrderState(sight({ listed: listed() }))).toMatchObject({
      status: 'open',
      filledAmount: '0',
    });
    for (const changes of [{ id: OTHER_ID }, { asset_id: OTHER_TOKEN }])
      expect(() => deriveOrderState(sight({ listed: listed(changes) }))).toThrow('venue B');
  });

  test('a status that only begins like an end is an unknown one', () => {
    for (const status of ['CANCELED', 'CANCELLED_x'])
      expect(deriveOrderState(sight({ listed: listed({ status }) }))).toMatchObject({ status: 'canceled' });
    expect(() => deriveOrderState(sight({ listed: listed({ status: 'NOT_CANCELED' }) }))).toThrow(
      'an unknown status',
    );
  });

  test('that nothing is known of is null; one that was seen is open, and over once nothing moves', () => {
    expect(deriveOrderState(sight())).toBeNull();
    expect(deriveOrderState(sight({ isAcknowledged: true }))).toMatchObject({ status: 'open' });
    expect(deriveOrderState(sight({ isAcknowledged: true, isSettled: true }))).toMatchObject({
      status: 'canceled',
      reasonCode: 'at_venue',
    });
    expect(
      deriveOrderState(sight({ isAcknowledged: true, isSettled: true, isSilenced: true })),
    ).toMatchObject({
      status: 'canceled',
      reasonCode: 'dead_man',
    });
    expect(deriveOrderState(sight({ isCancelConfirmed: true, isSilenced: true }))).toMatchObject({
      reasonCode: 'requested',
      reason: 'as asked',
    });
    const due = prepared({ goodTill: new Date(NOW.getTime() + 600_000) });
    const late = { request: due.request, orderId: due.id, isAcknowledged: true, isSettled: true };
    expect(deriveOrderState(sight({ ...late, now: new Date(NOW.getTime() + 3_600_000) }))).toMatchObject({
      status: 'expired',
      reasonCode: 'expired',
      reason: 'the order expired',
    });
    expect(deriveOrderState(sight(late))).toMatchObject({ status: 'canceled', reasonCode: 'at_venue' });
  });

  test('that was matched whole and lost a trade on the chain is not filled: it has ended, and says so', () => {
    const failed: VenueFill = { ...FILL, tradeId: 'u', amount: '6', state: 'failed' };
    const fills = [FILL, failed];
    const ending = { status: 'canceled', filledAmount: '4', reasonCode: 'trade_failed' };
    expect(deriveOrderState(sight({ fills, lastMatched: '10', isSettled: true }))).toMatchObject(ending);
    // Even while the venue still shows it as matched: a failed trade is not in transit.
    const matched = listed({ status: 'MATCHED', size_matched: '10' });
    expect(deriveOrderState(sight({ fills, listed: matched }))).toMatchObject(ending);
    expect(deriveOrderState(sight({ fills: [FILL], listed: matched }))).toMatchObject({
      status: 'filled',
      filledAmount: '10',
    });
    // Another trade may arrive until nothing changes any longer.
    expect(deriveOrderState(sight({ fills }))).toMatchObject({ status: 'open', filledAmount: '4' });
  });

  test('that lost a trade and was never matched whole ends as others do', () => {
    const fills: VenueFill[] = [{ ...FILL, state: 'failed' }];
    expect(deriveOrderState(sight({ fills, isCancelConfirmed: true }))).toMatchObject({
      filledAmount: '0',
      reasonCode: 'requested',
    });
    expect(deriveOrderState(sight({ fills, listed: listed({ size_matched: '4' }) }))).toMatchObject({
      status: 'open',
      filledAmount: '0',
    });
    expect(deriveOrderState(sight({ fills, isSettled: true }))).toMatchObject({ reasonCode: 'at_venue' });
  });

  test('of a sell is whole by what it gives, of a buy by what it gets', () => {
    const fills = [{ ...FILL, amount: '10' }];
    expect(deriveOrderState(sight({ fills }))).toMatchObject({ status: 'filled', filledAmount: '10' });
    const sold = sight({ request: SELLING.request, orderId: SELLING.id, fills });
    expect(deriveOrderState(sold)).toMatchObject({ status: 'filled' });
    const some = sight({ ...sold, fills: [{ ...FILL, amount: '6' }], isSettled: true });
    expect(deriveOrderState(some)).toMatchObject({ status: 'canceled', reasonCode: 'time_in_force' });
  });
});

describe('amounts and prices of an order', () => {
  const amounts = (input: Partial<AmountsInput>, changes: Partial<TradedInstrument> = {}) =>
    orderAmounts(
      { side: 'buy', timeInForce: 'gtc', amount: '10', limitPrice: '0.6', ...input },
      instrumentOf(changes),
    );

  test('are refused in words, with what was asked for', () => {
    const reason = (...given: Parameters<typeof amounts>) => {
      const result = amounts(...given);
      return result.kind === 'refused' ? result.reason : result;
    };
    expect(reason({}, { tickSize: '0.02' })).toBe('prices in steps of 0.02 are not known');
    expect(reason({ amount: '1.001' })).toBe('an amount is above 0 and has at most two decimals, not 1.001');
    expect(reason({ limitPrice: '0.605' })).toBe('the price 0.605 is not on the grid of steps of 0.01');
    expect(reason({ amount: '4' })).toBe('a resting order needs at least 5 shares');
    expect(reason({ amount: '1', timeInForce: 'ioc' })).toBe('a taking order needs at least 1 USD');
    expect(reason({ amount: '1', timeInForce: 'ioc', side: 'sell' })).toMatchObject({ kind: 'amounts' });
    expect(reason({ amount: '10', limitPrice: '0.01' })).toMatchObject({ kind: 'amounts' });
  });

  test('that rest are what was asked for, to the unit; what takes spends whole cents', () => {
    const odd = { amount: '10.01', limitPrice: '0.33' };
    expect(amounts(odd)).toEqual({ kind: 'amounts', makerAmount: '3303300', takerAmount: '10010000' });
    expect(amounts({ ...odd, timeInForce: 'ioc' })).toEqual({
      kind: 'amounts',
      makerAmount: '3300000',
      takerAmount: '10000000',
    });
  });

  test('are of a contract that is signed for, and of the wallet that signs', () => {
    const order = (changes: Parameters<typeof buyOf>[0] = {}, wallet = WALLET, market = instrumentOf()) =>
      prepareOrder(buyOf(changes), market, wallet, SIGNER.address, NOW);
    const { contract: _, ...unknown } = instrumentOf();
    expect(order({}, WALLET, unknown)).toEqual({
      kind: 'refused',
      code: 'unknown_contract',
      reason: 'the venue settles this market by a contract this service does not sign for',
    });
    const own = { ...WALLET, signatureType: 0 as const };
    expect(order()).toMatchObject({
      prepared: { request: { order: { signer: WALLET.address, side: 'BUY' } } },
    });
    expect(order({ side: 'sell' }, own)).toMatchObject({
      prepared: { request: { order: { signer: SIGNER.address, side: 'SELL' } } },
    });
  });
});

describe('a record', () => {
  const created = (created_at: unknown) => WireOrder.safeParse(orderRecord(RESTING.id, { created_at }));

  test('has its time in seconds, in milliseconds or as text, between 2020 and 2100', () => {
    const at = new Date('2026-11-22T10:00:00.000Z');
    for (const time of [
      1_795_341_600,
      '1795341600',
      1_795_341_600_000,
      '1795341600000',
      '2026-11-22T10:00:00Z',
    ])
      expect(created(time).data?.created_at, String(time)).toEqual(at);
    expect(created('2020-01-01T00:00:00Z').success && created('2100-01-01T00:00:00Z').success).toBe(true);
    const none = ['2019-12-31T23:59:59Z', '2100-01-01T00:00:01Z', '179534160', 'x1795341600', '1795341600x'];
    for (const time of [...none, ' 2026-11-22T10:00:00Z', '2026', 5, '17953416000000'])
      expect(created(time).error?.issues, String(time)).toMatchObject([
        { code: 'custom', message: 'not a time' },
      ]);
  });

  const trade = (changes: Body) => WireTrade.safeParse(takerTrade(RESTING.id, changes));
  test('of a trade has a price inside of 0 and 1, and a status with or without its prefix', () => {
    for (const price of ['0', '1', '1.5']) expect(trade({ price }).success, price).toBe(false);
    expect(trade({ status: 'TRADE_STATUS_FAILED' }).data?.status).toBe('failed');
    expect(trade({ status: 'MY_TRADE_STATUS_FAILED' }).error?.issues).toMatchObject([
      { code: 'custom', message: 'an unknown status of a trade' },
    ]);
  });

  test('of a trade without an order of this account, or whose sides contradict each other, is none', () => {
    const parts = (body: Body) => ownFillsOfTrade(WireTrade.parse(body), WALLET.address);
    expect(() => parts(mintTrade(RESTING.id, { maker_orders: [makerOf()] }))).toThrow(
      'venue B sent a trade that has no order of this account',
    );
    expect(() => parts(takerTrade(RESTING.id, { maker_orders: [makerOf({ side: 'BUY' })] }))).toThrow(
      'venue B sent a trade whose sides contradict each other',
    );
    const sold = takerTrade(RESTING.id, { side: 'SELL', maker_orders: [makerOf({ side: 'BUY' })] });
    expect(parts(sold)).toMatchObject([{ side: 'sell', liquidity: 'taker' }]);
    const against = { maker_address: WALLET.address, order_id: OTHER_ID };
    const both = takerTrade(RESTING.id, {
      side: 'SELL',
      maker_orders: [makerOf({ ...against, side: 'BUY' })],
    });
    expect(parts(both)).toMatchObject([{ side: 'sell' }, { side: 'buy', liquidity: 'maker' }]);
  });
});
