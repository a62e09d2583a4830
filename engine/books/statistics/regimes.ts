import type { DailyReturn } from './daily-returns.ts';
import { deviation, median } from './moments.ts';

/** Regimes of a day, by the market of the week before. */
export const REGIMES = [
  'rising_calm',
  'rising_volatile',
  'falling_calm',
  'falling_volatile',
  'unknown',
] as const;
export type Regime = (typeof REGIMES)[number];

/** Days before a day by which it is judged. Its own return is unknown at its beginning. */
const LOOK_BACK_DAYS = 7;

/**
 * Returns the regime of each UTC day with seven days of the market before it. `rising`: their returns compound to 0 or more.
 * `volatile`: their deviation is above the median of all these days. Other days are in no regime. Pure.
 *
 * @param market its daily returns, one for each day from the first to the last.
 */
export function regimesByDay(market: readonly DailyReturn[]): ReadonlyMap<number, Regime> {
  const weeks = market.slice(LOOK_BACK_DAYS).map(({ day }, index) => {
    const before = market.slice(index, index + LOOK_BACK_DAYS).map(({ value }) => value);
    const growth = before.reduce((worth, value) => worth * (1 + value), 1);
    return { day, trend: growth >= 1 ? 'rising' : 'falling', deviation: deviation(before) } as const;
  });
  if (weeks.length === 0) return new Map();
  const usual = median(weeks.map((week) => week.deviation));
  return new Map(
    weeks.map((week) => [week.day, `${week.trend}_${week.deviation > usual ? 'volatile' : 'calm'}`]),
  );
}
