import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dailySharpe, dayOf } from '../../../../engine/books/statistics/daily-returns.ts';
import {
  deflatedSharpe,
  probabilisticSharpe,
  probabilityOfOverfitting,
} from '../../../../engine/books/statistics/overfitting.ts';
import { entryPriceCalibrationOf } from '../../../../engine/books/statistics/reliability.ts';
import { type HeldPoint, StatisticsRecorder } from '../../../../engine/books/statistics/statistics.ts';
import { type TradeEvent, TradeTracker } from '../../../../engine/books/statistics/trade-tracker.ts';
import { exact, sumOf } from '../../../../engine/platform/decimal.ts';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const none = (reason: string) => ({ value: null, reason });

type Fill = TradeEvent & { kind: 'fill' };
const buy = (atMs: number, amount: string, price: string, fee = '0'): Fill => ({
  kind: 'fill',
  holding: 'a',
  atMs,
  side: 'buy',
  amount,
  price,
  fee,
});
const sell = (atMs: number, amount: string, price: string, fee = '0'): Fill => ({
  ...buy(atMs, amount, price, fee),
  side: 'sell',
});
const settle = (atMs: number, value: string): TradeEvent => ({
  kind: 'settlement',
  holding: 'a',
  atMs,
  value,
});
const point = (atMs: number, equity: string, held = '0'): HeldPoint => ({ atMs, equity, held });

function statisticsOf(events: readonly TradeEvent[], points: readonly HeldPoint[], days = 40) {
  const recorder = new StatisticsRecorder({ fromMs: FROM, toMs: FROM + days * DAY, start: '1000' });
  const trades = events.flatMap((event) => recorder.event(event) ?? []);
  for (const each of points) recorder.point(each);
  const { trades: figures, ...rest } = recorder.statistics();
  return { ...rest, trades, figures };
}

