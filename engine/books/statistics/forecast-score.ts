import { deviation, mean, VARIANCE_FLOOR } from './moments.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';
import { type ReliabilityBin, reliabilityOf } from './reliability.ts';

/** A contract held until it settled: the strategy's probability and the market's when it was entered, and the outcome. */
export type Forecast = { readonly own: number; readonly market: number; readonly outcome: number };

/** How good forecasts were beside those of the market at the same instants. */
export type ForecastScore = {
  readonly count: number;
  /** The mean square of probability minus outcome. */
  readonly brier: Ratio;
  readonly marketBrier: Ratio;
  /** `1 − brier / marketBrier`: above 0 the strategy knew more than the market. */
  readonly skill: Ratio;
  /** The mean of `−ln` of the probability that was given to what happened. */
  readonly logScore: Ratio;
  readonly marketLogScore: Ratio;
  /** The mean difference of squared errors over its standard error: above 2, {@link skill} is hardly luck. */
  readonly skillT: Ratio;
  /** The strategy's probabilities beside what happened. */
  readonly bins: readonly ReliabilityBin[];
};

export function forecastScoreOf(forecasts: readonly Forecast[]): ForecastScore {
  const squares = (of: 'own' | 'market') => forecasts.map((each) => (each[of] - each.outcome) ** 2);
  const [own, market] = [squares('own'), squares('market')];
  const [brier, marketBrier] = [meanOf(own), meanOf(market)];
  return {
    count: forecasts.length,
    brier,
    marketBrier,
    skill:
      brier.value === null || !marketBrier.value
        ? unlessNone(forecasts)
        : ratio(1 - brier.value / marketBrier.value, 'zero_variance'),
    logScore: meanOf(forecasts.map(({ own: given, outcome }) => logLoss(given, outcome))),
    marketLogScore: meanOf(forecasts.map(({ market: given, outcome }) => logLoss(given, outcome))),
    skillT: tOf(market.map((square, index) => square - (own[index] ?? 0))),
    bins: reliabilityOf(forecasts.map(({ own: stated, outcome }) => ({ stated, outcome }))),
  };
}

const unlessNone = (forecasts: readonly Forecast[]): Ratio =>
  missingRatio(forecasts.length === 0 ? 'no_trades' : 'zero_variance');

const meanOf = (values: readonly number[]): Ratio =>
  values.length === 0 ? missingRatio('no_trades') : ratio(mean(values), 'zero_variance');

/** Infinite, and so without a mean, if what happened had been called impossible. */
const logLoss = (given: number, outcome: number): number =>
  (outcome === 0 ? 0 : -outcome * Math.log(given)) -
  (outcome === 1 ? 0 : (1 - outcome) * Math.log(1 - given));

function tOf(gains: readonly number[]): Ratio {
  if (gains.length < 2) return missingRatio(gains.length === 0 ? 'no_trades' : 'too_few');
  const spread = deviation(gains);
  return spread < VARIANCE_FLOOR
    ? missingRatio('zero_variance')
    : ratio((mean(gains) / spread) * Math.sqrt(gains.length), 'zero_variance');
}
