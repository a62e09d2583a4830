import { amount, cents, share } from '../format/number.ts';
import type { Statistics } from '../format/research/statistics.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';

/** The price paid for contracts, beside how often they won. */
export function CalibrationTable({ calibration: { bins } }: Pick<Statistics, 'calibration'>) {
  const filled = bins.filter(({ count }) => count > 0);
  return (
    <Panel title={t('Calibration of contracts held until they settled')} flush>
      <table className="rows">
        <thead>
          <tr>
            <th>{t('Bought at')}</th>
            <th className="num">{t('Contracts')}</th>
            <th className="num">{t('Average price')}</th>
            <th className="num">{t('Observed')}</th>
          </tr>
        </thead>
        <tbody>
          {filled.map(({ fromPrice, count, meanPrice, meanOutcome }) => (
            <tr key={fromPrice}>
              <td>
                {t('{fromPrice} to {fromPrice2}', {
                  fromPrice: cents(fromPrice),
                  fromPrice2: cents(fromPrice + 0.1),
                })}
              </td>
              <td className="num">{amount(count)}</td>
              <td className="num">{cents(meanPrice.value)}</td>
              <td className="num">{share(meanOutcome.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
