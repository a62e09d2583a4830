/** Where figures begin, end and are unknown. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dailyRate,
  dailySharpe,
  sharpe,
  sortino,
  volatility,
} from '../../../../engine/books/statistics/daily-returns.ts';
import { deviation, mean, median, sum } from '../../../../engine/books/statistics/moments.ts';
import { normalCdf, normalQuantile } from '../../../../engine/books/statistics/normal-distribution.ts';
import { deflatedSharpe, probabilityOfOverfitting } from '../../../../engine/books/statistics/overfitting.ts';
import { entryPriceCalibrationOf } from '../../../../engine/books/statistics/reliability.ts';
import {
  type HeldPoint,
  type Span,
  StatisticsRecorder,
} from '../../../../engine/books/statistics/statistics.ts';
import { thinned } from '../../../../engine/books/statistics/thinner.ts';
import type { TradeEvent } from '../../../../engine/books/statistics/trade-tracker.ts';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const none = (reason: string) => ({ value: null, reason });

const fill = (atMs: number, side: 'buy' | 'sell', amount: string, price: string): TradeEvent => ({
  kind: 'fill',
  holding: 'a',
  atMs,
  side,
  amount,
  price,
  fee: '0',
});
const point = (day: number, equity: string, rest: Partial<HeldPoint> = {}): HeldPoint => ({
  atMs: FROM + day * DAY,
  equity,
  held: '0',
  ...rest,
});

function statisticsOf(events: readonly TradeEvent[], points: readonly HeldPoint[], span: Partial<Span> = {}) {
  const recorder = new StatisticsRecorder({ fromMs: FROM, toMs: FROM + 40 * DAY, start: '1000', ...span });
  const trades = events.flatMap((event) => recorder.event(event) ?? []);
  for (const each of points) recorder.point(each);
  return { ...recorder.statistics(), ended: trades };
}

test('days that never move lose nothing: 0, and not a minus zero that JSON cannot store', () => {
  const { risk } = statisticsOf(
    [],
    Array.from({ length: 30 }, (_, day) => point(day, '1000')),
  );
  expect([risk.valueAtRisk, risk.expectedShortfall]).toEqual([{ value: 0 }, { value: 0 }]);
});

describe('sums and the normal distribution', () => {
  test('an addition carries its rounding error along, whichever of the two values is smaller', () => {
    expect(sum([1, 1e100, 1, -1e100])).toBe(2);
    expect(sum([1e100, 1, -1e100, 1])).toBe(2);
    expect(sum([])).toBe(0);
  });

  test('the median of one value and of two exists; of none it is unknown', () => {
    expect([median([3]), median([9, 1]), median([5, 9, 1])]).toEqual([3, 5, 5]);
    expect(() => median([])).toThrow('There is no median of nothing.');
  });

  test('a probability is above 0 and below 1', () => {
    for (const share of [0, 1, -0.1, 1.1, Number.NaN]) {
      expect(() => normalQuantile(share)).toThrow(`A share lies between 0 and 1, not at ${share}.`);
    }
  });

  test('the tails of the distribution are 0 and 1; one function inverts the other', () => {
    expect([normalCdf(-41), normalCdf(41)]).toEqual([0, 1]);
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 0.999_999, noNaN: true }), (share) => {
        expect(normalCdf(normalQuantile(share)) / share).toBeCloseTo(1, 9);
      }),
    );
  });
});

describe('daily returns', () => {
  const returns = [0.01, -0.02, 0.03];

  test('need two days, downside and variance, and state which is missing', () => {
    expect(volatility([0.1])).toEqual(none('too_few'));
    expect(volatility([1e200, -1e200])).toEqual(none('too_few'));
    expect(sortino([0.1])).toEqual(none('too_few'));
    expect(sortino([0, 0.1])).toEqual(none('no_downside'));
    expect(dailySharpe([0.1])).toEqual(none('too_few'));
    expect(sharpe([0.1, 0.1])).toEqual(none('zero_variance'));
  });

  test('are measured in excess of the risk-free rate', () => {
    expect(dailyRate(0.1)).toBeCloseTo(1.1 ** (1 / 365) - 1, 15);
    const above = returns.map((value) => value - 0.001);
    expect(dailySharpe(returns, 0.001).value).toBeCloseTo(mean(above) / deviation(above), 12);
    const short = Math.sqrt(mean(above.map((value) => Math.min(value, 0) ** 2)));
    expect(sortino(returns, 0.001).value).toBeCloseTo((mean(above) / short) * Math.sqrt(365), 12);
    const points = [point(1, '1010'), point(2, '990'), point(3, '1020')];
    const [plain, excess] = [statisticsOf([], points), statisticsOf([], points, { riskFree: 0.1 })];
    expect(excess.sharpe.value).toBeLessThan(plain.sharpe.value ?? 0);
    // A ratio below zero is more likely below zero.
    const beaten = statisticsOf([], points, { riskFree: 1e6 });
    expect(beaten.sharpe.value).toBeLessThan(0);
    expect(beaten.probabilisticSharpe.value).toBeLessThan(0.5);
  });

  test('nothing does not grow, and a deposit is no growth', () => {
    const { monthly } = statisticsOf([], [point(1, '0'), point(2, '500', { flow: '500' })], { start: '0' });
    expect(monthly.map(({ value }) => value)).toEqual([0]);
  });

  test('a deposit that rounds to a loss of 1e-16 is no loss: days that never lost have no downside', () => {
    const rising = Array.from({ length: 19 }, (_, day) => point(day + 2, String(1_010 + day)));
    const { risk } = statisticsOf([], [point(1, '1000.27', { flow: '0.2' }), ...rising], {
      start: '1000.07',
    });
    expect(risk.omega).toEqual(none('no_downside'));
    expect(risk.tailRatio).toEqual(none('no_downside'));
  });

  test('a whole February is not marked partial', () => {
    const { monthly } = statisticsOf([], [point(31.5, '1100'), point(59, '1210')], { toMs: FROM + 60 * DAY });
    expect(monthly).toMatchObject([{ month: '2026-02', isPartial: false }]);
  });

  test('thirty days have a growth rate, and an account with debt has lost everything', () => {
    const of = (days: number, equity: string) =>
      statisticsOf([], [point(1, equity)], { toMs: FROM + days * DAY }).cagr;
    expect(of(30, '1100').value).toBeCloseTo(1.1 ** (365 / 30) - 1, 9);
    expect(of(30, '-100')).toEqual({ value: -1 });
  });
});

describe('exposure', () => {
  test('is unknown over no time', () => {
    const { exposure, exposureOfEquity } = statisticsOf([], [], { toMs: FROM });
    expect([exposure, exposureOfEquity]).toEqual([none('too_few'), none('too_few')]);
  });

  test('is weighted by time, up to the end, and nothing before the first point', () => {
    const half = statisticsOf([], [point(10, '1000', { held: '500' })]);
    expect(half.exposureOfEquity.value).toBeCloseTo((0.5 * 30) / 40, 12);
    const less = statisticsOf([], [point(10, '1000', { held: '500' }), point(20, '1000', { held: '100' })]);
    expect(less.exposureOfEquity.value).toBeCloseTo((0.5 * 10 + 0.1 * 20) / 40, 12);
    expect(statisticsOf([], []).exposureOfEquity).toEqual({ value: 0 });
  });

  test('is unknown for an account that owes as much as it holds', () => {
    expect(statisticsOf([], [point(10, '0', { held: '500' })]).exposureOfEquity).toEqual({ value: 0 });
    expect(statisticsOf([], [point(10, '-5', { held: '500' })]).exposureOfEquity).toEqual({ value: 0 });
  });
});

describe('drawdowns', () => {
  test('there is no drawdown from a peak of zero', () => {
    expect(statisticsOf([], [point(1, '-5'), point(2, '-9')], { start: '0' }).drawdowns.max).toBeNull();
  });

  test('a deposit during a drawdown moves the trough as well as the peak', () => {
    const { max } = statisticsOf(
      [],
      [point(1, '900'), point(2, '1000', { flow: '100' }), point(3, '950')],
    ).drawdowns;
    expect(max).toMatchObject({ usd: '150', troughAtMs: FROM + 3 * DAY, share: 150 / 1100 });
  });

  test('of two equally deep drawdowns the first counts, and of two lowest points too', () => {
    const { worst, max } = statisticsOf(
      [],
      [point(1, '900'), point(2, '900'), point(3, '1000'), point(4, '900'), point(5, '1000')],
    ).drawdowns;
    expect(worst.map(({ peakAtMs }) => (peakAtMs - FROM) / DAY)).toEqual([0, 3]);
    expect(max?.troughAtMs).toBe(FROM + DAY);
  });
});

describe('trades', () => {
  const round = (at: number, bought: string, sold: string) => [
    fill(at, 'buy', '1', bought),
    fill(at + 1, 'sell', '1', sold),
  ];

  test('the largest holding is the largest at one instant', () => {
    const { ended } = statisticsOf(
      [
        fill(FROM, 'buy', '2', '1'),
        fill(FROM, 'buy', '3', '1'),
        fill(FROM, 'sell', '4', '1'),
        fill(FROM, 'buy', '1', '1'),
        fill(FROM, 'sell', '2', '1'),
      ],
      [],
    );
    expect(ended).toMatchObject([{ amountMax: '5' }]);
  });

  test('a fill or trade end at the start of the span belongs to the span', () => {
    const seen = statisticsOf([fill(FROM - DAY, 'buy', '1', '5'), fill(FROM, 'sell', '1', '5')], []);
    expect([seen.trades.closed, seen.turnover]).toEqual([1, { value: 0.005 }]);
  });

  test('a trade that cost nothing has no return', () => {
    expect(statisticsOf(round(FROM, '0', '5'), []).trades.meanReturn).toEqual({ value: 0 });
  });

  test('thirty trades are enough for a conclusive quality, two for a value, and equal ones have none', () => {
    const of = (count: number, spread = 1) =>
      statisticsOf(
        Array.from({ length: count }, (_, trade) =>
          round(FROM + 10 * trade, '5', String(6 + spread * (trade % 2))),
        ).flat(),
        [],
      ).trades;
    expect([of(29).isSqnUnreliable, of(30).isSqnUnreliable]).toEqual([true, false]);
    expect(of(2).sqn.value).toBeCloseTo((Math.SQRT2 * 1.5) / Math.SQRT1_2, 12);
    expect(of(3, 0).sqn).toEqual(none('zero_variance'));
    expect(of(0).medianHeldMs).toEqual(none('no_trades'));
  });
});

test('calibration lists the prices and their results', () => {
  const { bins, brier } = entryPriceCalibrationOf([
    { entryPrice: '0.32', settledAt: '1' },
    { entryPrice: '0.38', settledAt: '0' },
    { entryPrice: '0.35', settledAt: null },
  ]);
  expect(bins[3]).toMatchObject({
    fromPrice: 0.3,
    count: 2,
    meanPrice: { value: 0.35 },
    meanOutcome: { value: 0.5 },
  });
  expect(bins[4]).toEqual({
    fromPrice: 0.4,
    count: 0,
    meanPrice: none('no_trades'),
    meanOutcome: none('no_trades'),
    interval: null,
  });
  expect(brier.value).toBeCloseTo((0.68 ** 2 + 0.38 ** 2) / 2, 12);
});

describe('luck', () => {
  test('two trials and twice as many days as slices are enough', () => {
    const days = (seed: number) => Array.from({ length: 8 }, (_, day) => Math.sin(seed * day) / 50);
    expect(deflatedSharpe(days(1), [0.1, 0.2]).value).not.toBeNull();
    expect(probabilityOfOverfitting([days(1), days(2)], 4).value).not.toBeNull();
  });

  test('equals the slow count, half by half; the oldest days that fill no slice do not count', () => {
    const halves = [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ];
    const slow = (trials: readonly (readonly number[])[]) => {
      const length = Math.floor((trials[0]?.length ?? 0) / 4);
      const oldest = (trials[0]?.length ?? 0) % 4;
      const days = (trial: readonly number[], slices: readonly number[]) =>
        slices.flatMap((slice) => trial.slice(oldest + slice * length, oldest + (slice + 1) * length));
      const ratios = (slices: readonly number[]) =>
        trials.map((trial) => dailySharpe(days(trial, slices)).value ?? 0);
      const low = halves.filter((known) => {
        const after = ratios([0, 1, 2, 3].filter((slice) => !known.includes(slice)));
        const before = ratios(known);
        const reached = after[before.indexOf(Math.max(...before))] ?? 0;
        return (1 + after.filter((other) => other < reached).length) / (trials.length + 1) <= 0.5;
      });
      return low.length / halves.length;
    };
    // Hundredths, so that what is equal is equal in every order of addition.
    const day = fc.integer({ min: -64, max: 64 }).map((part) => part / 1024);
    const worlds = fc
      .tuple(fc.integer({ min: 2, max: 7 }), fc.integer({ min: 8, max: 23 }))
      .chain(([trials, days]) =>
        fc.array(fc.array(day, { minLength: days, maxLength: days }), {
          minLength: trials,
          maxLength: trials,
        }),
      );
    fc.assert(
      fc.property(worlds, (trials) => {
        expect(probabilityOfOverfitting(trials, 4)).toEqual({ value: slow(trials) });
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});

describe('a thinned curve', () => {
  const rows = (...values: readonly number[]) => values.map((value, at) => ({ at, value }));
  const kept = (values: readonly number[], max: number) =>
    thinned(rows(...values), max, ({ value }) => value).map(({ at }) => at);

  test('is the whole curve if it has at most as many points as requested', () => {
    expect(kept([3, 1, 2, 9], 4)).toEqual([0, 1, 2, 3]);
    expect(kept([], 4)).toEqual([]);
  });

  test('else has the ends, and of each stretch the first lowest and the first highest point', () => {
    expect(kept([0, 5, 3, 9, 3, 9, 5, 0], 4)).toEqual([0, 2, 3, 7]);
    expect(kept([9, 5, 6, 7, 4, 5, 6, 1], 6)).toEqual([0, 1, 3, 4, 6, 7]);
    expect(kept([-9, 5, 6, 7, 9], 4)).toEqual([0, 1, 3, 4]);
  });
});
