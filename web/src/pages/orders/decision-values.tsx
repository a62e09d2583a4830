import type { Outputs } from '../../api/trpc.ts';
import { decisionRows } from '../../format/trading/decision-rows.ts';
import { decisionInputs } from '../../format/trading/order.ts';
import { t } from '../../language/language.ts';
import { Time } from '../../ui/time.tsx';

/** The answer to “why did it buy?”: the values of the nodes before the one that raised the order, nearest first. */
export function DecisionValues({ order }: { order: Outputs['console']['order'] }) {
  const rows = decisionRows(order);
  if (rows.length === 0) return null;
  return (
    <details className="stack tight">
      <summary>{t('Values that led to it ({inputs})', { inputs: rows.length })}</summary>
      <table className="rows">
        <thead>
          <tr>
            <th>{t('Node')}</th>
            <th className="num">{t('Value')}</th>
            <th>{t('Time')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ node, fact, value, asOfMs }, index) => (
            // Nothing else tells two values of nodes with one label apart.
            // biome-ignore lint/suspicious/noArrayIndexKey: the values of an order never change.
            <tr key={index}>
              <td>
                {node} {fact === null ? null : <span className="dim">{fact}</span>}
              </td>
              <td className="num">{typeof value === 'string' ? value : <Instant ms={value.instantMs} />}</td>
              <td>{asOfMs === null ? '—' : <Instant ms={asOfMs} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary className="dim small">{t('As JSON')}</summary>
        <pre className="mono">{JSON.stringify(decisionInputs(order.inputs), null, 2)}</pre>
      </details>
    </details>
  );
}

const Instant = ({ ms }: { ms: number }) => <Time at={new Date(ms).toISOString()} />;
