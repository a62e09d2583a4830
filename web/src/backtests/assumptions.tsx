import { assumedWords } from '../format/assumed.ts';
import type { AssumptionLine } from '../format/backtest.ts';
import { Panel } from '../ui/panel.tsx';

/** What is assumed before a run, as the form stands. */
export const AssumptionsPanel = ({ lines }: { lines: readonly AssumptionLine[] }) => (
  <Panel title="What it assumes">
    <dl className="facts">
      {lines.map(({ name, value, isFlattering }) => (
        <div key={name} className="fact-pair">
          <dt>{name}</dt>
          <dd>
            {value}
            {isFlattering ? <span className="warn"> · flatters the result</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  </Panel>
);

type Told = { name: string; value: string; why: string };

/** What a run assumed, as it tells itself. */
export const AssumedPanel = ({ assumptions }: { assumptions: readonly Told[] }) => (
  <Panel title="What it assumed" flush>
    <table className="rows cards">
      <thead>
        <tr>
          <th>Assumption</th>
          <th>Value</th>
          <th>Why</th>
        </tr>
      </thead>
      <tbody>
        {assumptions.map((told) => {
          const { title, value } = assumedWords(told);
          return (
            <tr key={told.name}>
              <td data-label="Assumption">{title}</td>
              <td data-label="Value">{value}</td>
              <td data-label="Why" className="dim">
                {told.why}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </Panel>
);
