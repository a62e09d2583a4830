import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Blueprint } from '../../../api/row-types.ts';
import { trpc } from '../../../api/trpc.ts';
import { blockingConditions, parseGraph } from '../../../editor/drawing/blocking-conditions.ts';
import { copyStatesOf, statesByNode } from '../../../editor/drawing/list-states.ts';
import { useCatalogue } from '../../../editor/use-catalogue.ts';
import { blockingConditionWords } from '../../../format/blocking-condition-words.ts';
import { describeOrder } from '../../../format/trading/order.ts';
import { t } from '../../../language/language.ts';
import { nodeStatesOf } from '../../../live/events.ts';
import { useLive } from '../../../live/store.ts';
import { Age } from '../../../ui/time.tsx';

/** Says why a running strategy does not trade now, and shows its last fill. */
export function NotTradingReason({ blueprint: { id, visual, nodeStates } }: { blueprint: Blueprint }) {
  const { data: catalogue } = useCatalogue();
  const liveStates = useLive((live) => live.nodeStates[id]);
  const filled = useQuery(trpc.console.orders.queryOptions({ blueprintId: id, status: 'filled', limit: 1 }));
  const graph = parseGraph(visual);
  const states = liveStates ?? nodeStatesOf(nodeStates);
  const copies = copyStatesOf(new Set(graph.nodes.map((node) => node.id)), states);
  const next = catalogue ? blockingConditions(graph, catalogue, statesByNode(states, copies)) : [];
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
              {describeOrder(last)}
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
