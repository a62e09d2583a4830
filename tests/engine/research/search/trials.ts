/** Trials in the form of a sweep, without any market behind. */
import { dailySharpe, sharpe, sortino } from '../../../../engine/books/statistics/daily-returns.ts';
import { missingRatio } from '../../../../engine/books/statistics/ratio.ts';
import { Xoshiro } from '../../../../engine/books/statistics/xoshiro.ts';
import type { Space } from '../../../../engine/research/search/request.ts';
import type { Combination } from '../../../../engine/research/search/space.ts';
import type { Trial, TrialFigures } from '../../../../engine/research/search/trial.ts';

/** A trial with these daily returns. */
export function trialOf(
  combination: Combination,
  returns: readonly number[],
  figures: Partial<TrialFigures> = {},
): Trial {
  const factor = returns.reduce((product, value) => product * (1 + value), 1);
  return {
    combination,
    returns,
    resultHash: '0'.repeat(64),
    figures: {
      netProfit: String(1_000 * (factor - 1)),
      totalReturn: { value: factor - 1 },
      cagr: missingRatio('too_short'),
      sharpe: sharpe(returns),
      sortino: sortino(returns),
      calmar: missingRatio('too_short'),
      probabilisticSharpe: missingRatio('too_few'),
      profitFactor: { value: 1 },
      winRate: { value: 0.5 },
      expectancy: { value: 1 },
      sqn: { value: 1 },
      exposure: { value: 0.5 },
      maxDrawdown: 0.1,
      closed: 100,
      open: 0,
      denied: 0,
      fees: '0',
      finalEquity: String(1_000 * factor),
      heldMaxMs: 3_600_000,
      ...figures,
    },
  };
}

/** Normal numbers (Box and Muller), the same from the same seed. */
export function noise(seed: number): (count: number, deviation?: number, mean?: number) => number[] {
  const chance = new Xoshiro(seed);
  const share = () => (chance.next() + 0.5) / 2 ** 32;
  return (count, deviation = 0.01, mean = 0) =>
    Array.from(
      { length: count },
      () => mean + deviation * Math.sqrt(-2 * Math.log(share())) * Math.cos(2 * Math.PI * share()),
    );
}

/** A space with this number of values per dimension: 1, 2, 3, … */
export const spaceWith = (...counts: readonly number[]): Space => ({
  dimensions: counts.map((to, place) => ({
    pointer: `/nodes/${place}/data/config/value`,
    from: 1,
    to,
    step: 1,
  })),
  constraints: [],
});

export const sharpesOf = (trials: readonly (readonly number[])[]): number[] =>
  trials.map((returns) => dailySharpe(returns).value ?? Number.NaN);
