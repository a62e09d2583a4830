import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Blueprint } from '../../../api/row-types.ts';
import { trpc } from '../../../api/trpc.ts';
import { useBlockingConditions } from '../../../editor/use-blocking-conditions.ts';
import { blockingConditionWords } from '../../../format/blocking-condition-words.ts';
import { heldWords } from '../../../format/trading/held.ts';
import { describeFilled } from '../../../format/trading/order.ts';
import { t } from '../../../language/language.ts';
import { Pnl } from '../../../ui/status.tsx';
import { Age } from '../../../ui/time.tsx';

type StripProps = {
  blueprint: Blueprint;
  /** False where the open tab has the result: a figure is shown once. */
  hasResult: boolean;
};

/** A running strategy in one strip: its result, why it does not trade now, and its last fill. */
export function RunningStrip({ blueprint, hasResult }: StripProps) {
  const { id: blueprintId } = blueprint;
  const filled = useQuery(trpc.console.orders.queryOptions({ blueprintId, status: 'filled', limit: 1 }));
  const { data: account } = useQuery(trpc.console.account.queryOptions({}));
  const next = useBlockingConditions(blueprint);
  const [last] = filled.data ?? [];
  const made = hasResult && account?.strategies.find((each) => each.blueprintId === blueprintId);
  const held = heldWords(account?.positions).get(blueprintId);
  if (next.length === 0 && !last && !made) return null;
  return (
    <dl className="panel next-line figures">
      {made ? (
        <div>
          <dt>{t('Total P&L')}</dt>
          <dd className="strip-result">
            <Pnl value={made.totalPnl} />{' '}
            <span className="dim small">
              {held === undefined ? t('holds nothing') : t('holds {held}', { held })}
            </span>
          </dd>
        </div>
      ) : null}
      {next.length > 0 ? (
        <div>
          <dt>{t('Next')}</dt>
          {next.map((each) => (
            <dd key={`${each.action} ${each.condition}`}>{blockingConditionWords(each)}</dd>
          ))}
        </div>
      ) : null}
      {last ? (
        <div>
          <dt>{t('Last')}</dt>
          <dd>
            <Link to="/orders" search={{ order: last.id }}>
              {describeFilled(last)}
            </Link>{' '}
            <span className="dim small">
              <Age at={last.createdAt} />
            </span>
          </dd>
        </div>
      ) : null}
    </dl>
  );
}
