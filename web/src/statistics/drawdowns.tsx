import { fineShare, usd } from '../format/number.ts';
import { listedDrawdowns, type Statistics } from '../format/research/statistics.ts';
import { duration } from '../format/time.ts';
import { t } from '../language/language.ts';
import { Time } from '../ui/time.tsx';

/** The ten deepest drawdowns, deepest first. */
export function DrawdownTable({ drawdowns, to }: Pick<Statistics, 'drawdowns' | 'to'>) {
  if (drawdowns.length === 0) return <p className="plain dim">{t('It never fell below a peak.')}</p>;
  const listed = listedDrawdowns({ drawdowns });
  if (listed.length === 0) return <p className="plain dim">{t('No drawdown of 0.01% or more.')}</p>;
  return (
    <table className="rows cards">
      <thead>
        <tr>
          <th className="num">{t('Depth')}</th>
          <th className="num">{t('USD')}</th>
          <th>{t('Peak')}</th>
          <th>{t('Trough')}</th>
          <th>{t('Recovered')}</th>
          <th className="num">{t('Duration')}</th>
        </tr>
      </thead>
      <tbody>
        {listed.map(({ share: depth, usd: deep, peakAt, troughAt, recoveredAt }) => (
          <tr key={`${peakAt}${troughAt}`}>
            <td data-label={t('Depth')} className="num">
              {fineShare(-depth)}
            </td>
            <td data-label={t('USD')} className="num">
              {usd(-deep)}
            </td>
            <td data-label={t('Peak')}>
              <Time at={peakAt} />
            </td>
            <td data-label={t('Trough')}>
              <Time at={troughAt} />
            </td>
            <td data-label={t('Recovered')}>
              {recoveredAt === null ? <span className="dim">{t('not yet')}</span> : <Time at={recoveredAt} />}
            </td>
            <td data-label={t('Duration')} className="num">
              {duration(Date.parse(recoveredAt ?? to) - Date.parse(peakAt))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