describe('row 2: computed by hand', () => {
  test('a contract bought at 0.40 and settled at 1, at 0 and at a void of 0.5', () => {
    for (const [value, pnl] of [
      ['1', '5.9'],
      ['0', '-4.1'],
      ['0.5', '0.9'],
    ] as const) {
      const { trades, calibration } = statisticsOf(
        [buy(FROM, '10', '0.40', '0.1'), settle(FROM + DAY, value)],
        [],
      );
      expect(trades).toMatchObject([{ bought: '4', fees: '0.1', pnl, settledAt: value, entryPrice: '0.4' }]);
      expect(calibration.brier).toEqual({ value: (0.4 - Number(value)) ** 2 });
      expect(calibration.bins[4]).toMatchObject({ count: 1, meanOutcome: { value: Number(value) } });
    }
  });

  test('half sold before it settles: one trade, and the sale lowers what the settlement pays', () => {
    const { trades } = statisticsOf(
      [buy(FROM, '10', '0.40'), sell(FROM + 1, '5', '0.60'), settle(FROM + DAY, '1')],
      [],
    );
    expect(trades).toMatchObject([{ bought: '4', sold: '8', pnl: '4', closedAtMs: FROM + DAY }]);
  });

  test('without trades every figure that needs one says so, and the equity stays', () => {
    const seen = statisticsOf([], [point(FROM + 1, '1000'), point(FROM + 2 * DAY, '1000')]);
    expect(seen).toMatchObject({
      netProfit: '0',
      totalReturn: { value: 0 },
      cagr: { value: 0 },
      sharpe: none('zero_variance'),
      sortino: none('no_downside'),
      calmar: none('no_drawdown'),
      exposure: { value: 0 },
    });
    expect(seen.drawdowns).toEqual({ max: null, longestMs: 0, worst: [] });
    for (const figure of [
      'winRate',
      'profitFactor',
      'expectancy',
      'payoff',
      'meanHeldMs',
      'feesOfGross',
    ] as const)
      expect(seen.figures[figure], figure).toEqual(none('no_trades'));
    expect(seen.figures.sqn).toEqual(none('no_trades'));
  });

  test('one trade: every figure but those that need two', () => {
    const { figures } = statisticsOf([buy(FROM, '2', '5', '0.5'), sell(FROM + DAY, '2', '6', '0.5')], []);
    expect(figures).toMatchObject({
      closed: 1,
      winRate: { value: 1 },
      expectancy: { value: 1 },
      meanReturn: { value: 0.1 },
      sqn: none('too_few'),
      best: '1',
      worst: '1',
      meanHeldMs: { value: DAY },
      feesOfGross: { value: 0.5 },
      isSqnUnreliable: true,
    });
  });

  test('only winners: no figure divides by missing losses; only losers: none by missing wins', () => {
    const won = statisticsOf(
      [buy(FROM, '1', '1'), sell(FROM + 1, '1', '3'), buy(FROM + 2, '1', '1'), sell(FROM + 3, '1', '2')],
      [],
    );
    expect(won.figures).toMatchObject({
      wins: 2,
      winsInARowMax: 2,
      profitFactor: none('no_losses'),
      payoff: none('no_losses'),
      expectancyR: none('no_losses'),
      expectancy: { value: 1.5 },
    });
    const lost = statisticsOf([buy(FROM, '1', '3'), sell(FROM + 1, '1', '1')], []);
    expect(lost.figures).toMatchObject({
      losses: 1,
      profitFactor: { value: 0 },
      meanWin: none('no_wins'),
      payoff: none('no_wins'),
      expectancyR: { value: -1 },
      feesOfGross: none('no_wins'),
    });
  });

  test('a flat trade is neither won nor lost, counts as a trade, and ends a row of wins', () => {
    const trade = (at: number, price: string) => [buy(at, '1', '1'), sell(at + 1, '1', price)];
    const { figures } = statisticsOf(
      [...trade(FROM, '2'), ...trade(FROM + 10, '1'), ...trade(FROM + 20, '2')],
      [],
    );
    expect(figures).toMatchObject({ closed: 3, flat: 1, winRate: { value: 2 / 3 }, winsInARowMax: 1 });
  });

  test('a holding at the end is listed apart, and is in no figure of trades', () => {
    const { open, figures, exposure } = statisticsOf([buy(FROM + 20 * DAY, '2', '3')], []);
    expect(open).toMatchObject([{ amount: '2', bought: '6' }]);
    expect(figures.closed).toBe(0);
    expect(exposure).toEqual({ value: 0.5 });
  });

  test('a month or less has no yearly growth; an account that lost all has lost all of it a year', () => {
    const points = [point(FROM + DAY, '1100')];
    expect(statisticsOf([], points, 29).cagr).toEqual(none('too_short'));
    // Nothing fell, and no longer span would mend that.
    expect(statisticsOf([], points, 29).calmar).toEqual(none('no_drawdown'));
    const fallen = [...points, point(FROM + 2 * DAY, '1050')];
    expect(statisticsOf([], fallen, 29).calmar).toEqual(none('too_short'));
    expect(statisticsOf([], points, 365).cagr.value).toBeCloseTo(0.1, 12);
    expect(statisticsOf([], [point(FROM + DAY, '0')]).cagr).toEqual({ value: -1 });
  });

  test('a value of midnight belongs to the day that ends there', () => {
    expect(dayOf(FROM)).toBe(FROM / DAY - 1);
    expect(dayOf(FROM + 1)).toBe(FROM / DAY);
    const { monthly } = statisticsOf([], [point(FROM, '1100'), point(FROM + 31 * DAY, '1210')]);
    expect(monthly).toMatchObject([
      { month: '2025-12', isPartial: true },
      { month: '2026-01', isPartial: false },
    ]);
  });

  test('a deposit or withdrawal is no return: only the change before and after it counts', () => {
    const at = (day: number, equity: string, flow?: string) => ({
      ...point(FROM + day * DAY, equity),
      ...(flow !== undefined && { flow }),
    });
    const seen = statisticsOf(
      [],
      [at(1, '1100'), at(2, '2090', '1000'), at(3, '1045', '-1045'), at(4, '1149.5')],
    );
    // 10 % up, then 1,000 come and 1 % is lost, half goes without a change, 10 % up.
    expect(seen.totalReturn.value).toBeCloseTo(1.1 * (1090 / 1100) * 1.1 - 1, 12);
    expect(seen.netProfit).toBe('194.5');
    expect(seen.drawdowns.max).toMatchObject({ usd: '10', recoveredAtMs: FROM + 4 * DAY });
  });

  test('a holding from before the span counts from its beginning, and its trade where it ended', () => {
    const seen = statisticsOf([buy(FROM - DAY, '1', '1'), sell(FROM + 10 * DAY, '1', '2')], []);
    expect(seen.figures).toMatchObject({ closed: 1, medianHeldMs: { value: 11 * DAY } });
    expect([seen.exposure, seen.turnover]).toEqual([{ value: 0.25 }, { value: 0.002 }]);
    const before = statisticsOf([buy(FROM - 2 * DAY, '1', '1'), sell(FROM - DAY, '1', '2')], []);
    expect([before.figures.closed, before.exposure, before.turnover]).toEqual([
      0,
      { value: 0 },
      { value: 0 },
    ]);
  });

  test('a drawdown ends where equity is back at its peak, without exceeding it', () => {
    const at = (day: number, equity: string) => point(FROM + day * DAY, equity);
    const { drawdowns } = statisticsOf(
      [],
      [at(1, '1200'), at(2, '1200'), at(3, '900'), at(4, '1000'), at(5, '1200'), at(6, '1100')],
    );
    expect(drawdowns.max).toEqual({
      share: 0.25,
      usd: '300',
      peakAtMs: FROM + 2 * DAY,
      troughAtMs: FROM + 3 * DAY,
      recoveredAtMs: FROM + 5 * DAY,
    });
    expect(drawdowns.longestMs).toBe(3 * DAY);
    expect(drawdowns.worst.map(({ recoveredAtMs }) => recoveredAtMs)).toEqual([FROM + 5 * DAY, null]);
  });

  test('the ten deepest drawdowns are listed, deepest first', () => {
    const points = Array.from({ length: 15 }, (_, index) => [
      point(FROM + index * 2 * 1000 + 1, String(999 - ((index * 7) % 15))),
      point(FROM + (index * 2 + 1) * 1000 + 1, '1000'),
    ]).flat();
    expect(statisticsOf([], points).drawdowns.worst.map(({ usd }) => usd)).toEqual(
      Array.from({ length: 10 }, (_, place) => String(15 - place)),
    );
  });

  test('an account that begins with nothing has no drawdown and no growth that is a number', () => {
    const recorder = new StatisticsRecorder({ fromMs: FROM, toMs: FROM + DAY, start: '0' });
    recorder.point(point(FROM + 1, '0'));
    const { totalReturn, drawdowns, turnover } = recorder.statistics();
    expect([totalReturn, turnover, drawdowns.max]).toEqual([none('too_few'), none('too_few'), null]);
  });

  test('best and worst result of a trade lie within what marks showed, its end included', () => {
    const mark = (atMs: number, price: string): TradeEvent => ({ kind: 'mark', holding: 'a', atMs, price });
    const { trades } = statisticsOf(
      [
        mark(FROM, '9'),
        buy(FROM, '2', '5', '1'),
        mark(FROM + 1, '3'),
        mark(FROM + 2, '7'),
        sell(FROM + 3, '2', '8'),
      ],
      [],
    );
    expect(trades).toMatchObject([{ worstPnl: '-5', bestPnl: '5' }]);
  });

  test('an oversell is an error of the books and names the instrument', () => {
    const trades = new TradeTracker();
    expect(() => trades.take(sell(FROM, '1', '1'))).toThrow('More of a was sold than held: 1.');
    trades.take(buy(FROM, '1', '1'));
    expect(() => trades.take(sell(FROM, '1.000000000001', '1'))).toThrow(RangeError);
    expect(trades.take(settle(FROM, '1'))).not.toBeNull();
    expect(trades.take(settle(FROM, '1'))).toBeNull();
  });
});

