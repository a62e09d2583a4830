import type { Outputs } from '../../api/trpc.ts';
import { elapsed } from '../../format/exact-time.ts';
import { type DecisionRow, decisionReason, decisionRows } from '../../format/trading/decision-rows.ts';
import { t } from '../../language/language.ts';
import { Time } from '../../ui/time.tsx';
import { TranslatedReason } from '../../ui/translated-reason.tsx';

/** Values of the nodes nearest to the one that raised the order; the rest is folded. */
const VISIBLE = 5;

type Order = Outputs['console']['order'];

/** The answer to “why did it buy?”: the reason, and the values of the nodes before the one that raised the order, nearest first. */
export function DecisionValues({ order }: { order: Order }) {
  const reason = decisionReason(order.inputs);
  const rows = decisionRows(order);
  const raisedMs = Date.parse(order.createdAt);
  const folded = rows.slice(VISIBLE);
  return (
    <>
      {reason ? (
        <p className="plain">
          <TranslatedReason of={reason} />
        </p>
      ) : null}
      <Values rows={rows.slice(0, VISIBLE)} raisedMs={raisedMs} />
      {folded.length > 0 ? (
        <details>
          <summary className="dim small">{t('{rest} more', { rest: folded.length })}</summary>
          <Values rows={folded} raisedMs={raisedMs} />
        </details>
      ) : null}
    </>
  );
}

function Values({ rows, raisedMs }: { rows: readonly DecisionRow[]; raisedMs: number }) {
  if (rows.length === 0) return null;
  return (
    <table className="rows decision-values" aria-label={t('Values that led to it')}>
      <tbody>
        {rows.map(({ node, fact, value, asOfMs }, index) => (
          // Nothing else tells two values of nodes with one label apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: the values of an order never change.
          <tr key={index}>
            <td>
              {node} {fact === null ? null : <span className="dim">{fact}</span>}
            </td>
            <td className="num">
              <strong>{typeof value === 'string' ? value : <Instant ms={value.instantMs} />}</strong>
            </td>
            <td className="num dim">
              {asOfMs === null ? '' : t('{age} old', { age: elapsed(raisedMs - asOfMs) })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Instant = ({ ms }: { ms: number }) => <Time at={new Date(ms).toISOString()} />;
