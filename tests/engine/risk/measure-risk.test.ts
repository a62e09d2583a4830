import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact } from '../../../engine/platform/decimal.ts';
import { type MeasuredRows, measureRisk, withMeasuredOrder } from '../../../engine/risk/measure-risk.ts';
import { DEFAULT_LIMITS } from '../../../engine/risk/rule-limits.ts';
import { position } from '../trading/orders/answer.ts';
import { NOW } from '../trading/orders/market.ts';
import { at, order } from '../trading/orders/order.ts';
import { held, RULES } from './risk-snapshot.ts';

type Quote = NonNullable<ReturnType<MeasuredRows['quoteOf']>>;

const MEASURED: MeasuredRows = {
  rules: { ...DEFAULT_LIMITS, version: 7 },
  account: {
    cash: '1000.500000000000',
    realized_pnl: '-3.000000000000',
    last_loss_at: null,
    tripped_at: null,
  },
  watch: null,
  dayOn: () => undefined,
  orders: [],
  positions: [],
  quoteOf: () => undefined,
};
const measured = (terms: Partial<MeasuredRows> = {}, leaveOut?: string) =>
  measureRisk({ ...MEASURED, ...terms }, NOW, leaveOut);
const account = (terms: Partial<MeasuredRows['account']>) =>
  measured({ account: { ...MEASURED.account, ...terms } });
const reserves = (...orders: ReturnType<typeof order>[]) =>
  measured({ orders }).buying.map(({ tokenId, reserve }) => [tokenId, reserve.toFixed()]);
const stakesOf = ({ stakes }: ReturnType<typeof measureRisk>) =>
  stakes.map(({ blueprintId, atStake }) => [blueprintId, atStake.toFixed()]);
const quoteOf =
  (mark: string, terms: Partial<Quote> = {}): MeasuredRows['quoteOf'] =>
  () => ({
    mark_price: mark,
    mark_at: at(-1_000),
    mark_fell_at: null,
    mark_before_fall: null,
    ...terms,
  });

describe('a new account', () => {
  test('has its rules and its cash only', () => {
    expect(measured()).toEqual({
      rules: RULES,
      rulesVersion: 7,
      buying: [],
      stakes: [],
      queuedLastMinute: 0,
      cash: exact('1000.5'),
      realizedPnl: exact(-3),
      watch: null,
      lastLossAt: null,
      trippedAt: null,
      held: [],
      day: null,
    });
  });
});

describe('a live buy', () => {
  test('reserves its rest at its limit, and the fee that may still be charged', () => {
    expect(reserves(order())).toEqual([['KXTEST:yes', '5.175']]);
    expect(reserves(order({ filled_amount: '4', fees: '0.1' }))).toEqual([['KXTEST:yes', '3.075']]);
  });

  test('reserves no fee if more was charged than expected', () => {
    expect(reserves(order({ filled_amount: '4', fees: '0.3' }))).toEqual([['KXTEST:yes', '3']]);
  });

  test('counts by instrument and by blueprint, each sorted by its name', () => {
    const orders = [
      order({ token_id: 'B', blueprint_id: 'two', worst_fee: '0' }),
      order({ token_id: 'A', blueprint_id: 'one', worst_fee: '0' }),
      order({ token_id: 'B', blueprint_id: 'one', worst_fee: '1' }),
      order({ token_id: 'C', blueprint_id: 'two', worst_fee: '0' }),
    ];
    expect(reserves(...orders)).toEqual([
      ['A', '5'],
      ['B', '11'],
      ['C', '5'],
    ]);
    expect(stakesOf(measured({ orders }))).toEqual([
      ['one', '11'],
      ['two', '10'],
    ]);
  });

  test.each<[string, Parameters<typeof order>[0]]>([
    ['a sell', { side: 'sell' }],
    ['an order that has ended', { status: 'canceled' }],
    ['one that was not approved in time', { status: 'pending', expires_at: at(-1) }],
  ])('is the only thing that reserves: %s does not', (_what, terms) => {
    expect(measured({ orders: [order(terms)] })).toMatchObject({ buying: [], stakes: [] });
  });

  test('that is pending does not count against itself when it is checked again', () => {
    const orders = [order({ status: 'pending' }), order({ id: 'o-2', status: 'pending' })];
    const { buying, stakes } = measured({ orders }, 'o-2');
    expect(buying).toEqual([{ tokenId: 'KXTEST:yes', reserve: exact('5.175') }]);
    expect(stakes).toEqual([{ blueprintId: 'b-1', atStake: exact('5.175') }]);
  });
});