describe('in live mode', () => {
  const lot = { stepSize: '0.01', minSize: '0.01', minNotional: '5' };
  const last = (atMs: number, amount: string, price: string): TradeEvent =>
    Object.assign(sell(atMs, amount, price), { lot });

  test('a sale that leaves dust ends the trade, at the cost of the amount sold', () => {
    const trades = new TradeTracker();
    trades.take(buy(FROM, '10', '10', '1'));
    const ended = trades.take(last(FROM + 1, '9.9', '11'));
    expect(ended).toMatchObject({ bought: '99', sold: '108.9', pnl: '8.9', amountMax: '10' });
    expect(trades.holds('a')).toBe(false);
    expect(trades.open()).toEqual([]);
  });

  test('the dust moves into the next trade at its cost, or ends with its market', () => {
    const trades = new TradeTracker();
    trades.take(buy(FROM, '10', '10'));
    trades.take(last(FROM + 1, '9.9', '11'));
    trades.take(buy(FROM + 2, '1', '20'));
    expect(trades.open()).toMatchObject([{ openedAtMs: FROM + 2, bought: '21', amount: '1.1' }]);
    expect(trades.take(sell(FROM + 3, '1.1', '20'))).toMatchObject({ bought: '21', sold: '22', pnl: '1' });
    trades.take(buy(FROM + 4, '10', '10'));
    trades.take(last(FROM + 5, '9.9', '11'));
    expect(trades.take(settle(FROM + 6, '1'))).toBeNull();
    expect(() => trades.take(sell(FROM + 7, '0.1', '1'))).toThrow(RangeError);
  });

  test('dust that becomes sellable again is a trade of its own, and a sellable rest ends none', () => {
    const trades = new TradeTracker();
    trades.take(buy(FROM, '10', '10'));
    expect(trades.take(last(FROM + 1, '9.5', '10'))).toBeNull();
    expect(trades.take(last(FROM + 2, '0.4', '10'))).toMatchObject({ bought: '99', sold: '99' });
    expect(trades.take(sell(FROM + 3, '0.1', '60'))).toMatchObject({ bought: '1', sold: '6' });
  });
});

