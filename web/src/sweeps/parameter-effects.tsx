import type { Sweep } from '../api/row-types.ts';
import { amount } from '../format/number.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';
import { type FigureFormat, OBJECTIVES, tintStyle } from './figures.ts';
import { objectiveOf } from './form-values.ts';
import { scalarWords } from './parameters.ts';

type Profile = NonNullable<Sweep['result']>['profile'];
type ProfileProps = { sweep: Sweep; profile: Profile; names: readonly string[] };

/** The effect of each parameter on the figure, over all values of the others: a plateau is more reliable than a peak. */
export const ParameterEffects = ({ sweep, profile, names }: ProfileProps) => (
  <div className="grid-3">
    {profile.map(({ pointer, values }, index) => (
      <Panel key={pointer} title={names[index]} flush>
        <Effects values={values} figure={OBJECTIVES[objectiveOf(sweep).statistic]} />
      </Panel>
    ))}
  </div>
);

type EffectsProps = { values: Profile[number]['values']; figure: FigureFormat };

function Effects({ values, figure: { title, write } }: EffectsProps) {
  const known = values.flatMap(({ median, best }) => [median, best]).filter((each) => each !== null);
  const ends = [Math.min(...known), Math.max(...known)];
  const cell = (figure: number | null) =>
    figure === null ? (
      <td className="num">—</td>
    ) : (
      <td className="num" style={tintStyle(figure, ends, 'score')}>
        {write(figure)}
      </td>
    );
  return (
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
  );
}
