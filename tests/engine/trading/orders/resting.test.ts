import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  type MatchedMarket,
  matchArrival,
  matchResting,
  type PaperFillRow,
  type PaperOrderRow,
  type RestingMarket,
} from '../../../../engine/trading/orders/paper/match-orders.ts';
import type { TakenLevel, TakenLevels } from '../../../../engine/trading/orders/paper/taken-levels.ts';
import type { QuoteRow } from '../../../../engine/trading/orders/row.ts';
import type { Candle, FeeSchedule } from '../../../../venues/port.ts';
import { NO_FEE } from '../../../support/fees.ts';
import { market, NOW } from './market.ts';
import { at } from './order.ts';

const MINUTE_MS = 60_000;
const FREE: FeeSchedule = NO_FEE;

/** A buy of ten at 0.5 that came a minute ago and meets quotes only. */
const order = (id: string, terms: Partial<PaperOrderRow> = {}): PaperOrderRow => ({
  account_id: 'a',
  id,
  token_id: 'KXTEST:yes',
  venue: 'venue-a',
  side: 'buy',
  time_in_force: 'gtc',
  amount: '10',
  limit_price: '0.5',
  filled_amount: '0',
  status: 'open',
  reason_code: null,
  reason: null,
  placed_at: at(-MINUTE_MS),
  updated_at: at(-MINUTE_MS),
  candle_at: null,
  good_till: null,
  ...terms,
});

const fillOf = (orderId: string, amount: string, terms: Partial<PaperFillRow> = {}): PaperFillRow => ({
  account_id: 'a',
  id: `earlier ${orderId}`,
  order_id: orderId,
  token_id: 'KXTEST:yes',
  side: 'buy',
  amount,
  price: '0.5',
  fee: '0',
  liquidity: 'maker',
  offer_price: '0.5',
  offer_as_of: at(-MINUTE_MS),
  at: at(-MINUTE_MS),
  ...terms,
});

/** Bids of 0.48 and asks of 0.5, a hundred of each, seen now. */
const quoted = (quote: Partial<QuoteRow> = {}, ageMs = 0) => market({ quote, ageMs }).quote;

const NONE: RestingMarket['levels'] = { buy: new Map(), sell: new Map() };
const at05 = (terms: Partial<TakenLevel> = {}): TakenLevels =>
  new Map([
    [
      '0.5',
      { price: exact('0.5'), visible: exact(100), left: exact(3), seenAt: new Date(at(-1_000)), ...terms },
    ],
  ]);

function matched(
  orders: readonly PaperOrderRow[],
  rest: Partial<RestingMarket> = {},
  schedule = FREE,
): MatchedMarket {
  let ids = 0;
  return matchResting(
    { orders, fills: [], levels: NONE, quote: quoted(), candles: [], ...rest },
    { now: NOW, schedule, stepSize: exact(1), newId: () => `fill-${++ids}` },
  );
}
const trades = ({ fills }: MatchedMarket) =>
  fills.map(({ order_id, amount, price, liquidity }) => [order_id, amount, price, liquidity]);
const leftOf = (levels: TakenLevels) => [...levels].map(([price, { left }]) => [price, left.toFixed()]);

