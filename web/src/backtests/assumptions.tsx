import { assumptionWords } from '../format/research/assumption-words.ts';
import type { AssumptionLine } from '../format/research/backtest-form.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';

/** The assumptions of a run before it starts, from the form. */
export const PlannedAssumptionsPanel = ({ lines }: { lines: readonly AssumptionLine[] }) => (
  <Panel title={t('Assumptions')}>
    <dl className="facts">
      {lines.map(({ name, value, isFlattering }) => (
        <div key={name} className="fact-pair">
          <dt>{name}</dt>
          <dd>
            {value}
            {isFlattering ? <span className="warn"> {t('· flatters the result')}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  </Panel>
);

type Assumption = { name: string; value: string; why: string };

/** The assumptions of a run, as it reports them. */
export const RunAssumptionsPanel = ({ assumptions }: { assumptions: readonly Assumption[] }) => (
  <Panel title={t('Assumptions of this run')} flush>
    <table className="rows cards">
      <thead>
        <tr>
          <th>{t('Assumption')}</th>
          <th>{t('Value')}</th>
          <th>{t('Why')}</th>
        </tr>
      </thead>
      <tbody>
        {assumptions.map((assumption) => {
          const { title, value } = assumptionWords(assumption);
          return (
            <tr key={assumption.name}>
              <td data-label={t('Assumption')}>{title}</td>
              <td data-label={t('Value')}>{value}</td>
              <td data-label={t('Why')} className="dim">
                {assumption.why}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </Panel>
);
