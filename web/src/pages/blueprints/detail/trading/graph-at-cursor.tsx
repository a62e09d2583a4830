import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../../../../api/trpc.ts';
import type { CursorSpan } from '../../../../charts/readout.ts';
import { GraphEditor } from '../../../../editor/graph-editor.tsx';
import { msg, t } from '../../../../language/language.ts';
import { Trans } from '../../../../language/trans.tsx';
import { Panel } from '../../../../ui/panel.tsx';
import { Time } from '../../../../ui/time.tsx';
import { decisionStates } from './decision-states.ts';

type Decision = Outputs['console']['order'];

/** The strategy's graph: its values now, or at the cursor those of the last order there. Others are not recorded. */
export function GraphAtCursor({ id, span }: { id: string; span: CursorSpan | null }) {
  const blueprint = useQuery(trpc.console.blueprint.queryOptions({ id }));
  const firings = useQuery({
    ...trpc.console.firings.queryOptions({ id, limit: 1, from: span?.from, to: span?.to }),
    enabled: span !== null,
  });
  const firing = span === null ? undefined : firings.data?.[0];
  const order = useQuery({
    ...trpc.console.order.queryOptions({ id: firing?.id ?? '' }),
    enabled: firing !== undefined,
  });
  if (!blueprint.data) return null;
  const { status, nodeStates } = blueprint.data;
  const watched = status === 'running' || status === 'error';
  const decision = firing && order.data;
  const words = () => {
    if (span === null) return watched ? t(NOW) : t(STILL);
    if (firings.error || order.error) return t('The values could not be read.');
    if (decision) return <DecisionWords decision={decision} />;
    return firings.isPending || firing ? t('Loading…') : t(NONE);
  };
  const statesNow = watched ? nodeStates : null;
  return (
    <Panel title={t('Graph at the cursor')}>
      <div className="stack graph-at-cursor">
        <p
          className="plain dim small"
          data-graph-at={span === null ? 'now' : (decision?.createdAt ?? 'none')}
        >
          {words()}
        </p>
        <GraphEditor
          id={id}
          error={null}
          nodeStates={span === null ? statesNow : decision ? decisionStates(decision) : null}
          watched={watched}
          readOnly
          isPart
          {...(span !== null && { pastAt: decision?.createdAt ?? span.from })}
          focus={undefined}
          save={nothingToSave}
        />
      </div>
    </Panel>
  );
}

const NOW = msg('Values now. Move the cursor over the chart to see those of an order.');
const STILL = msg('It is not running. Move the cursor over the chart to see the values of an order.');
const NONE = msg('No values here: no node acted in this stretch, and values are recorded with orders only.');

const DecisionWords = ({ decision: { nodeId, createdAt, releaseNumber } }: { decision: Decision }) => (
  <Trans
    message="Values when the node {node} acted, {at}, in release {release}, on the graph as it is now."
    values={{ node: nodeId ?? '—', at: <Time at={createdAt} />, release: releaseNumber ?? '—' }}
  />
);

const nothingToSave = async () => true;