describe('a resting order meets the quote', () => {
  test('buys at the ask and sells at the bid, each side at its price', () => {
    const met = matched([order('b'), order('s', { side: 'sell', limit_price: '0.47' })]);
    expect(trades(met)).toEqual([
      ['b', '10', '0.5', 'maker'],
      ['s', '10', '0.48', 'taker'],
    ]);
    expect(met.orders).toMatchObject([
      { id: 'b', status: 'filled', filled_amount: '10', updated_at: NOW.toISOString() },
      { id: 's', status: 'filled', filled_amount: '10' },
    ]);
    expect([leftOf(met.levels.buy), leftOf(met.levels.sell)]).toEqual([[['0.5', '90']], [['0.48', '90']]]);
  });

  test('stores its trade: owner, instrument, time, and the offer', () => {
    const seenAt = new Date(at(-500));
    expect(matched([order('b')], { quote: quoted({ ask_size: '4' }, 500) })).toEqual({
      orders: [order('b', { filled_amount: '4', updated_at: NOW.toISOString() })],
      fills: [fillOf('b', '4', { id: 'fill-1', offer_as_of: seenAt.toISOString(), at: NOW.toISOString() })],
      levels: {
        buy: new Map([['0.5', { price: exact('0.5'), visible: exact(4), left: exact(0), seenAt }]]),
        sell: new Map(),
      },
    });
  });

  test('shares it by price and then time: later orders get the rest, and those that get nothing stay unchanged', () => {
    const orders = [
      order('late', { placed_at: at(-30_000) }),
      order('early'),
      order('dear', { limit_price: '0.51' }),
      order('last', { placed_at: at(-20_000) }),
    ];
    const met = matched(orders, { quote: quoted({ ask_size: '25' }) });
    expect(trades(met)).toEqual([
      ['dear', '10', '0.5', 'taker'],
      ['early', '10', '0.5', 'maker'],
      ['late', '5', '0.5', 'maker'],
    ]);
    expect(met.orders.map(({ id }) => id)).toEqual(['dear', 'early', 'late']);
  });

  test('has the whole of its limit: a worse price is no price', () => {
    const before = at05();
    const met = matched([order('b', { limit_price: '0.49' })], { levels: { buy: before, sell: new Map() } });
    expect([met.orders, met.fills]).toEqual([[], []]);
  });

  test('does not meet the offers again that the account took, and remembers them behind a better price', () => {
    const levels = { buy: at05(), sell: new Map() };
    expect(trades(matched([order('b')], { levels }))).toEqual([['b', '3', '0.5', 'maker']]);
    // A quote shows its best price only: the offer behind it may still stand.
    const better = quoted({ ask: '0.490000000000', ask_size: '1' });
    expect(leftOf(matched([order('b')], { levels, quote: better }).levels.buy)).toEqual([
      ['0.5', '3'],
      ['0.49', '0'],
    ]);
  });

  test.each([
    ['of a market that is not open', { quote: quoted({ market_status: 'paused' }) }],
    ['that is too old to be priced by', { quote: quoted({}, 10_001) }],
    ['of a market that never had one', { quote: null }],
    [
      'seen when it came, which it met then',
      { quote: quoted({}, MINUTE_MS / 6) },
      { placed_at: at(-10_000) },
    ],
  ] as readonly [string, Partial<RestingMarket>, Partial<PaperOrderRow>?][])(
    'but not one %s',
    (_what, rest, terms) => {
      const levels = { buy: at05(), sell: new Map() };
      expect(matched([order('b', terms)], { ...rest, levels })).toEqual({ orders: [], fills: [], levels });
    },
  );

  test.each([
    ['is over', { status: 'canceled' as const }],
    ['has had its time, to the millisecond', { good_till: at(0) }],
  ])('not once it %s', (_what, terms) => {
    expect(matched([order('b', terms)]).fills).toEqual([]);
  });

  test('until its time is over', () => {
    expect(matched([order('b', { good_till: at(1) })]).fills).toHaveLength(1);
  });

  test('and pays the fee of its total, rounded once: trades of other orders are not in it', () => {
    const cents: FeeSchedule = { ...FREE, makerRate: '0.001', takerRate: '0.001', roundUpTo: '0.01' };
    const rest = { quote: quoted({ ask_size: '2' }) };
    const feesAfter = (...fills: PaperFillRow[]) =>
      matched([order('b', { filled_amount: '2' })], { ...rest, fills }, cents).fills.map(({ fee }) => fee);
    // 2 × 0.5 × 0.1 % is a tenth of a cent: the first trade has paid the cent for both.
    expect(feesAfter(fillOf('b', '2'))).toEqual(['0']);
    expect(feesAfter(fillOf('other', '2'))).toEqual(['0.01']);
    expect(feesAfter()).toEqual(['0.01']);
  });
});

