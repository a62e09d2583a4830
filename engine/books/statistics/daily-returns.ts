import { deviation, mean, sum, VARIANCE_FLOOR } from './moments.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';

const DAY_MS = 86_400_000;
/** These markets trade every day. */
export const DAYS_A_YEAR = 365;

/** The value of an account at one instant: cash and holdings at their marks, USD. */
export type EquityPoint = {
  readonly atMs: number;
  readonly equity: string;
  /** Money brought in since the point before, negative where it was taken out. It is part of `equity` and was not earned. */
  readonly flow?: string;
};

/** The UTC day of a point, counted from 1970. A value at midnight belongs to the day that ends there. */
export const dayOf = (atMs: number): number => Math.floor((atMs - 1) / DAY_MS);

/** The return of one UTC day on the equity at its beginning. */
export type DailyReturn = { readonly day: number; readonly value: number };

/** A span within one day: its starting equity, and the day's return before it, as a factor. */
type Stretch = {
  readonly day: number;
  from: number;
  factor: number;
  equity: number;
};

/**
 * The return of each UTC day from the first point to the last: its last equity over that of the day before, the first over
 * `start`. Money brought in or taken out ends a span, so that it is no return (time-weighted). A day without a point returns
 * nothing. The product of all is the whole return. Points are added in order of time, and none is stored.
 */
export class DailyReturns {
  readonly #closed: DailyReturn[] = [];
  #before: number;
  #current: Stretch | null = null;

  constructor(start: string) {
    this.#before = Number(start);
  }

  /** @param equity that of the point, if it is a number already. */
  add({ atMs, equity: text, flow }: EquityPoint, equity = Number(text)): void {
    const day = dayOf(atMs);
    if (this.#current !== null && this.#current.day !== day) this.#close(this.#current, day);
    this.#current ??= { day, from: this.#before, factor: 1, equity: this.#before };
    const { from, factor } = this.#current;
    this.#current.equity = equity;
    const brought = flow === undefined ? 0 : Number(flow);
    if (brought === 0) return;
    this.#current.factor = factor * growthOf(from, equity - brought);
    this.#current.from = equity;
  }

  /** Returns all days, the last one up to its newest point. */
  returns(): readonly DailyReturn[] {
    return this.#current === null ? this.#closed : [...this.#closed, returnOf(this.#current)];
  }

  #close(stretch: Stretch, until: number): void {
    this.#closed.push(returnOf(stretch));
    for (let idle = stretch.day + 1; idle < until; idle++) this.#closed.push({ day: idle, value: 0 });
    this.#before = stretch.equity;
    this.#current = null;
  }
}

const returnOf = ({ day, from, factor, equity }: Stretch): DailyReturn => ({
  day,
  value: factor * growthOf(from, equity) - 1,
});

/** Nothing grows to nothing. */
const growthOf = (from: number, to: number): number => (from === 0 ? 1 : to / from);

/** Returns the days that a span covers from midnight to midnight: the return of an hour is not that of a day. */
export const wholeDays = <Day extends DailyReturn>(
  days: readonly Day[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Day[] => days.filter(({ day }) => day * DAY_MS >= fromMs && (day + 1) * DAY_MS <= toMs);

export type MonthlyReturn = {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly value: number;
  /** Some days of the month lie outside the first and the last point. */
  readonly isPartial: boolean;
};

/** The compounded return of each UTC month, oldest first. */
export function monthlyReturns(days: readonly DailyReturn[]): MonthlyReturn[] {
  const byMonth = Map.groupBy(days, ({ day }) => new Date(day * DAY_MS).toISOString().slice(0, 7));
  return [...byMonth].map(([month, ofMonth]) => ({
    month,
    value: ofMonth.reduce((product, { value }) => product * (1 + value), 1) - 1,
    isPartial: ofMonth.length < daysIn(month),
  }));
}

function daysIn(month: string): number {
  const [year = 0, ofYear = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, ofYear, 0)).getUTCDate();
}

/** Converts a yearly riskless return to that of one day. */
export const dailyRate = (yearly: number): number => (1 + yearly) ** (1 / DAYS_A_YEAR) - 1;

/** The deviation of daily returns, annualized. */
export const volatility = (returns: readonly number[]): Ratio =>
  returns.length < 2
    ? missingRatio('too_few')
    : ratio(deviation(returns) * Math.sqrt(DAYS_A_YEAR), 'too_few');

/** The Sharpe ratio of one day: the mean daily return above `riskFree` (of a day) for each unit of deviation. */
export function dailySharpe(returns: readonly number[], riskFree = 0): Ratio {
  if (returns.length < 2) return missingRatio('too_few');
  const spread = deviation(returns);
  return spread < VARIANCE_FLOOR
    ? missingRatio('zero_variance')
    : ratio((mean(returns) - riskFree) / spread, 'zero_variance');
}

/** {@link dailySharpe}, annualized. */
export function sharpe(returns: readonly number[], riskFree = 0): Ratio {
  const daily = dailySharpe(returns, riskFree);
  return daily.value === null ? daily : ratio(daily.value * Math.sqrt(DAYS_A_YEAR), 'zero_variance');
}

/** The Sharpe ratio of the {@link ROLLING_DAYS} that end with a day; null if nothing moved in them. */
export type RollingSharpe = {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly value: number | null;
};

const ROLLING_DAYS = 30;
/** Beyond this number every nth day is listed, so that a stored result stays small. */
const ROLLING_MAX = 60;

/**
 * Returns the Sharpe ratio of the last thirty days, day by day to the newest; empty before there are thirty.
 *
 * @param riskFree of a day.
 */
export function rollingSharpe(days: readonly DailyReturn[], riskFree: number): RollingSharpe[] {
  const ends = days.slice(ROLLING_DAYS - 1);
  const step = Math.ceil(ends.length / ROLLING_MAX);
  return ends.flatMap(({ day }, index) => {
    if ((ends.length - 1 - index) % step !== 0) return [];
    const window = days.slice(index, index + ROLLING_DAYS).map(({ value }) => value);
    return [
      { day: new Date(day * DAY_MS).toISOString().slice(0, 10), value: sharpe(window, riskFree).value },
    ];
  });
}

/** As the Sharpe ratio, but only returns below `riskFree` count as risk, over all days. */
export function sortino(returns: readonly number[], riskFree = 0): Ratio {
  if (returns.length < 2) return missingRatio('too_few');
  const short = Math.sqrt(sum(returns.map((value) => Math.min(value - riskFree, 0) ** 2)) / returns.length);
  return short < VARIANCE_FLOOR
    ? missingRatio('no_downside')
    : ratio(((mean(returns) - riskFree) / short) * Math.sqrt(DAYS_A_YEAR), 'no_downside');
}
