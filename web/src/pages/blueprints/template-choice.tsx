import { Fragment, type ReactNode } from 'react';
import { type Message, msg, t, translateServed } from '../../language/language.ts';
import { type Template, TemplateCurve } from './template-parts.tsx';

const GROUPS = {
  trend: msg('Trend'),
  reversion: msg('Reversion'),
  prediction: msg('Prediction markets'),
  orders: msg('Order work'),
  portfolio: msg('Portfolio'),
} as const satisfies Record<Template['group'], Message>;

type ChoiceProps = {
  templates: readonly Template[];
  /** Key of the chosen template; null is an empty canvas. */
  chosen: string | null;
  onChoose: (key: string | null) => void;
  /** Shown below the chosen template, where there is no room beside the list. */
  preview: ReactNode;
};

/** An empty canvas, or a template. Only the first group is open, so that all of them are seen at once. */
export function TemplateChoice({ templates, chosen, onChoose, preview }: ChoiceProps) {
  const groups = [...Map.groupBy(templates, ({ group }) => group)];
  return (
    <fieldset className="choices">
      <legend className="small">{t('Start from')}</legend>
      <Option
        title={t('Empty canvas')}
        summary={t('Build every node yourself.')}
        checked={chosen === null}
        onChoose={() => onChoose(null)}
      />
      {groups.map(([group, members], index) => (
        <details key={group} className="template-group" open={index === 0}>
          <summary>
            <strong>{t(GROUPS[group])}</strong>
          </summary>
          {members.map(({ key, name, summary, backtest }) => (
            <Fragment key={key}>
              <Option
                title={translateServed(name)}
                summary={translateServed(summary)}
                checked={chosen === key}
                onChoose={() => onChoose(key)}
                curve={<TemplateCurve of={backtest} />}
              />
              {chosen === key ? preview : null}
            </Fragment>
          ))}
        </details>
      ))}
    </fieldset>
  );
}

type OptionProps = {
  title: string;
  summary: string;
  checked: boolean;
  onChoose: () => void;
  curve?: ReactNode;
};

const Option = ({ title, summary, checked, onChoose, curve }: OptionProps) => (
  <label className={curve ? 'choice pictured' : 'choice'}>
    <input type="radio" name="template" checked={checked} onChange={onChoose} />
    <span>
      <strong>{title}</strong>
      <span className="dim small">{summary}</span>
    </span>
    {curve}
  </label>
);