describe('buys of the last minute', () => {
  const counted = (...orders: ReturnType<typeof order>[]) => measured({ orders }).queuedLastMinute;

  test('count from when they were queued, for less than 60 s, even if they have ended since', () => {
    expect(counted(order({ queued_at: at(-59_999) }), order({ queued_at: at(0), status: 'filled' }))).toBe(2);
    expect(counted(order({ queued_at: at(-60_000) }))).toBe(0);
  });

  test('are neither pending orders nor sells', () => {
    expect(counted(order({ status: 'pending' }), order({ side: 'sell', queued_at: at(0) }))).toBe(0);
  });
});

describe('holdings', () => {
  test('are summed by instrument over its blueprints, and by blueprint at cost', () => {
    const positions = [
      position('p-1', '10', { token_id: 'B' }),
      position('p-2', '5', { token_id: 'A', blueprint_id: 'b-2', total_cost: '1' }),
      position('p-3', '1', { token_id: 'B', blueprint_id: 'b-2', total_cost: '0.7' }),
      position('p-4', '0', { token_id: 'C', total_cost: '0' }),
      position('p-5', '0', { token_id: 'A', blueprint_id: 'b-3', total_cost: '0' }),
    ];
    const snapshot = measured({ positions });
    expect(snapshot.held).toEqual([held('A', '5', '1', null), held('B', '11', '4.7', null)]);
    expect(stakesOf(snapshot)).toEqual([
      ['b-1', '4'],
      ['b-2', '1.7'],
    ]);
  });

  test('of a blueprint count in addition to the open cost of its buys', () => {
    expect(stakesOf(measured({ positions: [position('p-1', '10')], orders: [order()] }))).toEqual([
      ['b-1', '9.175'],
    ]);
  });

  test('have the mark of their instrument and its age', () => {
    const positions = [position('p-1', '10', { token_id: 'T' })];
    expect(measured({ positions, quoteOf: quoteOf('0.42') }).held).toEqual([
      held('T', '10', '4', '0.42', 1_000),
    ]);
  });

  test('have none if there were quotes but never a bid', () => {
    const positions = [position('p-1', '10', { token_id: 'T' })];
    const never = quoteOf('0', { mark_price: null, mark_at: null });
    expect(measured({ positions, quoteOf: never }).held).toEqual([held('T', '10', '4', null)]);
  });

  test('whose mark fell to 0 a moment ago open the day at the mark before', () => {
    const positions = [position('p-1', '10', { token_id: 'T' })];
    const fallen = quoteOf('0', { mark_fell_at: at(-1_000), mark_before_fall: '0.42' });
    expect(measured({ positions, quoteOf: fallen }).held).toEqual([held('T', '10', '4', '0', 1_000, '0.42')]);
  });
});

describe('the account', () => {
  test('knows the time of its last loss', () => {
    expect(account({ last_loss_at: at(-5) }).lastLossAt).toEqual(new Date(at(-5)));
  });

  test('is tripped until 00:00 UTC', () => {
    expect(account({ tripped_at: '2026-11-20T00:00:00.000Z' }).trippedAt).toEqual(
      new Date('2026-11-20T00:00:00.000Z'),
    );
    expect(account({ tripped_at: '2026-11-19T23:59:59.999Z' }).trippedAt).toBeNull();
  });

  test('has the present day, once that has been opened', () => {
    const dayOn = (day: string) =>
      day === '2026-11-20' ? { realized_pnl: '-2.50', opening_unrealized_pnl: '0.70' } : undefined;
    expect(measured({ dayOn }).day).toEqual({
      realizedPnl: exact('-2.5'),
      openingUnrealizedPnl: exact('0.7'),
    });
  });

  test('has the state of its drawdown stop while that is on', () => {
    const watch = {
      since: at(-9_000),
      high_water_mark: '12.00',
      rising_to: null,
      rising_since: null,
      beyond_since: null,
      tripped_at: null,
    };
    expect(measured({ watch }).watch).toEqual({
      since: new Date(at(-9_000)),
      highWaterMark: exact(12),
      rising: null,
      beyondSince: null,
      trippedAt: null,
    });
  });
});

describe('a new order', () => {
  const Orders = fc.array(
    fc
      .record({
        token_id: fc.constantFrom('A', 'B', 'C'),
        blueprint_id: fc.constantFrom('one', 'two', 'three'),
        side: fc.constantFrom('buy', 'sell'),
        status: fc.constantFrom('pending', 'queued', 'denied'),
        amount: fc.integer({ min: 1, max: 9 }).map(String),
      })
      .map((terms) => order({ ...terms, queued_at: terms.status === 'queued' ? at(0) : null })),
    { maxLength: 8 },
  );

  test('plus the measured values gives the values with it', () => {
    fc.assert(
      fc.property(Orders, (orders) => {
        const positions = [position('p-1', '10', { token_id: 'B', blueprint_id: 'two' })];
        expect(orders.reduce(withMeasuredOrder, measured({ positions }))).toEqual(
          measured({ orders, positions }),
        );
      }),
    );
  });
});
