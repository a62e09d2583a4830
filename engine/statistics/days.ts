import { deviation, mean, sum, VARIANCE_FLOOR } from './moments.ts';
import { none, type Ratio, ratio } from './ratio.ts';

const DAY_MS = 86_400_000;
/** These markets trade every day. */
export const DAYS_A_YEAR = 365;

/** What an account is worth at one instant: cash and what is held at its mark, USD. */
export type EquityPoint = { readonly atMs: number; readonly equity: string };

/** The UTC day of a point, counted from 1970. What is known at midnight belongs to the day that ends there. */
export const dayOf = (atMs: number): number => Math.floor((atMs - 1) / DAY_MS);

/** What one UTC day made of what there was at its beginning. */
export type DailyReturn = { readonly day: number; readonly value: number };

/**
 * The return of each UTC day from that of the first point to that of the last: its last equity over that of the day before,
 * the first over `start`. A day without a point returns nothing. The product of all is the whole return. Points are added in
 * order of time, and none is kept.
 */
export class Days {
  readonly #closed: DailyReturn[] = [];
  #before: number;
  #current: { day: number; equity: number } | null = null;

  constructor(start: string) {
    this.#before = Number(start);
  }

  add({ atMs, equity }: EquityPoint): void {
    const day = dayOf(atMs);
    if (this.#current !== null && this.#current.day !== day) {
      const { day: last } = this.#current;
      this.#before = this.#push(this.#current);
      for (let idle = last + 1; idle < day; idle++) this.#closed.push({ day: idle, value: 0 });
    }
    this.#current = { day, equity: Number(equity) };
  }

  /** The last day as far as it has come. */
  returns(): readonly DailyReturn[] {
    return this.#current === null ? this.#closed : [...this.#closed, this.#returnOf(this.#current)];
  }

  #push(day: { day: number; equity: number }): number {
    this.#closed.push(this.#returnOf(day));
    return day.equity;
  }

  #returnOf({ day, equity }: { day: number; equity: number }): DailyReturn {
    return { day, value: this.#before === 0 ? 0 : equity / this.#before - 1 };
  }
}

export type MonthlyReturn = {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly value: number;
  /** Not every day of the month lies between the first and the last point. */
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

/** The riskless return of one day, of that of a year. */
export const dailyRate = (yearly: number): number => (1 + yearly) ** (1 / DAYS_A_YEAR) - 1;

/** The deviation of daily returns, for a year. */
export const volatility = (returns: readonly number[]): Ratio =>
  returns.length < 2 ? none('too_few') : ratio(deviation(returns) * Math.sqrt(DAYS_A_YEAR), 'too_few');

/** Sharpe's ratio of one day: what daily returns bring above `riskFree` (of a day) for each unit of deviation. */
export function dailySharpe(returns: readonly number[], riskFree = 0): Ratio {
  if (returns.length < 2) return none('too_few');
  const spread = deviation(returns);
  return spread < VARIANCE_FLOOR
    ? none('zero_variance')
    : ratio((mean(returns) - riskFree) / spread, 'zero_variance');
}

/** {@link dailySharpe} for a year. */
export function sharpe(returns: readonly number[], riskFree = 0): Ratio {
  const daily = dailySharpe(returns, riskFree);
  return daily.value === null ? daily : ratio(daily.value * Math.sqrt(DAYS_A_YEAR), 'zero_variance');
}

/** As Sharpe's, but only what falls short of `riskFree` counts as risk, over all days. */
export function sortino(returns: readonly number[], riskFree = 0): Ratio {
  if (returns.length < 2) return none('too_few');
  const short = Math.sqrt(sum(returns.map((value) => Math.min(value - riskFree, 0) ** 2)) / returns.length);
  return short < VARIANCE_FLOOR
    ? none('no_downside')
    : ratio(((mean(returns) - riskFree) / short) * Math.sqrt(DAYS_A_YEAR), 'no_downside');
}
