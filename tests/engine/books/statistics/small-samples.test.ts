/** Figures that say whether there is enough of something to conclude from it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DailyReturn,
  dailySharpe,
  rollingSharpe,
  sharpe,
} from '../../../../engine/books/statistics/daily-returns.ts';
import {
  minTrackRecord,
  probabilisticSharpe,
  sharpeError,
} from '../../../../engine/books/statistics/overfitting.ts';
import { reliabilityOf } from '../../../../engine/books/statistics/reliability.ts';
import { StatisticsRecorder } from '../../../../engine/books/statistics/statistics.ts';
import { TradeTotals } from '../../../../engine/books/statistics/trade-figures.ts';
import type { Trade } from '../../../../engine/books/statistics/trade-tracker.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 0, 1);
const none = (reason: string) => ({ value: null, reason });

describe('the minimum track record', () => {
  const trackRecord = (returns: readonly number[]) => {
    const daily = dailySharpe(returns);
    return minTrackRecord(daily, sharpeError(returns, daily), returns.length);
  };

  test('is reached by exactly those days that show a ratio above zero with 95 % confidence', () => {
    const returns = fc.array(fc.integer({ min: -90, max: 100 }), { minLength: 3, maxLength: 300 });
    fc.assert(
      fc.property(returns, (points) => {
        const days = points.map((point) => point / 10_000);
        const [needed, sure] = [trackRecord(days).value, probabilisticSharpe(days).value];
        if (needed === null || sure === null || Math.abs(needed - days.length) < 1e-6) return;
        expect(days.length >= needed).toBe(sure >= 0.95);
      }),
      { numRuns: 500 },
    );
  });

  test('of normal returns with a yearly ratio of 1 is near three years, and of a ratio of 2 a quarter of that', () => {
    // 1 + (1 + SR²/2) (1.6449 / SR)², with SR² = 1/365 of a day: the formula by hand.
    const error = (daily: number) => ({ value: Math.sqrt((1 + daily ** 2 / 2) / 99) });
    const days = (yearly: number) => {
      const daily = yearly / Math.sqrt(365);
      return minTrackRecord({ value: daily }, error(daily), 100).value;
    };
    expect(days(1)).toBeCloseTo(1 + (1 + 1 / 730) * 2.705_543_454 * 365, 3);
    expect(days(2)).toBeCloseTo(1 + (1 + 4 / 730) * 2.705_543_454 * (365 / 4), 3);
  });

  test('does not exist for a ratio of zero or less, however long: the reason is not a lack of days', () => {
    expect(trackRecord([0.01, -0.02, -0.01])).toEqual(none('no_gain'));
    expect(trackRecord([0.01, -0.01])).toEqual(none('no_gain'));
    expect(trackRecord([0.01])).toEqual(none('too_few'));
    expect(trackRecord([0.01, 0.01])).toEqual(none('zero_variance'));
  });
});

describe('a row of losses or wins', () => {
  /** Trades of one USD, won where a character is `w`, flat where it is `f`. */
  const figuresOf = (results: string) => {
    const totals = new TradeTotals();
    for (const [index, result] of [...results].entries()) {
      const pnl = result === 'w' ? '1' : result === 'l' ? '-1' : '0';
      totals.add({ pnl, fees: '0', bought: '10', openedAtMs: index, closedAtMs: index + 1 } as Trade);
    }
    return totals.figures();
  };

  test('of five heads in a hundred tosses of a coin has the chance that a count of all orders gives', () => {
    // Orders of n tosses without five heads in a row: each ends in 0 to 4 heads after a tail, so it is the sum of the five before.
    const without = [1n, 2n, 4n, 8n, 16n];
    while (without.length <= 100) without.push(without.slice(-5).reduce((all, each) => all + each));
    const chance = 1 - Number(((without[100] ?? 0n) * 10n ** 15n) / 2n ** 100n) / 1e15;
    const { wins, losses, winsInARowMax, winsInARowChance } = figuresOf(`wwwww${'lw'.repeat(45)}lllll`);
    expect([wins, losses, winsInARowMax]).toEqual([50, 50, 5]);
    expect(winsInARowChance.value).toBeCloseTo(chance, 12);
    expect(chance).toBeCloseTo(0.8101, 4);
  });

  test('is unknown of few trades, and of trades that all ended alike', () => {
    expect(figuresOf('').winsInARowChance).toEqual(none('no_trades'));
    expect(figuresOf('wl'.repeat(14)).winsInARowChance).toEqual(none('too_few'));
    expect(figuresOf('w').lossesInARowChance).toEqual(none('no_losses')); // more wins would not help
    expect(figuresOf('w'.repeat(30)).winsInARowChance).toEqual(none('no_losses'));
    expect(figuresOf('w'.repeat(30)).lossesInARowChance).toEqual(none('no_losses'));
    expect(figuresOf('l'.repeat(30)).winsInARowChance).toEqual(none('no_wins'));
    expect(figuresOf('f'.repeat(30)).winsInARowChance).toEqual(none('no_wins'));
  });

  test('the five best trades make more than all together if the others lost, and of five there are no others', () => {
    expect(figuresOf('wwwwwwl').bestFiveShare).toEqual({ value: 1 });
    expect(figuresOf('wwwwwwll').bestFiveShare).toEqual({ value: 5 / 4 });
    expect(figuresOf('wwwll').bestFiveShare).toEqual(none('too_few'));
    expect(figuresOf('l').bestFiveShare).toEqual(none('no_gain'));
    expect(figuresOf('wwwlll').bestFiveShare).toEqual(none('no_gain'));
  });
});

