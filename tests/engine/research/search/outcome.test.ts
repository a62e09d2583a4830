import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mean } from '../../../../engine/books/statistics/moments.ts';
import { deflatedSharpe, probabilityOfOverfitting } from '../../../../engine/books/statistics/overfitting.ts';
import { outcomeOf } from '../../../../engine/research/search/outcome.ts';
import { rankTrials } from '../../../../engine/research/search/ranking.ts';
import { OBJECTIVES } from '../../../../engine/research/search/request.ts';
import type { Trial } from '../../../../engine/research/search/trial.ts';
import { noise, sharpesOf, spaceWith, trialOf } from './trials.ts';

const SHARPE = { statistic: 'sharpe', minTrades: 30 } as const;
const outcome = (trials: readonly Trial[], counts: readonly number[], trialsEver = trials.length) =>
  outcomeOf({ space: spaceWith(...counts), objective: SHARPE }, { trials, trialsEver, walkForward: null });
const codes = (...args: Parameters<typeof outcome>) => outcome(...args).verdicts.map(({ code }) => code);
/** Days with about this ratio a day, which chance does not explain. */
const steady = (mean: number, days = 400) =>
  Array.from({ length: days }, (_, day) => mean + (day % 2 ? 0.01 : -0.01));

describe('the best trial', () => {
  test('has the highest objective; among equals the smaller drawdown, then the earlier trial', () => {
    const of = (value: number, maxDrawdown: number) =>
      trialOf([0], steady(0.001), { sharpe: { value }, maxDrawdown });
    const trials = [of(1, 0.3), of(2, 0.3), of(2, 0.2), of(2, 0.2)];
    expect(rankTrials(trials, SHARPE).map(({ trial }) => trials.indexOf(trial))).toEqual([2, 3, 1, 0]);
  });

  test('does not exist if trials have too few trades or no objective', () => {
    const few = trialOf([0], steady(0.001), { closed: 29 });
    const still = trialOf([1], steady(0), { sharpe: { value: null, reason: 'zero_variance' } });
    expect(outcome([few, still], [2])).toMatchObject({
      best: null,
      verdicts: [{ code: 'no_best', severity: 'danger' }],
    });
  });

  test('always comes with the share of luck, whatever the trials are', () => {
    const days = fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 32, maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(days, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...OBJECTIVES),
        (series, statistic) => {
          const length = Math.min(...series.map((returns) => returns.length));
          const trials = series.map((returns, place) => trialOf([place], returns.slice(0, length)));
          const { best } = outcomeOf(
            { space: spaceWith(series.length), objective: { statistic, minTrades: 0 } },
            { trials, trialsEver: trials.length, walkForward: null },
          );
          if (best === null) return;
          expect(best.figures.totalReturn).toBeDefined();
          for (const figure of [best.deflatedSharpe, best.probabilityOfOverfitting]) {
            if (figure.value === null) expect(figure.reason).toMatch(/^[a-z_]+$/);
            else expect(figure.value >= 0 && figure.value <= 1).toBe(true);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('is deflated by all trials ever made on its blueprint and range, not only by these', () => {
    const draw = noise(3);
    const trials = Array.from({ length: 5 }, (_, place) => trialOf([place], draw(250, 0.01, 0.0005)));
    const [alone, among] = [outcome(trials, [5]).best, outcome(trials, [5], 500).best];
    expect(among?.deflatedSharpe.value).toBeLessThan(alone?.deflatedSharpe.value ?? 0);
  });
});

describe('a warning is shown', () => {
  const around = (scores: readonly number[]) =>
    scores.map((value, place) => trialOf([place], steady(0.004 + value / 1e6), { sharpe: { value } }));

  test('for nothing, if a good trial lies in the middle of good ones', () => {
    const draw = noise(8);
    const trials = [1.8, 1.9, 2, 1.9, 1.8].map((value, place) =>
      trialOf(
        [place],
        steady(value / 200).map((day, at) => day + (draw(1, 0.0001)[0] ?? 0) * (at % 3)),
        { sharpe: { value } },
      ),
    );
    expect(codes(trials, [5])).toEqual([]);
  });

  test('if the best lies at an edge, and which; a dimension of two values has none', () => {
    expect(codes(around([1, 2, 3]), [3])).toContain('best_at_edge');
    expect(codes(around([2, 3, 1]), [3])).not.toContain('best_at_edge');
    expect(codes(around([2, 3]), [2])).not.toContain('best_at_edge');
    const [verdict] = outcome(around([1, 2, 3]), [3]).verdicts.filter(({ code }) => code === 'best_at_edge');
    expect(verdict?.message).toContain('/nodes/0/data/config/value');
  });

  test('if the best is an isolated peak', () => {
    expect(codes(around([0.4, 2, 0.9, 2]), [4])).toContain('isolated_peak');
    expect(codes(around([1.1, 2, 1.2]), [3])).not.toContain('isolated_peak');
  });

  test('if there are fewer than 30 trades, or fewer than ten a parameter', () => {
    const with_ = (closed: number, dimensions: number) =>
      outcomeOf(
        {
          space: spaceWith(...Array.from({ length: dimensions }, () => 2)),
          objective: { statistic: 'sharpe', minTrades: 0 },
        },
        {
          trials: [
            trialOf(
              Array.from({ length: dimensions }, () => 0),
              steady(0.004),
              { closed },
            ),
          ],
          trialsEver: 1,
          walkForward: null,
        },
      ).verdicts.map(({ code }) => code);
    expect(with_(29, 1)).toContain('few_trades');
    expect(with_(30, 3)).not.toContain('few_trades');
    expect(with_(30, 3)).not.toContain('many_parameters');
    expect(with_(30, 4)).toContain('many_parameters');
  });

  test('if one day made more than half of the profit', () => {
    const returns = (one: number) => [...steady(0.0001, 100), one];
    expect(codes([trialOf([0], returns(0.1))], [1])).toContain('one_day');
    expect(codes([trialOf([0], steady(0.004))], [1])).not.toContain('one_day');
    expect(codes([trialOf([0], returns(-0.1))], [1])).not.toContain('one_day');
  });

  test('in order of severity, and unknown results have one, too', () => {
    const { verdicts } = outcome([trialOf([0], steady(0.0001, 20))], [1]);
    expect(verdicts.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['deflated_sharpe', 'overfitting']),
    );
    const order = verdicts.map(({ severity }) => ['danger', 'warning', 'info'].indexOf(severity));
    expect(order).toEqual(order.toSorted());
  });
});

describe('row 44: noise', () => {
  test('of 100 sweeps of 200 random trials, at most 2 pass 95 % after deflation', () => {
    const draw = noise(44);
    let passed = 0;
    for (let sweep = 0; sweep < 100; sweep++) {
      const trials = Array.from({ length: 200 }, () => draw(250));
      const sharpes = sharpesOf(trials);
      const best = trials[sharpes.indexOf(Math.max(...sharpes))] ?? [];
      if ((deflatedSharpe(best, sharpes).value ?? 1) > 0.95) passed++;
    }
    expect(passed).toBeLessThanOrEqual(2);
  });

  test('of 30 sweeps of 40 trials the best of one half is below the middle of the other half of the time', () => {
    const draw = noise(45);
    const found = Array.from({ length: 30 }, () => {
      const trials = Array.from({ length: 40 }, () => draw(240));
      return probabilityOfOverfitting(trials, 8).value ?? Number.NaN;
    });
    expect(Math.abs(mean(found) - 0.5)).toBeLessThan(0.1);
  });

  test('the warning is shown, and disappears where there is an edge to find', { tags: ['long'] }, () => {
    const draw = noise(46);
    const known = Array.from({ length: 9 }, (_, place) =>
      trialOf([place], draw(500, 0.01, 0.004 - Math.abs(place - 4) / 1_000)),
    );
    const warned = { deflated_sharpe: 0, overfitting: 0 };
    for (let sweep = 0; sweep < 20; sweep++) {
      const found = codes(
        Array.from({ length: 20 }, (_, place) => trialOf([place], draw(240))),
        [20],
      );
      if (found.includes('deflated_sharpe')) warned.deflated_sharpe++;
      if (found.includes('overfitting')) warned.overfitting++;
    }
    expect(warned.deflated_sharpe).toBeGreaterThanOrEqual(19);
    expect(warned.overfitting).toBeGreaterThanOrEqual(15);
    expect(codes(known, [9]).filter((code) => ['deflated_sharpe', 'overfitting'].includes(code))).toEqual([]);
  });
});
