import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Blueprint } from '../../../api/row-types.ts';
import { trpc } from '../../../api/trpc.ts';
import { useBlockingConditions } from '../../../editor/use-blocking-conditions.ts';
import { blockingConditionWords } from '../../../format/blocking-condition-words.ts';
import { describeFilled } from '../../../format/trading/order.ts';
import { t } from '../../../language/language.ts';
import { Age } from '../../../ui/time.tsx';

/** Says why a running strategy does not trade now, and shows its last fill. */
export function NotTradingReason({ blueprint }: { blueprint: Blueprint }) {
  const { id: blueprintId } = blueprint;
  const filled = useQuery(trpc.console.orders.queryOptions({ blueprintId, status: 'filled', limit: 1 }));
  const next = useBlockingConditions(blueprint);
  const [last] = filled.data ?? [];
  if (next.length === 0 && !last) return null;
  return (
    <dl className="panel next-line figures">
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
