import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClockSetbacks } from '../../../engine/ledger/clock-setbacks.ts';
import { DayCheck, EquityCurveCheck } from '../../../engine/ledger/orders/equity-checks.ts';
import {
  checkEventNumbering,
  checkReleaseHash,
  checkSettlement,
} from '../../../engine/ledger/orders/settlement-event-release.ts';
import { exact } from '../../../engine/platform/decimal.ts';
import { findOne, LEDGER } from './ledger.ts';
import { type SurroundingRows, verifyRows } from './ledger-pages.ts';

const NOON = '2026-11-20T12:00:00.000Z';
const minutes = (count: number) => Date.parse(NOON) + count * 60_000;
const moment = (atMs: number, cash: number, totalCost = 0) => ({
  atMs,
  cash: exact(cash),
  realizedPnl: exact(0),
  totalCost: exact(totalCost),
});
const point = (atMs: number, cash: string, cost = '0') => ({
  account_id: LEDGER.accountId,
  mode: LEDGER.mode,
  at: new Date(atMs).toISOString(),
  equity: exact(cash).plus(cost).toFixed(),
  cash,
  realized_pnl: '0',
  unrealized_pnl: '0',
});

describe('a point of the curve', () => {
  /** 100 from the beginning, 90 from 12:05, 80 from 12:20. */
  const wrongOf = (points: ReturnType<typeof point>[], isTimed = true) => {
    const wrong: string[] = [];
    const curve = new EquityCurveCheck(points, isTimed, (_subject, id) => wrong.push(id));
    const moments = [moment(0, 100), moment(minutes(5), 90), moment(minutes(20), 80)];
    for (const [index, each] of moments.entries())
      curve.saw(each, moments[index + 1]?.atMs ?? Number.POSITIVE_INFINITY);
    curve.end();
    return wrong;
  };

  test.each([
    ['before its five minutes and still', 3, '100', true],
    ['within them', 3, '90', true],
    ['from their very beginning', 5, '90', true],
    ['until their very beginning', 5, '100', true],
    ['only before their beginning', 6, '100', false],
    ['from their very end', 15, '80', true],
    ['only later', 14, '80', false],
    ['to the end of time', 10_000, '80', true],
    ['never', 3, '95', false],
  ])('is what the books said %s', (_when, at, cash, isTrue) => {
    const stated = point(minutes(at), cash);
    expect(wrongOf([stated])).toEqual(isTrue ? [] : [stated.at]);
  });

  test('is checked on its own, one of many', () => {
    const points = [
      point(minutes(0), '1'),
      point(minutes(0), '90'),
      point(minutes(7), '2'),
      point(minutes(60), '80'),
    ];
    expect(wrongOf(points)).toEqual([points[0]?.at, points[2]?.at]);
  });

  test('has the cost of the holdings, too', () => {
    expect(wrongOf([point(minutes(0), '100', '1')])).toHaveLength(1);
  });

  test('differs if other amounts read the same in a row', () => {
    const differences: string[] = [];
    const stated = { ...point(minutes(0), '9', '15'), equity: '24' };
    const curve = new EquityCurveCheck(
      [stated],
      true,
      (...difference) => void differences.push(difference.join('|')),
    );
    curve.saw({ ...moment(0, 90, 5), realizedPnl: exact(1) }, Number.POSITIVE_INFINITY);
    expect(differences).toEqual([
      `equity_point|${stated.at}|equity|cash, realized profit and cost of that time|equity 24, cash 9, realized 0, unrealized 0`,
    ]);
  });

  test('may be of any time where times prove nothing', () => {
    expect(wrongOf([point(minutes(0), '80'), point(minutes(0), '81')], false)).toEqual([
      point(minutes(0), '81').at,
    ]);
  });
});