test('intervals of outcomes are those that Newcombe (1998) lists for the score method', () => {
  const interval = (wins: number, count: number) => {
    const all = Array.from({ length: count }, (_, index) => ({
      stated: 0.25,
      outcome: index < wins ? 1 : 0,
    }));
    const found = reliabilityOf(all)[2]?.interval;
    return [found?.low.toFixed(4), found?.high.toFixed(4)];
  };
  expect(interval(81, 263)).toEqual(['0.2553', '0.3662']);
  expect(interval(15, 148)).toEqual(['0.0624', '0.1605']);
  expect(interval(0, 20)).toEqual(['0.0000', '0.1611']);
  expect(interval(1, 29)).toEqual(['0.0061', '0.1718']);
  expect(reliabilityOf([])[2]).toMatchObject({ count: 0, interval: null, meanOutcome: none('no_trades') });
});

describe('days that a span covers in part', () => {
  const of = (fromMs: number, toMs: number) => {
    const recorder = new StatisticsRecorder({ fromMs, toMs, start: '1000' });
    for (let at = fromMs + 6 * HOUR, step = 0; at <= toMs; at += 6 * HOUR, step++)
      recorder.point({ atMs: at, equity: String(1000 + 7 * ((step * 5) % 11) + step), held: '0' });
    return recorder;
  };

  test('are in the return, and in no daily figure; their number is stated', () => {
    const [fromMs, toMs] = [FROM + 15 * HOUR, FROM + 12 * DAY + 3 * HOUR];
    const recorder = of(fromMs, toMs);
    const days = recorder.dailyReturns();
    const whole = days.slice(1, -1).map(({ value }) => value);
    const { risk, totalReturn, ...figures } = recorder.statistics();
    expect([days.length, risk.days, risk.partialDays]).toEqual([13, 11, 2]);
    expect(figures.sharpe).toEqual(sharpe(whole));
    expect(totalReturn.value).toBeCloseTo(days.reduce((all, { value }) => all * (1 + value), 1) - 1, 12);
  });

  test('a span from midnight to midnight has none, and one of a few hours nothing but them', () => {
    expect(of(FROM, FROM + 9 * DAY).statistics().risk).toMatchObject({ days: 9, partialDays: 0 });
    const short = of(FROM + HOUR, FROM + 20 * HOUR).statistics();
    expect(short.risk).toMatchObject({ days: 0, partialDays: 1, sharpeInMarket: none('too_few') });
    expect([short.sharpe, short.volatility]).toEqual([none('too_few'), none('too_few')]);
  });
});

test('the rolling ratio ends with the newest day, has 60 values at most, and none where nothing moved', () => {
  const days = (count: number): DailyReturn[] =>
    Array.from({ length: count }, (_, day) => ({ day, value: day < 40 ? 0 : Math.sin(day) / 50 }));
  expect(rollingSharpe(days(29), 0)).toEqual([]);
  const [first, ...rest] = rollingSharpe(days(31), 0);
  expect([first, rest.length]).toEqual([{ day: '1970-01-30', value: null }, 1]);
  const long = rollingSharpe(days(1_000), 0);
  expect(long.length).toBeLessThanOrEqual(60);
  expect(long.at(-1)).toEqual({
    day: new Date(999 * DAY).toISOString().slice(0, 10),
    value: sharpe(
      days(1_000)
        .slice(-30)
        .map(({ value }) => value),
    ).value,
  });
});
