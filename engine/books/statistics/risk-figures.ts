import { DAYS_A_YEAR, dailySharpe } from './daily-returns.ts';
import { centralMoment, deviation, mean, sum, VARIANCE_FLOOR } from './moments.ts';
import { minTrackRecord, sharpeError } from './overfitting.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';

/** Figures of daily returns that say how sure the others are, and how bad a bad day is. */
export type RiskFigures = {
  /** The days that these figures are of. */
  readonly days: number;
  /** The standard error of the yearly Sharpe ratio. */
  readonly sharpeError: Ratio;
  /** The days after which such returns would show a Sharpe ratio above zero with 95 % confidence. */
  readonly minTrackRecordDays: Ratio;
  /** Correlation of the returns of two days that follow each other. */
  readonly autocorrelation: Ratio;
  /** The yearly Sharpe ratio if each day carries this part of the day before over (Lo 2002). */
  readonly sharpeAdjusted: Ratio;
  readonly skewness: Ratio;
  /** 3 for a normal distribution. */
  readonly kurtosis: Ratio;
  /** The loss that 95 of 100 days stay within; below zero if such a day still gains. */
  readonly valueAtRisk: Ratio;
  /** The mean loss of the days that lose {@link valueAtRisk} or more. */
  readonly expectedShortfall: Ratio;
  /** The sum of the gains over that of the losses. */
  readonly omega: Ratio;
  /** The gain that 5 of 100 days reach over the loss that 5 of 100 days reach. */
  readonly tailRatio: Ratio;
  /** The square root of the mean squared fall below the highest day before. */
  readonly ulcer: Ratio;
};

const TAIL = 0.05;
/** The fewest days with one in the tail. */
const TAIL_DAYS_MIN = 1 / TAIL;

/** @param riskFree of a day. */
export function riskFiguresOf(returns: readonly number[], riskFree: number): RiskFigures {
  const yearly = Math.sqrt(DAYS_A_YEAR);
  const seen = dailySharpe(returns, riskFree);
  const error = sharpeError(returns, seen);
  const autocorrelation = seen.value === null ? seen : autocorrelationOf(returns);
  return {
    days: returns.length,
    sharpeError: error.value === null ? error : ratio(error.value * yearly, 'zero_variance'),
    minTrackRecordDays: minTrackRecord(seen, error, returns.length),
    autocorrelation,
    sharpeAdjusted: adjusted(seen, autocorrelation),
    skewness: standardMoment(returns, 3),
    kurtosis: standardMoment(returns, 4),
    ...tailsOf(returns),
    omega: omegaOf(returns),
    ulcer: ulcerOf(returns),
  };
}

function autocorrelationOf(returns: readonly number[]): Ratio {
  const middle = mean(returns);
  const products = returns.slice(1).map((value, day) => (value - middle) * ((returns[day] ?? 0) - middle));
  return ratio(sum(products) / sum(returns.map((value) => (value - middle) ** 2)), 'zero_variance');
}

/** Days that follow each other in the same direction make a year riskier than `√365` days. */
function adjusted(daily: Ratio, autocorrelation: Ratio): Ratio {
  if (daily.value === null || autocorrelation.value === null) return daily;
  let variance = DAYS_A_YEAR;
  for (let lag = 1; lag < DAYS_A_YEAR; lag++)
    variance += 2 * (DAYS_A_YEAR - lag) * autocorrelation.value ** lag;
  return ratio((daily.value * DAYS_A_YEAR) / Math.sqrt(variance), 'zero_variance');
}

function standardMoment(returns: readonly number[], power: number): Ratio {
  if (returns.length < 2) return missingRatio('too_few');
  return deviation(returns) < VARIANCE_FLOOR
    ? missingRatio('zero_variance')
    : ratio(centralMoment(returns, power) / centralMoment(returns, 2) ** (power / 2), 'zero_variance');
}

function tailsOf(
  returns: readonly number[],
): Pick<RiskFigures, 'valueAtRisk' | 'expectedShortfall' | 'tailRatio'> {
  if (returns.length < TAIL_DAYS_MIN) {
    const none = missingRatio('too_few');
    return { valueAtRisk: none, expectedShortfall: none, tailRatio: none };
  }
  const sorted = returns.toSorted((a, b) => a - b);
  const count = Math.ceil(sorted.length * TAIL);
  const worst = sorted.slice(0, count);
  const [low, high] = [worst.at(-1) ?? 0, sorted.at(-count) ?? 0];
  return {
    valueAtRisk: ratio(-low, 'too_few'),
    expectedShortfall: ratio(-mean(worst), 'too_few'),
    tailRatio: -low < VARIANCE_FLOOR ? missingRatio('no_downside') : ratio(high / -low, 'no_downside'),
  };
}

function omegaOf(returns: readonly number[]): Ratio {
  if (returns.length === 0) return missingRatio('too_few');
  const lost = sum(returns.map((value) => Math.max(0, -value)));
  return lost < VARIANCE_FLOOR
    ? missingRatio('no_downside')
    : ratio(sum(returns.map((value) => Math.max(0, value))) / lost, 'no_downside');
}

function ulcerOf(returns: readonly number[]): Ratio {
  if (returns.length === 0) return missingRatio('too_few');
  let [value, peak] = [1, 1];
  const falls = returns.map((each) => {
    value *= 1 + each;
    peak = Math.max(peak, value);
    return (1 - value / peak) ** 2;
  });
  return ratio(Math.sqrt(mean(falls)), 'too_few');
}