describe('how much of the result luck explains', () => {
  test('too few days or trials say so, and days that do not match are refused', () => {
    const fine = Array.from({ length: 40 }, (_, day) => (day % 3) / 100);
    expect(probabilisticSharpe([0.1])).toEqual(none('too_few'));
    expect(probabilisticSharpe([0.1, 0.1, 0.1])).toEqual(none('zero_variance'));
    expect(deflatedSharpe(fine, [0.1])).toEqual(none('too_few'));
    expect(probabilityOfOverfitting([fine])).toEqual(none('too_few'));
    expect(probabilityOfOverfitting([fine, fine].map((days) => days.slice(0, 31)))).toEqual(none('too_few'));
    expect(() => probabilityOfOverfitting([fine, fine.slice(1)])).toThrow('the same days');
  });

  test('the more trials, the less the best of them proves', () => {
    const returns = Array.from({ length: 250 }, (_, day) => Math.sin(day * 12.9898) / 100 + 0.0006);
    const sharpes = [0.01, 0.05, -0.02, 0.03];
    const of = (trials: number) => deflatedSharpe(returns, sharpes, trials).value ?? Number.NaN;
    expect(of(100)).toBeLessThan(of(10));
    expect(of(10)).toBeLessThan(probabilisticSharpe(returns).value ?? Number.NaN);
  });

  test('trials that never move are neither good nor bad', () => {
    const still = Array.from({ length: 64 }, () => 0);
    expect(probabilityOfOverfitting([still, still], 4)).toEqual({ value: 1 });
    expect(dailySharpe(still)).toEqual(none('zero_variance'));
  });
});

