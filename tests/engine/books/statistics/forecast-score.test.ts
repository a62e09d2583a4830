import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forecastScoreOf } from '../../../../engine/books/statistics/forecast-score.ts';

const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const forecasts = fc.array(
  fc.record({ own: probability, market: probability, outcome: fc.constantFrom(0, 1) }),
  { minLength: 2, maxLength: 200 },
);

test('scores are those of a textbook loop', () => {
  fc.assert(
    fc.property(forecasts, (rows) => {
      let [own, market, ownLog, marketLog, gain] = [0, 0, 0, 0, 0];
      for (const row of rows) {
        own += (row.own - row.outcome) ** 2 / rows.length;
        market += (row.market - row.outcome) ** 2 / rows.length;
        ownLog -= Math.log(row.outcome === 1 ? row.own : 1 - row.own) / rows.length;
        marketLog -= Math.log(row.outcome === 1 ? row.market : 1 - row.market) / rows.length;
      }
      for (const row of rows)
        gain += ((row.market - row.outcome) ** 2 - (row.own - row.outcome) ** 2 - (market - own)) ** 2;
      const error = Math.sqrt(gain / (rows.length - 1) / rows.length);
      const seen = forecastScoreOf(rows);
      expect(seen.brier.value).toBeCloseTo(own, 9);
      expect(seen.marketBrier.value).toBeCloseTo(market, 9);
      expect(seen.skill.value).toBeCloseTo(1 - own / market, 6);
      expect(seen.logScore.value).toBeCloseTo(ownLog, 9);
      expect(seen.marketLogScore.value).toBeCloseTo(marketLog, 9);
      if (seen.skillT.value !== null && error > 1e-6)
        expect(seen.skillT.value * error).toBeCloseTo(market - own, 9);
    }),
    { numRuns: 200 },
  );
});

test('reliability puts each probability into its tenth, beside what happened there', () => {
  fc.assert(
    fc.property(forecasts, (rows) => {
      const { bins } = forecastScoreOf(rows);
      for (const [bin, { count, meanStated, meanOutcome, interval }] of bins.entries()) {
        const inside = rows.filter(({ own }) => own >= bin / 10 && own < (bin + 1) / 10);
        expect(count).toBe(inside.length);
        if (count === 0) continue;
        const happened = inside.filter(({ outcome }) => outcome === 1).length / count;
        expect(meanOutcome.value).toBeCloseTo(happened, 12);
        expect(meanStated.value).toBeCloseTo(
          inside.reduce((all, { own }) => all + own / count, 0),
          12,
        );
        // Both ends are where the distance to what happened is 1.96 of their own standard errors.
        for (const end of [interval?.low ?? 0, interval?.high ?? 0])
          if (end > 0 && end < 1)
            expect(Math.abs(happened - end) / Math.sqrt((end * (1 - end)) / count)).toBeCloseTo(1.959_964, 4);
      }
    }),
    { numRuns: 100 },
  );
});

test('a figure that cannot be known states why', () => {
  const none = forecastScoreOf([]);
  expect(none.brier).toEqual({ value: null, reason: 'no_trades' });
  expect(none.skill).toEqual({ value: null, reason: 'no_trades' });
  const sure = forecastScoreOf([{ own: 0, market: 0.2, outcome: 1 }]);
  expect(sure.logScore).toEqual({ value: null, reason: 'zero_variance' });
  expect(forecastScoreOf([{ own: 0.4, market: 1, outcome: 1 }]).skill).toMatchObject({
    reason: 'zero_variance',
  });
  const equal = Array.from({ length: 7 }, () => ({ own: 0.01, market: 0.13, outcome: 1 }));
  expect(forecastScoreOf(equal).skillT).toEqual({ value: null, reason: 'zero_variance' });
});