describe('a day', () => {
  const DAY = '2026-11-20';
  const startMs = Date.parse(`${DAY}T00:00:00Z`);
  const HOUR_MS = 3_600_000;
  const wrongOf = (opening: string, { isTimed = true, latestMs = startMs } = {}) => {
    const row = { account_id: LEDGER.accountId, mode: LEDGER.mode, day: DAY, realized_pnl: '0' };
    const days = new DayCheck([{ ...row, opening_unrealized_pnl: opening }], isTimed);
    const moments = [
      moment(0, 0, 0),
      moment(startMs - 2 * HOUR_MS, 0, 50),
      moment(startMs - HOUR_MS, 0, 10),
      moment(startMs + HOUR_MS, 0, 20),
      moment(startMs + 25 * HOUR_MS, 0, 99),
    ];
    for (const [index, each] of moments.entries())
      days.saw(each, moments[index + 1]?.atMs ?? Number.POSITIVE_INFINITY);
    const wrong: string[] = [];
    days.check(latestMs, (_subject, _id, field) => wrong.push(field));
    return wrong;
  };

  test('opens at no greater loss than the highest cost of holdings on it', () => {
    expect(wrongOf('-20')).toEqual([]);
    expect(wrongOf('-20.01')).toEqual(['openingUnrealizedPnl']);
    expect(wrongOf('-99', { isTimed: false })).toEqual([]);
    expect(wrongOf('-99.01', { isTimed: false })).toEqual(['openingUnrealizedPnl']);
  });

  test('has begun', () => {
    expect(wrongOf('0', { latestMs: startMs - 1 })).toEqual(['day']);
  });

  /** Returns the differences where the books had these costs, each from its hour after the first day's beginning on. */
  const toldOf = (
    openings: Record<string, string>,
    paid: [hour: number, cost: number][],
    latestMs = 9e12,
  ) => {
    const rows = Object.entries(openings).map(([day, opening_unrealized_pnl]) => ({
      account_id: LEDGER.accountId,
      mode: LEDGER.mode,
      day,
      realized_pnl: '0',
      opening_unrealized_pnl,
    }));
    const days = new DayCheck(rows, true);
    for (const [index, [hour, cost]] of paid.entries()) {
      const until = paid[index + 1]?.[0] ?? Number.POSITIVE_INFINITY;
      days.saw(moment(startMs + hour * HOUR_MS, 0, cost), startMs + until * HOUR_MS);
    }
    const differences: string[] = [];
    days.check(latestMs, (...difference) => void differences.push(difference.join(' ')));
    return differences;
  };

  test('is reported with the possible value', () => {
    const openings = { '2026-11-20': '-5' };
    expect(toldOf(openings, [[0, 4]])).toEqual(['account_day 2026-11-20 openingUnrealizedPnl -4 or more -5']);
    expect(toldOf(openings, [[0, 5]], startMs - 1)).toEqual([
      'account_day 2026-11-20 day 2026-11-19 or before 2026-11-20',
    ]);
  });

  test('may open before what is booked in its very first moment', () => {
    const settledAtMidnight: [number, number][] = [
      [-2, 50],
      [0, 20],
    ];
    expect(toldOf({ '2026-11-20': '-50' }, settledAtMidnight)).toEqual([]);
    expect(toldOf({ '2026-11-20': '-50.1' }, settledAtMidnight)).toHaveLength(1);
  });

  test('counts holdings from its first moment to its last, each day its own, in any order', () => {
    const paid: [number, number][] = [
      [-2, 50],
      [-1, 20],
      [23, 30],
      [25, 40],
      [47, 7],
      [60, 9],
    ];
    const days = (first: string, second: string, third: string) => ({
      '2026-11-22': third,
      '2026-11-20': first,
      '2026-11-21': second,
    });
    expect(toldOf(days('-30', '-40', '-9'), paid)).toEqual([]);
    expect(toldOf(days('-30.1', '-40.1', '-9.1'), paid)).toEqual([
      'account_day 2026-11-20 openingUnrealizedPnl -30 or more -30.1',
      'account_day 2026-11-21 openingUnrealizedPnl -40 or more -40.1',
      'account_day 2026-11-22 openingUnrealizedPnl -9 or more -9.1',
    ]);
  });
});

