import type { Backtest } from '../../api/row-types.ts';
import { t } from '../../language/language.ts';
import { amount, fineShare, signedFineShare, signedShare } from '../number.ts';
import { type Figure, factor, valueOrNote } from './statistics.ts';

type Result = NonNullable<Backtest['result']>;
type Benchmark = NonNullable<Result['benchmark']>;
type Capacity = NonNullable<Result['capacity']>;
type Forecasts = NonNullable<Result['forecasts']>;

export const benchmarkFigures = (of: Benchmark): Figure[] => [
  {
    title: t('Benchmark return'),
    definition: t('The traded coins held in equal parts from the start, bought at the ask with the fee.'),
    ...valueOrNote(of.totalReturn, signedFineShare),
    sign: of.totalReturn.value ?? undefined,
  },
  {
    title: t('Alpha'),
    definition: t('The return of a year that the benchmark’s moves do not explain.'),
    ...valueOrNote(of.alpha, signedFineShare),
    sign: of.alpha.value ?? undefined,
  },
  {
    title: t('Beta'),
    definition: t('How far the strategy moves when the benchmark moves by 1.'),
    ...valueOrNote(of.beta, factor),
    ...(of.correlation.value !== null && {
      note: t('correlation {value}', { value: factor(of.correlation.value) }),
    }),
  },
  {
    title: t('Tracking error'),
    definition: t('Standard deviation of the difference of daily returns, annualized.'),
    ...valueOrNote(of.trackingError, fineShare),
  },
  {
    title: t('Information ratio'),
    definition: t('Average difference of returns divided by the tracking error.'),
    ...valueOrNote(of.informationRatio, factor),
  },
  {
    title: t('Up capture'),
    definition: t('Average return on days on which the benchmark rose, divided by the benchmark’s.'),
    ...valueOrNote(of.upCapture, factor),
  },
  {
    title: t('Down capture'),
    definition: t('The same for days on which the benchmark fell: lower is better.'),
    ...valueOrNote(of.downCapture, factor),
  },
];

/** Which part of the market's volume was taken. */
export const capacityFigures = (of: Capacity): Figure[] => [
  {
    title: t('Volume taken'),
    definition: t('Average share of a bar’s volume that fills of one side took, of the bars with a fill.'),
    note:
      of.unmeasured === 0
        ? t('of {bars, plural, one {# bar} other {# bars}}', { bars: of.bars })
        : t('{unmeasured, plural, one {# fill} other {# fills}} without a known volume', {
            unmeasured: of.unmeasured,
          }),
    ...valueOrNote(of.meanShare, fineShare),
  },
  {
    title: t('Most of one bar'),
    definition: t('The largest of these shares.'),
    ...valueOrNote(of.maxShare, fineShare),
  },
  {
    title: t('Room'),
    definition: t(
      'How many times larger all orders may be before the largest takes the share of a bar that the request allows.',
    ),
    ...valueOrNote(of.roomFactor, (value) => `${factor(value)}×`),
  },
];

const score = (value: number): string => amount(Math.round(value * 1_000) / 1_000);

export const forecastFigures = (of: Forecasts): Figure[] => [
  {
    title: t('Contracts'),
    definition: t('Contracts bought with a probability of the strategy and held until they settled.'),
    value: amount(of.count),
  },
  {
    title: t('Brier score'),
    definition: t(
      'Mean square of the strategy’s probability less the outcome; below, that of the market’s price.',
    ),
    ...valueOrNote(of.brier, score),
    ...(of.marketBrier.value !== null && {
      note: t('market’s: {value}', { value: score(of.marketBrier.value) }),
    }),
  },
  {
    title: t('Skill'),
    definition: t(
      'How much smaller its squared error is than the market’s. Below, gain over its standard error.',
    ),
    ...valueOrNote(of.skill, signedShare),
    ...(of.skillT.value !== null && { note: t('t {value}', { value: factor(of.skillT.value) }) }),
    sign: of.skill.value ?? undefined,
  },
  {
    title: t('Log score'),
    definition: t('Mean negative logarithm of the probability given to what happened. Lower is better.'),
    ...valueOrNote(of.logScore, score),
    ...(of.marketLogScore.value !== null && {
      note: t('market’s: {value}', { value: score(of.marketLogScore.value) }),
    }),
  },
];
