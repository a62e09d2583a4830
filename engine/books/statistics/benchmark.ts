import { DAYS_A_YEAR, type DailyReturn, wholeDays } from './daily-returns.ts';
import { deviation, mean, sum, VARIANCE_FLOOR } from './moments.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';

/** Daily returns beside those of a benchmark. */
export type BenchmarkFigures = {
  /** The whole return of the benchmark. */
  readonly totalReturn: Ratio;
  /** The return of a year that beta does not explain. */
  readonly alpha: Ratio;
  readonly beta: Ratio;
  readonly correlation: Ratio;
  /** The yearly deviation of the difference of both. */
  readonly trackingError: Ratio;
  /** The yearly difference over {@link trackingError}. */
  readonly informationRatio: Ratio;
  /** The mean return over the benchmark's, of the days on which that rose. */
  readonly upCapture: Ratio;
  /** Likewise, of the days on which it fell. */
  readonly downCapture: Ratio;
};

const ALWAYS = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };

/**
 * Compares the days that both have, and that lie in the span as a whole. The return of the benchmark is of all that both have.
 *
 * @param riskFree of a day.
 */
export function benchmarkFiguresOf(
  own: readonly DailyReturn[],
  benchmark: readonly DailyReturn[],
  riskFree: number,
  span: { readonly fromMs: number; readonly toMs: number } = ALWAYS,
): BenchmarkFigures {
  const byDay = new Map(benchmark.map(({ day, value }) => [day, value]));
  const both = own.flatMap(({ day, value }) => {
    const market = byDay.get(day);
    return market === undefined ? [] : [{ day, value, market }];
  });
  const days = wholeDays(both, span);
  const values = days.map(({ value }) => value);
  const market = days.map((each) => each.market);
  const gaps = days.map((each) => each.value - each.market);
  const isShort = days.length < 2;
  const [spread, marketSpread, error] = isShort
    ? [0, 0, 0]
    : ([values, market, gaps].map(deviation) as [number, number, number]);
  const unless = (isFlat: boolean, value: () => number): Ratio =>
    isShort
      ? missingRatio('too_few')
      : isFlat
        ? missingRatio('zero_variance')
        : ratio(value(), 'zero_variance');
  const isFlat = marketSpread < VARIANCE_FLOOR;
  const covariance = () => {
    const [a, b] = [mean(values), mean(market)];
    return sum(days.map((each) => (each.value - a) * (each.market - b))) / (days.length - 1);
  };
  const beta = unless(isFlat, () => covariance() / marketSpread ** 2);
  const excess = (all: readonly number[]) => mean(all) - riskFree;
  return {
    totalReturn:
      both.length === 0
        ? missingRatio('too_few')
        : ratio(both.reduce((product, each) => product * (1 + each.market), 1) - 1, 'too_few'),
    alpha:
      beta.value === null
        ? beta
        : ratio((excess(values) - beta.value * excess(market)) * DAYS_A_YEAR, 'zero_variance'),
    beta,
    correlation: unless(isFlat || spread < VARIANCE_FLOOR, () => covariance() / (spread * marketSpread)),
    trackingError: unless(false, () => error * Math.sqrt(DAYS_A_YEAR)),
    informationRatio: unless(error < VARIANCE_FLOOR, () => (mean(gaps) / error) * Math.sqrt(DAYS_A_YEAR)),
    upCapture: captureOf(days.filter((each) => each.market > 0)),
    downCapture: captureOf(days.filter((each) => each.market < 0)),
  };
}

const captureOf = (days: readonly { readonly value: number; readonly market: number }[]): Ratio =>
  days.length === 0
    ? missingRatio('too_few')
    : ratio(sum(days.map(({ value }) => value)) / sum(days.map(({ market }) => market)), 'too_few');