describe('the order of times', () => {
  const orderOf = (...times: number[]) => {
    const order = new ClockSetbacks();
    const entries = times.map((atMs, index) => ({
      seq: String(index + 1),
      at: new Date(atMs).toISOString(),
    }));
    for (const entry of entries) order.note({ ...entry, is_step: true });
    return { order, later: entries.map((entry) => order.isLaterThanSuccessor(entry)) };
  };

  test('holds while no entry is earlier than the one before it', () => {
    expect(orderOf(1, 1, 2, 3).order.isMonotonic).toBe(true);
    expect(orderOf(1, 2, 1).order.isMonotonic).toBe(false);
    const { order } = orderOf(1, 2);
    order.note({ seq: '3', at: new Date(1).toISOString(), is_step: false });
    expect(order.isMonotonic).toBe(false);
    expect(order.entries).toBe(3);
  });

  test('states of each step whether a later one has an earlier time, whatever the times; fills are no steps', () => {
    const entries = fc.array(fc.record({ atMs: fc.nat(12), is_step: fc.boolean() }), { maxLength: 14 });
    fc.assert(
      fc.property(entries, (all) => {
        const order = new ClockSetbacks();
        const noted = all.map(({ atMs, is_step }, index) => ({
          seq: String(index * 3 + 1),
          at: new Date(atMs).toISOString(),
          is_step,
        }));
        for (const entry of noted) order.note(entry);
        for (const [index, { atMs, is_step }] of all.entries()) {
          if (!is_step) continue;
          const isLater = all.slice(index + 1).some((next) => next.is_step && next.atMs < atMs);
          const entry = noted[index];
          expect(entry && order.isLaterThanSuccessor(entry)).toBe(isLater);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      [1, 2, 3],
      [false, false, false],
    ],
    [
      [5, 6, 2, 3, 7],
      [true, true, false, false, false],
    ],
    [
      [5, 6, 3, 7, 4, 2, 8],
      [true, true, true, true, true, false, false],
    ],
    [
      [9, 1, 9, 5, 9],
      [true, false, true, false, false],
    ],
  ])('%j: those are later than something after them', (times, expected) => {
    expect(orderOf(...times).later).toEqual(expected);
  });
});

describe('the rows beside the books', () => {
  const filled = findOne(LEDGER.fills, ({ kind, side }) => kind === 'trade' && side === 'buy');
  const order = findOne(LEDGER.orders, ({ id }) => id === filled.order_id);
  const traded = LEDGER.fills.filter(({ kind }) => kind === 'trade');
  const paperFills = traded.map((fill) => ({
    ...fill,
    id: fill.venue_trade_id,
    order_id: fill.order_id ?? '',
  }));
  const paperOrders = LEDGER.orders.filter(({ id }) => traded.some(({ order_id }) => order_id === id));
  const found = (beside: SurroundingRows) =>
    verifyRows(LEDGER, { beside: { hasPaperOrders: true, paperFills, paperOrders, ...beside } }).map(
      ({ subject, id, field }) => `${subject} ${id} ${field}`,
    );
  const withFill = (values: object) =>
    paperFills.map((each) => (each.id === filled.venue_trade_id ? { ...each, ...values } : each));

  test('agrees', () => {
    expect(found({})).toEqual([]);
  });

  test.each<[string, SurroundingRows, string]>([
    [
      'a trade the venue does not know',
      { paperFills: withFill({ id: 'other' }) },
      `fill ${filled.id} venueTradeId`,
    ],
    [
      'one never booked',
      { paperFills: [...paperFills, ...withFill({ id: 'more' })] },
      'paper_fill more booked',
    ],
    ['another price', { paperFills: withFill({ price: '0.1' }) }, `fill ${filled.id} trade of the venue`],
    ['another fee', { paperFills: withFill({ fee: '9' }) }, `fill ${filled.id} trade of the venue`],
    [
      'what the venue filled',
      { paperOrders: paperOrders.map((each) => ({ ...each, filled_amount: '77' })) },
      `paper_order ${order.id} filledAmount`,
    ],
    [
      'what was asked of it',
      { paperOrders: paperOrders.map((each) => ({ ...each, limit_price: '0.99' })) },
      `paper_order ${order.id} terms`,
    ],
    ['a settlement that its venue did not state', { instruments: [] }, 'settlement price'],
    ['a row of nothing', { strays: [{ subject: 'fill', id: 'x' }] }, 'fill x row'],
    ['a changed drawing', { releases: [{ hash: 'abc', visual: {} }] }, 'release_body abc hash'],
    ['a missing event', { events: { counted: '9', first: '3', last: '9', rows: 6 } }, 'account_event'],
    ['a missing last event', { events: { counted: '9', first: '3', last: '8', rows: 6 } }, 'last number'],
  ])('%s is found', (_what, beside, expected) => {
    expect(found(beside)).toContainEqual(expect.stringContaining(expected));
  });

  test('a trade of a live order may still be booked', () => {
    const goesOn = findOne(LEDGER.orders, ({ status }) => status === 'partially_filled');
    const own = findOne(paperFills, ({ order_id }) => order_id === goesOn.id);
    const more = [...paperFills, { ...own, id: 'more', amount: '0' }];
    expect(found({ paperFills: more })).toEqual([]);
  });

  test('a difference between venue and books is reported with both values', () => {
    const words = (beside: SurroundingRows) =>
      verifyRows(LEDGER, { beside: { hasPaperOrders: true, paperFills, paperOrders, ...beside } }).map(
        ({ field, expected, actual }) => `${field}: ${expected}, not ${actual}`,
      );
    const trade = filled.venue_trade_id;
    expect(words({ paperFills: withFill({ id: 'other' }) })).toContain(
      `venueTradeId: a trade of the venue, not ${trade}`,
    );
    expect(words({ paperFills: withFill({ id: 'other' }) })).toContainEqual(
      expect.stringMatching(/^booked: buy 12 KXTEST-26:yes at 0\.5, fee 0\.175, of order .*, not never$/),
    );
    expect(words({ strays: [{ subject: 'fill', id: 'x' }] })).toEqual([
      'row: the order or fill it is of, not gone',
    ]);
  });

  test('events without a gap agree, also where none are stored', () => {
    expect(found({ events: { counted: '9', first: '3', last: '9', rows: 7 } })).toEqual([]);
    expect(found({ events: { counted: '9', first: null, last: null, rows: 0 } })).toEqual([]);
  });

  test('a settlement, event numbers and a graph that differ are reported with both values', () => {
    const differences: string[] = [];
    const report = (...difference: string[]) => void differences.push(difference.slice(2).join(' '));
    const settled = { ...filled, kind: 'settlement' as const, price: '1.0' };
    const stated = (value: string | null) =>
      new Map([
        [filled.token_id, { token_id: filled.token_id, kind: 'outcome' as const, settlement_value: value }],
      ]);
    checkSettlement(settled, stated('1'), report);
    checkSettlement(settled, stated('0'), report);
    checkSettlement(settled, stated(null), report);
    checkSettlement({ ...settled, kind: 'trade' }, stated(null), report);
    const events = (first: string | null, last: string | null) =>
      checkEventNumbering({ accountId: 'a', events: { counted: '9', first, last, rows: 6 } }, report);
    events('3', '8');
    events('3', '9');
    events(null, '8');
    events('3', null);
    const hash = createHash('sha256').update('{}').digest('hex');
    checkReleaseHash({ hash, visual: {} }, report);
    checkReleaseHash({ hash: 'abc', visual: {} }, report);
    expect(differences).toEqual([
      'settlement price 0 1',
      'settlement price no value stated 1',
      'last number 9 8',
      'rows 7 6',
      `hash abc ${hash}`,
    ]);
  });
});
