import type { Sweep } from '../api/row-types.ts';
import { pointsChangeKey } from '../charts/layers.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { amount, share, signedFineShare } from '../format/number.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';
import { TimeSpan } from '../ui/time.tsx';
import { OBJECTIVES } from './figures.ts';
import { scalarWords } from './parameters.ts';

type Walk = NonNullable<NonNullable<Sweep['result']>['walkForward']>;
type WalkProps = { id: string; walk: Walk; names: readonly string[] };

const HEIGHT = 220;

/** The out-of-sample result of the parameters chosen on earlier data. */
export function WalkForwardPanels({ id, walk, names }: WalkProps) {
  const { inSample, outOfSample, efficiency, curve, embargoDays, folds } = walk;
  if (folds.length === 0) {
    return (
      <Panel title={t('Walk forward')}>
        <p className="plain">
          {t(
            'No fold fits into the range: the strategy looks back so far that {embargoDays, plural, one {# day} other {# days}} have to lie between training and test. Take a longer range, or shorter folds.',
            { embargoDays },
          )}
        </p>
      </Panel>
    );
  }
  const points = curve.map(({ at, factor }) => ({ at, value: factor - 1 }));
  const sharpeOf = ({ sharpe }: Walk['inSample']) =>
    sharpe.value === null ? '—' : OBJECTIVES.sharpe.write(sharpe.value);
  return (
    <>
      <Panel title={t('Walk forward')}>
        <div className="stack">
          <dl className="facts">
            <dt>{t('Out of sample')}</dt>
            <dd>
              {t('{totalReturn} in {days, plural, one {# day} other {# days}}, Sharpe {outOfSample}', {
                totalReturn: signedFineShare(outOfSample.totalReturn),
                days: outOfSample.days,
                outOfSample: sharpeOf(outOfSample),
              })}
            </dd>
            <dt>{t('In sample')}</dt>
            <dd>
              {t('{totalReturn} in {days, plural, one {# day} other {# days}}, Sharpe {inSample}', {
                totalReturn: signedFineShare(inSample.totalReturn),
                days: inSample.days,
                inSample: sharpeOf(inSample),
              })}
            </dd>
            <dt>{t('Walk-forward efficiency')}</dt>
            <dd>{efficiency.value === null ? t('nothing was earned in sample') : share(efficiency.value)}</dd>
            <dt>{t('Apart')}</dt>
            <dd>
              {t(
                '{embargoDays, plural, one {# day} other {# days}} between what was chosen on and what judged it',
                { embargoDays },
              )}
            </dd>
          </dl>
          <div style={{ minHeight: HEIGHT }}>
            <LazyChart
              label={t('Return out of sample')}
              summary={t(
                'Out of sample, {folds, plural, one {# fold} other {# folds}} one after the other came to {totalReturn}.',
                { folds: folds.length, totalReturn: signedFineShare(outOfSample.totalReturn) },
              )}
              height={HEIGHT}
              view={id}
              revision={pointsChangeKey(points)}
              layers={[{ kind: 'baseline', points, baseline: 0, write: signedFineShare }]}
            />
          </div>
        </div>
      </Panel>
      <Panel title={t('Folds')} flush>
        <table className="rows cards" aria-label={t('Folds')}>
          <thead>
            <tr>
              <th>{t('Chosen on')}</th>
              {names.map((name) => (
                <th key={name} className="num">
                  {name}
                </th>
              ))}
              <th className="num">{t('Return then')}</th>
              <th>{t('Judged on')}</th>
              <th className="num">{t('Return then')}</th>
              <th className="num">{t('Trades')}</th>
            </tr>
          </thead>
          <tbody>
            {folds.map(({ train, test, values, inSample: before, outOfSample: after, isHeldTooLong }) => (
              <tr key={test.from} tabIndex={0}>
                <td data-label={t('Chosen on')} className="small">
                  <TimeSpan from={train.from} to={train.to} />
                  {isHeldTooLong ? (
                    <span className="warn block">{t('held for longer than the two are apart')}</span>
                  ) : null}
                </td>
                {names.map((name, index) => (
                  <td key={name} data-label={name} className="num">
                    {values?.[index] === undefined ? '—' : scalarWords(values[index])}
                  </td>
                ))}
                <td data-label={t('Return in sample')} className="num">
                  {signedFineShare(before?.totalReturn.value)}
                </td>
                <td data-label={t('Judged on')} className="small">
                  <TimeSpan from={test.from} to={test.to} />
                </td>
                <td data-label={t('Return out of sample')} className="num">
                  {values === null ? t('nothing was traded') : signedFineShare(after?.totalReturn.value)}
                </td>
                <td data-label={t('Trades')} className="num">
                  {amount(after?.closed)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </>
  );
}
