import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { client, type Outputs, trpc } from '../../../../api/trpc.ts';
import { readGraph } from '../../../../editor/drawing/json.ts';
import { labelOf } from '../../../../editor/drawing/model.ts';
import { useCatalogue } from '../../../../editor/use-catalogue.ts';
import { amount } from '../../../../format/number.ts';
import { outcomeTitleOf, sideWords } from '../../../../format/trading/order.ts';
import { t } from '../../../../language/language.ts';
import { Choice } from '../../../../ui/fields/choice.tsx';
import { MissingPart } from '../../../../ui/help/missing-part.tsx';
import { OrderStatusMark } from '../../../../ui/status.tsx';
import type { Column } from '../../../../ui/table/data-table.tsx';
import { PagedPanel } from '../../../../ui/table/paged-panel.tsx';
import { saveCsv } from '../../../../ui/table/save-csv.ts';
import { Time } from '../../../../ui/time.tsx';
import { TranslatedReason } from '../../../../ui/translated-reason.tsx';
import { useTrading } from './use-trading.ts';

type Firing = Outputs['console']['firings'][number];

const FIELDS = [
  'id',
  'at',
  'nodeId',
  'nodeLabel',
  'origin',
  'side',
  'amount',
  'tokenId',
  'title',
  'status',
  'reason',
] as const satisfies readonly (keyof Firing)[];

/** Which node acted when, and its result; of one node, if one is chosen. */
export function LogTab({ id }: { id: string }) {
  const trading = useTrading(id);
  const blueprint = useQuery(trpc.console.blueprint.queryOptions({ id }));
  const steps = trading.data?.steps ?? [];
  const catalogue = useCatalogue();
  const nodes = useMemo(() => readGraph(blueprint.data?.visual).nodes, [blueprint.data?.visual]);
  const nameOf = (stepId: string) => {
    const node = nodes.find((each) => each.id === stepId);
    return node && catalogue.data ? labelOf(node, catalogue.data) : stepId;
  };
  const [step, setStep] = useState('');
  const nodeId = steps.includes(step) ? step : '';
  return (
    <>
      {trading.error && !trading.data ? (
        <MissingPart
          words={t('The nodes to choose from could not be read: the log is that of all nodes.')}
          retry={() => void trading.refetch()}
        />
      ) : null}
      <PagedPanel<Firing>
        title={t('Node log')}
        name="firings"
        columns={columns(id)}
        sort={{ column: 'time', isDown: true }}
        nameOf={(row) => `${outcomeTitleOf(row)}, ${row.nodeLabel ?? row.nodeId}`}
        queryKey={[...trpc.console.firings.pathKey(), id, nodeId]}
        read={({ sort, ...pageQuery }) =>
          client.console.firings.query({
            ...pageQuery,
            id,
            isAscending: !sort.isDown,
            ...(nodeId !== '' && { nodeId }),
          })
        }
        rowsWords={(count) => t('{count, plural, one {# line} other {# lines}}', { count })}
        save={(rows) => saveCsv('log-of-steps', FIELDS, rows)}
        filterValues={[nodeId]}
        filters={
          steps.length > 1 ? (
            <Choice
              label={t('Node')}
              value={nodeId}
              options={[['', t('All nodes')], ...steps.map((each) => [each, nameOf(each)] as const)]}
              onChange={setStep}
            />
          ) : null
        }
        empty={
          <div className="empty">
            <strong>{t('No node has acted')}</strong>
            <p>{t('Each time one of its nodes wants to buy or sell, that is written down here.')}</p>
          </div>
        }
      />
    </>
  );
}

const columns = (id: string): readonly Column<Firing>[] => [
  { id: 'time', title: t('Time'), card: 'time', isSortable: true, cell: ({ at }) => <Time at={at} /> },
  {
    id: 'step',
    title: t('Node'),
    card: 'detail',
    cell: ({ nodeId, nodeLabel }) => (
      <Link to="/blueprints/$id" params={{ id }} search={{ node: nodeId }}>
        {nodeLabel ?? nodeId}
      </Link>
    ),
    cellProps: ({ nodeId }) => ({ title: nodeId }),
  },
  {
    id: 'wanted',
    title: t('Requested'),
    card: 'name',
    cell: (row) => (
      <Link to="/orders" search={{ order: row.id }}>
        {sideWords(row.side)} {amount(row.amount)} {outcomeTitleOf(row)}
      </Link>
    ),
  },
  {
    id: 'became',
    title: t('What became of it'),
    card: 'state',
    cell: ({ status, reason }) => (
      <>
        <OrderStatusMark status={status} />
        {reason === null ? null : (
          <div className="dim small">
            <TranslatedReason of={reason} />
          </div>
        )}
      </>
    ),
    cellProps: () => ({ className: 'text-cell' }),
  },
];
