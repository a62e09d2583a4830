import { amount, cents, share } from '../format/number.ts';
import type { Statistics } from '../format/research/statistics.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';

type Bin = Omit<Statistics['calibration']['bins'][number], 'fromPrice' | 'meanPrice'> & {
  /** The lower end of the bin, and the mean of the values in it. */
  from: number;
  stated: number | null;
};

/** The price paid for contracts, beside how often they won. */
export const CalibrationTable = ({ calibration: { bins } }: Pick<Statistics, 'calibration'>) => (
  <ReliabilityTable
    title={t('Calibration of contracts held until they settled')}
    statedTitle={t('Bought at')}
    meanTitle={t('Average price')}
    write={cents}
    bins={bins.map(({ fromPrice, meanPrice, ...bin }) => ({
      ...bin,
      from: fromPrice,
      stated: meanPrice.value,
    }))}
  />
);

type ReliabilityProps = {
  title: string;
  statedTitle: string;
  meanTitle: string;
  write: (value: number | null) => string;
  bins: readonly Bin[];
};

/** Probabilities or prices, beside how often they came true, with 95 % intervals. */
export function ReliabilityTable({ title, statedTitle, meanTitle, write, bins }: ReliabilityProps) {
  const filled = bins.filter(({ count }) => count > 0);
  return (
    <Panel title={title} flush>
      <table className="rows cards">
        <thead>
          <tr>
            <th>{statedTitle}</th>
            <th className="num">{t('Contracts')}</th>
            <th className="num">{meanTitle}</th>
            <th className="num">{t('Observed')}</th>
            <th className="num">{t('95% interval')}</th>
          </tr>
        </thead>
        <tbody>
          {filled.map(({ from, count, stated, meanOutcome, interval }) => (
            <tr key={from}>
              <td data-label={statedTitle}>
                {t('{fromPrice} to {fromPrice2}', { fromPrice: write(from), fromPrice2: write(from + 0.1) })}
              </td>
              <td data-label={t('Contracts')} className="num">
                {amount(count)}
              </td>
              <td data-label={meanTitle} className="num">
                {write(stated)}
              </td>
              <td data-label={t('Observed')} className="num">
                {share(meanOutcome.value)}
              </td>
              <td data-label={t('95% interval')} className="num">
                {interval
                  ? t('{low} to {high}', { low: share(interval.low), high: share(interval.high) })
                  : '—'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