describe('a resting order in coins meets the closed minutes', () => {
  const candle = (minute: number, low: number, volume: number, high = 0.6): Candle => ({
    openTimeMs: NOW.getTime() + minute * MINUTE_MS,
    closeTimeMs: NOW.getTime() + (minute + 1) * MINUTE_MS - 1,
    open: high,
    high,
    low,
    close: high,
    volume,
  });
  const resting = (id: string, terms: Partial<PaperOrderRow> = {}) =>
    order(id, { candle_at: at(-2 * MINUTE_MS), ...terms });
  const minutes = (...candles: Candle[]) => ({ quote: null, candles });

  test('takes a tenth of the volume through its limit, and stores which minutes it has met', () => {
    const met = matched([resting('b')], minutes(candle(-2, 0.4, 30), candle(-1, 0.4, 20)));
    expect(trades(met)).toEqual([
      ['b', '3', '0.5', 'maker'],
      ['b', '2', '0.5', 'maker'],
    ]);
    expect(met.fills.map(({ offer_as_of, at: tradedAt }) => [offer_as_of, tradedAt])).toEqual([
      [at(-MINUTE_MS - 1), NOW.toISOString()],
      [at(-1), NOW.toISOString()],
    ]);
    expect(met.orders).toMatchObject([{ filled_amount: '5', status: 'open', candle_at: at(0) }]);
  });

  test('meets no minute twice, none before it came, and none at all if it meets quotes only', () => {
    const known = minutes(candle(-3, 0.4, 30), candle(-2, 0.4, 30));
    expect(matched([resting('b', { candle_at: at(-MINUTE_MS) })], known)).toMatchObject({
      orders: [],
      fills: [],
    });
    expect(matched([order('b')], known)).toMatchObject({ orders: [], fills: [] });
  });

  test('has met a minute even if nothing traded through its limit', () => {
    const met = matched([resting('b')], minutes(candle(-1, 0.5, 1_000)));
    expect(met.fills).toEqual([]);
    expect(met.orders).toEqual([resting('b', { candle_at: at(0) })]);
  });

  test('takes at most its amount', () => {
    const met = matched([resting('b')], minutes(candle(-2, 0.4, 1_000), candle(-1, 0.4, 1_000)));
    expect(trades(met)).toEqual([['b', '10', '0.5', 'maker']]);
    expect(met.orders).toMatchObject([{ status: 'filled' }]);
  });

  test('shares that tenth with the other orders of its side, whenever they took of it', () => {
    const both = [resting('b1', { amount: '4' }), resting('b2')];
    expect(trades(matched(both, minutes(candle(-1, 0.4, 60))))).toEqual([
      ['b1', '4', '0.5', 'maker'],
      ['b2', '2', '0.5', 'maker'],
    ]);
    const closedAt = at(-1);
    const taken = (terms: Partial<PaperFillRow> = {}) =>
      trades(
        matched([resting('b')], {
          ...minutes(candle(-1, 0.4, 60)),
          fills: [fillOf('gone', '5', { offer_as_of: closedAt, ...terms })],
        }),
      );
    expect(taken()).toEqual([['b', '1', '0.5', 'maker']]);
    expect(taken({ side: 'sell' })).toEqual([['b', '6', '0.5', 'maker']]);
    expect(taken({ offer_as_of: at(-MINUTE_MS - 1) })).toEqual([['b', '6', '0.5', 'maker']]);
  });

  test('after the quote: an order it filled is over, an order with a rest continues', () => {
    const met = matched([resting('b1'), resting('b2')], {
      quote: quoted({ ask_size: '14' }),
      candles: [candle(-1, 0.4, 20)],
    });
    expect(trades(met)).toEqual([
      ['b1', '10', '0.5', 'maker'],
      ['b2', '4', '0.5', 'maker'],
      ['b2', '2', '0.5', 'maker'],
    ]);
    expect(met.orders).toMatchObject([
      { id: 'b1', status: 'filled' },
      { id: 'b2', status: 'open', filled_amount: '6' },
    ]);
  });

  test('sells if the minute went above its limit', () => {
    const sell = resting('s', { side: 'sell', limit_price: '0.55' });
    expect(trades(matched([sell], minutes(candle(-1, 0.4, 30))))).toEqual([['s', '3', '0.55', 'maker']]);
  });
});

describe('an order that arrives', () => {
  const arriving = (feedAheadMs: number, schedule = FREE) =>
    matchArrival(
      order('b', { amount: '10' }),
      at05({ seenAt: new Date(at(-2_000)) }),
      { levels: [{ price: exact('0.5'), size: exact(101) }], isWhole: true, asOf: NOW },
      NOW.getTime() + feedAheadMs,
      { now: NOW, schedule, stepSize: exact(1), newId: () => 'fill' },
    );

  test('sees offers as old as the feed states, whatever the time of the feed', () => {
    // A later view of the account counts more than this one.
    expect(arriving(3_000).order.filled_amount).toBe('3');
    expect(arriving(1_000).order.filled_amount).toBe('4');
    expect(arriving(-9_000).order.filled_amount).toBe('4');
    expect(arriving(1_000).levels.get('0.5')?.seenAt).toEqual(new Date(at(-1_000)));
    expect(arriving(-9_000).levels.get('0.5')?.seenAt).toEqual(NOW);
  });

  test('fills whole at once or not at all with `fok`, and takes no offer if not', () => {
    const offers = { levels: [{ price: exact('0.5'), size: exact(7) }], isWhole: true, asOf: NOW };
    const arrive = (amount: string) =>
      matchArrival(order('b', { amount, time_in_force: 'fok' }), new Map(), offers, NOW.getTime(), {
        now: NOW,
        schedule: FREE,
        stepSize: exact(1),
        newId: () => 'fill',
      });
    expect(arrive('7')).toMatchObject({ order: { status: 'filled' }, fills: [{ amount: '7' }] });
    const killed = arrive('8');
    expect(killed).toMatchObject({
      order: { status: 'canceled', reason_code: 'not_whole_at_once', filled_amount: '0' },
      fills: [],
    });
    expect(killed.levels).toEqual(new Map());
  });

  test('pays for its own trades only', () => {
    const fees = arriving(0, { ...FREE, takerRate: '0.1', roundUpTo: '0.01' }).fills.map(({ fee }) => fee);
    expect(fees).toEqual(['0.2']);
  });
});