/** Random buys and partial sales of one holding, with what the account is worth after each. */
const worlds = fc
  .array(
    fc.record({
      isBuy: fc.boolean(),
      amount: fc.integer({ min: 1, max: 50 }),
      cents: fc.integer({ min: 1, max: 99 }),
      fee: fc.integer({ min: 0, max: 5 }),
      laterMs: fc.integer({ min: 1, max: 3 * DAY }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((moves) => {
    let [cash, amount, atMs] = [exact(1000), exact(0), FROM];
    const events: TradeEvent[] = [];
    const points: HeldPoint[] = [];
    for (const move of moves) {
      atMs += move.laterMs;
      const price = exact(move.cents).div(100);
      const fee = exact(move.fee).div(100);
      const wanted = move.isBuy ? exact(move.amount) : amount.lt(move.amount) ? amount : exact(move.amount);
      if (!wanted.isZero()) {
        const make = move.isBuy ? buy : sell;
        events.push(make(atMs, wanted.toFixed(), price.toFixed(), fee.toFixed()));
        const sign = move.isBuy ? 1 : -1;
        amount = amount.plus(wanted.times(sign));
        cash = cash.minus(wanted.times(price).times(sign)).minus(fee);
      }
      const held = amount.times(price);
      points.push(point(atMs, cash.plus(held).toFixed(), held.toFixed()));
    }
    return { events, points, toMs: atMs, held: amount.times(exact(moves.at(-1)?.cents ?? 0).div(100)) };
  });

describe('row 4: for any trading', () => {
  test('daily returns multiply up to the total return, and results of trades add up to it', () => {
    fc.assert(
      fc.property(worlds, ({ events, points, toMs, held }) => {
        const recorder = new StatisticsRecorder({ fromMs: FROM, toMs, start: '1000' });
        const trades = events.flatMap((event) => recorder.event(event) ?? []);
        for (const each of points) recorder.point(each);
        const seen = recorder.statistics();
        const product = seen.monthly.reduce((all, { value }) => all * (1 + value), 1);
        expect(product - 1).toBeCloseTo(seen.totalReturn.value ?? Number.NaN, 9);
        const ended = sumOf(trades.map(({ pnl }) => pnl));
        const open = sumOf(seen.open.map(({ sold, bought, fees }) => exact(sold).minus(bought).minus(fees)));
        expect(ended.plus(open).plus(held).toFixed()).toBe(seen.netProfit);
      }),
      { numRuns: 1_000 },
    );
  });

  test('no figure is NaN or infinite, shares lie between 0 and 1, and the drawdown is the deepest there is', () => {
    fc.assert(
      fc.property(worlds, ({ events, points, toMs }) => {
        const recorder = new StatisticsRecorder({ fromMs: FROM, toMs, start: '1000' });
        for (const event of events) recorder.event(event);
        for (const each of points) recorder.point(each);
        const seen = recorder.statistics();
        expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
        for (const share of [seen.exposure, seen.trades.winRate, seen.risk.timeUnderWater]) {
          expect(share.value ?? 0).toBeGreaterThanOrEqual(0);
          expect(share.value ?? 0).toBeLessThanOrEqual(1);
        }
        const { valueAtRisk, expectedShortfall } = seen.risk;
        expect(expectedShortfall.value ?? 0).toBeGreaterThanOrEqual((valueAtRisk.value ?? 0) - 1e-12);
        const curve = [1000, ...points.map(({ equity }) => Number(equity))];
        const deepest = Math.max(
          ...curve.map((equity, at) => 1 - equity / Math.max(...curve.slice(0, at + 1))),
        );
        expect(seen.drawdowns.max?.share ?? 0).toBeCloseTo(deepest, 12);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('contracts are counted at their price, the outermost prices included', () => {
  const of = (entryPrice: string, settledAt: string | null) => ({ entryPrice, settledAt });
  const { bins } = entryPriceCalibrationOf([of('0', '0'), of('1', '1'), of('0.1', '1'), of('0.55', null)]);
  expect(bins.map(({ count }) => count)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(entryPriceCalibrationOf([]).brier).toEqual(none('no_trades'));
});
