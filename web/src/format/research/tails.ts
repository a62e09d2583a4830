import type { Backtest } from '../../api/row-types.ts';
import { t } from '../../language/language.ts';
import { amount, fineShare, share, signedFineShare } from '../number.ts';
import { type Figure, factor, type Statistics, valueOrNote } from './statistics.ts';

type Resampled = NonNullable<NonNullable<Backtest['result']>['resampled']>;

/** How far the same days could have come out, in another order and selection. */
export const resampledFigures = ({ totalReturn, maxDrawdown, losing }: Resampled): Figure[] => [
  {
    title: t('Return by luck'),
    definition: t('Nine of ten selections of this run’s days, drawn at random in blocks, end in this range.'),
    value: rangeOf(totalReturn, signedFineShare),
    note: t('{share} lose', { share: share(losing) }),
  },
  {
    title: t('Drawdown by luck'),
    definition: t('The largest drawdown between days of nine of ten such selections lies in this range.'),
    value: rangeOf(maxDrawdown, fineShare),
  },
];

const rangeOf = ({ low, high }: Resampled['totalReturn'], write: (value: number) => string): string =>
  t('{low} to {high}', { low: write(low), high: write(high) });

/** How sure the ratios are, and how bad a bad day is; empty for a backtest by an earlier release. */
export const tailFigures = ({ risk }: Statistics): Figure[] => (risk ? figuresOf(risk) : []);

const figuresOf = (of: NonNullable<Statistics['risk']>): Figure[] => [
  ...sampleFigures(of),
  {
    title: t('Return at work'),
    definition: t('Total return divided by average exposure: the return of the money in positions.'),
    ...valueOrNote(of.returnOnExposure, signedFineShare),
    sign: of.returnOnExposure.value ?? undefined,
  },
  {
    title: t('Sharpe error'),
    definition: t('Standard error of Sharpe: the true ratio lies within two of them in 95 of 100 cases.'),
    ...valueOrNote(of.sharpeError, factor),
  },
  {
    title: t('Adjusted Sharpe'),
    definition: t('Sharpe, allowing for days that follow the day before (Lo 2002).'),
    ...valueOrNote(of.sharpeAdjusted, factor),
    ...(of.autocorrelation.value !== null && {
      note: t('autocorrelation {value}', { value: factor(of.autocorrelation.value) }),
    }),
  },
  {
    title: t('Time under water'),
    definition: t('Share of the time between a peak of equity and its recovery.'),
    ...valueOrNote(of.timeUnderWater, share),
  },
  {
    title: t('Value at risk'),
    definition: t(
      'The loss of a day that 95 of 100 days stay within; below it, the average of the worse days.',
    ),
    ...valueOrNote(of.valueAtRisk, (value) => signedFineShare(-value)),
    ...(of.expectedShortfall.value !== null && {
      note: t('beyond it {value}', { value: signedFineShare(-of.expectedShortfall.value) }),
    }),
  },
  {
    title: t('Skewness'),
    definition: t('Above 0, large gains are more frequent than large losses. Kurtosis above 3: fat tails.'),
    ...valueOrNote(of.skewness, factor),
    ...(of.kurtosis.value !== null && { note: t('kurtosis {value}', { value: factor(of.kurtosis.value) }) }),
  },
  {
    title: t('Omega'),
    definition: t('Gains of all days divided by losses of all days; below, best 5% divided by worst 5%.'),
    ...valueOrNote(of.omega, factor),
    ...(of.tailRatio.value !== null && {
      note: t('tail ratio {value}', { value: factor(of.tailRatio.value) }),
    }),
  },
  {
    title: t('Ulcer index'),
    definition: t('Root mean square of the daily drawdown.'),
    ...valueOrNote(of.ulcer, fineShare),
  },
];

/** The days that all daily figures are of, and how many there should be. */
function sampleFigures(of: NonNullable<Statistics['risk']>): Figure[] {
  const { days, partialDays, daysInMarket, minTrackRecordDays, sharpeInMarket } = of;
  if (days === null || partialDays === null || daysInMarket === null) return [];
  if (minTrackRecordDays === null || sharpeInMarket === null) return [];
  return [
    {
      title: t('Whole days'),
      definition: t(
        'UTC days that the daily figures are of. Days that the range covers in part are left out of these figures, and count towards the return.',
      ),
      value: amount(days),
      note: t('{partialDays} in part left out', { partialDays: amount(partialDays) }),
    },
    {
      title: t('Min. track record'),
      definition: t(
        'Days after which such returns would show a true Sharpe above 0 with 95% confidence (Bailey, López de Prado 2012).',
      ),
      ...valueOrNote(minTrackRecordDays, (value) => t('{days} days', { days: amount(Math.ceil(value)) })),
    },
    {
      title: t('Sharpe in the market'),
      definition: t(
        'Sharpe of the days with an open position alone: days without one return 0 and dilute it.',
      ),
      ...valueOrNote(sharpeInMarket, factor),
      ...(sharpeInMarket.value !== null && { note: t('of {days} days', { days: amount(daysInMarket) }) }),
    },
  ];
}
