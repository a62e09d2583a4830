import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../../api/trpc.ts';
import type { CursorSpan } from '../../../../charts/readout.ts';
import { GraphEditor } from '../../../../editor/graph-editor.tsx';
import { t } from '../../../../language/language.ts';
import { Trans } from '../../../../language/trans.tsx';
import { Panel } from '../../../../ui/panel.tsx';
import { Time } from '../../../../ui/time.tsx';
import { decisionStates } from './decision-states.ts';

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
  }).data;
  if (!blueprint.data) return null;
  const { status, nodeStates } = blueprint.data;
  const decision = firing && order;
  return (
    <Panel title={t('Graph at the cursor')}>
      <div className="stack graph-at-cursor">
        <p
          className="plain dim small"
          data-graph-at={span === null ? 'now' : (decision?.createdAt ?? 'none')}
        >
          {span === null ? (
            t('Values now. Move the cursor over the chart to see those of an order.')
          ) : decision ? (
            <Trans
              message="Values when the node {node} acted, {at}, in release {release}."
              values={{
                node: decision.nodeId ?? '—',
                at: <Time at={decision.createdAt} />,
                release: decision.releaseNumber ?? '—',
              }}
            />
          ) : firings.isFetching || firing ? (
            t('Loading…')
          ) : (
            t('No values here: no node acted in this stretch, and values are recorded with orders only.')
          )}
        </p>
        <GraphEditor
          id={id}
          error={null}
          nodeStates={span === null ? nodeStates : decision ? decisionStates(decision) : null}
          watched={status === 'running' || status === 'error'}
          readOnly
          {...(span !== null && { pastAt: decision?.createdAt ?? span.from })}
          focus={undefined}
          save={nothingToSave}
        />
      </div>
    </Panel>
  );
}

const nothingToSave = async () => true;
