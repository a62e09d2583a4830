import type { Backtest } from '../../api/row-types.ts';
import { t } from '../../language/language.ts';
import { fineShare, signedFineShare } from '../number.ts';
import { type Figure, factor, valueOrNote } from './statistics.ts';

type Benchmark = NonNullable<NonNullable<Backtest['result']>['benchmark']>;

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
