import type { Sweep } from '../api/row-types.ts';
import { amount } from '../format/number.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';
import { OBJECTIVES, tintStyle } from './figures.ts';
import { objectiveOf } from './form-values.ts';
import { scalarWords } from './parameters.ts';

type Profile = NonNullable<Sweep['result']>['profile'];
type ProfileProps = { sweep: Sweep; profile: Profile; names: readonly string[] };

/** The effect of each parameter on the figure, over all values of the others: a plateau is more reliable than a peak. */
export const ParameterEffects = ({ sweep, profile, names }: ProfileProps) => {
  const { title, write } = OBJECTIVES[objectiveOf(sweep).statistic];
  return (
    <div className="grid-3">
      {profile.map(({ pointer, values }, index) => {
        const known = values.flatMap(({ median, best }) => [median, best]).filter((each) => each !== null);
        const cell = (value: number | null) => (
          <td className="num" style={value === null ? undefined : tintStyle(value, known, 'score')}>
            {value === null ? '—' : write(value)}
          </td>
        );
        return (
          <Panel key={pointer} title={names[index]} flush>
            <div className="tall-menu">
              <table className="rows">
                <thead>
                  <tr>
                    <th className="num">{t('Value')}</th>
                    <th className="num">{t('{title}, middle', { title: t(title) })}</th>
                    <th className="num">{t('Best')}</th>
                    <th className="num">{t('Trials')}</th>
                  </tr>
                </thead>
                <tbody>
                  {values.map(({ value, trials, median, best }) => (
                    <tr key={String(value)} tabIndex={0}>
                      <td className="num">{scalarWords(value)}</td>
                      {cell(median)}
                      {cell(best)}
                      <td className="num">{amount(trials)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Panel>
        );
      })}
    </div>
  );
};
