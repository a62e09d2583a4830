import { Fragment, type ReactNode, useState } from 'react';
import { edgeOf, ordersADay } from '../../format/research/template-result.ts';
import { type Message, msg, t, translateServed } from '../../language/language.ts';
import { Choice } from '../../ui/fields/choice.tsx';
import { type Template, TemplateCurve, TemplateMarket } from './template-parts.tsx';

const GROUPS = {
  trend: msg('Trend'),
  reversion: msg('Reversion'),
  prediction: msg('Prediction markets'),
  orders: msg('Order work'),
  portfolio: msg('Portfolio'),
} as const satisfies Record<Template['group'], Message>;

const NONE = Number.POSITIVE_INFINITY;
/** Lower values come first; a template without a backtest comes last. */
const ORDERS = {
  edge: ({ backtest }: Template) => {
    const edge = backtest && edgeOf(backtest);
    return edge === null ? NONE : -edge;
  },
  calm: ({ backtest }: Template) => (backtest ? ordersADay(backtest) : NONE),
} as const;
type Order = keyof typeof ORDERS;
const isOrder = (word: string): word is Order => Object.hasOwn(ORDERS, word);

type ChoiceProps = {
  templates: readonly Template[];
  /** Key of the chosen template; null is an empty canvas. */
  chosen: string | null;
  onChoose: (key: string | null) => void;
  /** Shown below the chosen template, where there is no room beside the list. */
  preview: ReactNode;
};

/** An empty canvas, or a template: by kind, with the first open so that all kinds are seen at once, or in one sorted list. */
export function TemplateChoice({ templates, chosen, onChoose, preview }: ChoiceProps) {
  const [order, setOrder] = useState<Order | null>(null);
  const option = (template: Template) => (
    <Fragment key={template.key}>
      <Option
        title={translateServed(template.name)}
        summary={translateServed(template.summary)}
        checked={chosen === template.key}
        onChoose={() => onChoose(template.key)}
        curve={<TemplateCurve of={template.backtest} />}
      />
      {chosen === template.key ? preview : null}
    </Fragment>
  );
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
      <div className="row">
        <span className="small">{t('Templates')}</span>
        <Choice
          label={t('Order of the templates')}
          value={order ?? ''}
          options={[
            ['', t('By kind')],
            ['edge', t('Best against holding first')],
            ['calm', t('Fewest orders first')],
          ]}
          onChange={(word) => setOrder(isOrder(word) ? word : null)}
        />
      </div>
      <TemplateMarket of={templates} />
      {order
        ? templates.toSorted((a, b) => ORDERS[order](a) - ORDERS[order](b) || 0).map(option)
        : groups.map(([group, members], index) => (
            <details key={group} className="template-group" open={index === 0}>
              <summary>
                <strong>{t(GROUPS[group])}</strong>
              </summary>
              {members.map(option)}
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
