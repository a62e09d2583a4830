import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Copy, FileUp, Plus } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { type Outputs, trpc } from '../../api/trpc.ts';
import { faultOfDrawing } from '../../editor/drawing/json.ts';
import { isFields } from '../../editor/drawing/model.ts';
import { signedUsd } from '../../format/number.ts';
import { rowOpens } from '../../shell/shortcuts.ts';
import { useAsked } from '../../ui/asked.ts';
import { curl, Id } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { type BlueprintStatus, BlueprintStatusMark, Pnl } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { NAME_MAX, useCreate, useDuplicate } from './create.ts';
import { NewBlueprint } from './new.tsx';

type Row = Outputs['console']['blueprints'][number];
type Performance = Outputs['console']['performance'][number];
/** Marks move what is held; trades are told by the stream. */
const PERFORMANCE_REFRESH_MS = 10_000;
const STATUSES: readonly BlueprintStatus[] = ['running', 'error', 'draft', 'stopped'];

export function BlueprintsPage() {
  const { status } = useSearch({ from: '/shell/blueprints' });
  const navigate = useNavigate({ from: '/blueprints' });
  const list = useQuery(trpc.console.blueprints.queryOptions({}));
  const performance = useQuery({
    ...trpc.console.performance.queryOptions({}),
    refetchInterval: PERFORMANCE_REFRESH_MS,
  });
  const made = new Map(performance.data?.map((each) => [each.blueprintId, each]));
  const [adding, setAdding] = useState(false);
  useAsked(
    'new',
    useCallback(() => setAdding(true), []),
  );
  const create = useCreate();
  const duplicate = useDuplicate();
  const open = (id: string) => void navigate({ to: '/blueprints/$id', params: { id } });
  const draw = (id: string) =>
    void navigate({ to: '/blueprints/$id', params: { id }, search: { do: 'draw' } });
  const rows = list.data?.filter((row) => !status || row.status === status);
  return (
    <div className="page">
      <PageHead title="Blueprints">
        <ImportButton onImport={(name, visual) => create.mutate({ name, visual })} />
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAdding(true)}>
          New blueprint
        </Button>
      </PageHead>
      <Panel
        title="All blueprints"
        flush
        actions={
          <nav className="row tight" aria-label="Status">
            <StatusFilter status={undefined} current={status} count={list.data?.length} />
            {STATUSES.map((each) => (
              <StatusFilter
                key={each}
                status={each}
                current={status}
                count={list.data?.filter((row) => row.status === each).length}
              />
            ))}
          </nav>
        }
      >
        {list.error && !list.data ? (
          <ProblemNotice error={list.error} retry={() => void list.refetch()} />
        ) : null}
        {!list.data && !list.error ? <RowSkeleton rows={6} height={22} /> : null}
        {rows?.length === 0 ? (
          <Empty
            title={status ? `No blueprint is ${status}` : 'No blueprints yet'}
            why="A blueprint is a strategy drawn as a graph: prices in, conditions, risk, orders out."
            action={<Button onClick={() => setAdding(true)}>New blueprint</Button>}
            command={curl('POST', '/api/blueprints', { name: 'My strategy' })}
          />
        ) : null}
        {rows && rows.length > 0 ? (
          <BlueprintTable
            rows={rows}
            made={made}
            onOpen={open}
            onDuplicate={({ id }) => duplicate.mutate(id)}
          />
        ) : null}
      </Panel>
      {adding ? <NewBlueprint onClose={() => setAdding(false)} onCreated={draw} /> : null}
    </div>
  );
}

type StatusFilterProps = {
  status: BlueprintStatus | undefined;
  current: string | undefined;
  count: number | undefined;
};

const StatusFilter = ({ status, current, count }: StatusFilterProps) => (
  <Link
    to="/blueprints"
    search={status ? { status } : {}}
    className="chip"
    aria-current={status === current ? 'true' : undefined}
  >
    {status ?? 'all'} {count ?? ''}
  </Link>
);

type TableProps = {
  rows: readonly Row[];
  /** What each blueprint that ever traded has made. */
  made: ReadonlyMap<string, Performance>;
  onOpen: (id: string) => void;
  onDuplicate: (row: Row) => void;
};

function BlueprintTable({ rows, made, onOpen, onDuplicate }: TableProps) {
  return (
    <table className="rows cards compact">
      <thead>
        <tr>
          <th>Status</th>
          <th>Name</th>
          <th className="num">P&L</th>
          <th>Error</th>
          <th>Updated</th>
          <th>Id</th>
          <th>
            <span className="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-row={row.id} {...rowOpens(() => onOpen(row.id))} aria-label={row.name}>
            <td data-label="Status">
              <BlueprintStatusMark status={row.status} />
            </td>
            <td data-label="Name">
              <Link to="/blueprints/$id" params={{ id: row.id }}>
                {row.name}
              </Link>
            </td>
            <td data-label="P&L" className="num" title={madeWords(made.get(row.id))}>
              <Pnl value={made.get(row.id)?.totalPnl} />
            </td>
            <td data-label="Error" className={row.error ? 'text-cell bad small' : 'text-cell dim'}>
              {row.error ?? '—'}
            </td>
            <td data-label="Updated">
              <Time at={row.updatedAt} />
            </td>
            <td data-label="Id">
              <Id id={row.id} label="blueprint id" />
            </td>
            <td className="num">
              <Button
                variant="subtle"
                color="gray"
                aria-label={`Duplicate ${row.name}`}
                onClick={() => onDuplicate(row)}
              >
                <Copy size={14} aria-hidden />
                <span className="hide-small">&nbsp;Duplicate</span>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const madeWords = (made: Performance | undefined): string =>
  made
    ? `${signedUsd(made.realizedPnl)} realized after fees, ${signedUsd(made.unrealizedPnl)} unrealized`
    : 'It has not traded yet.';

function ImportButton({ onImport }: { onImport: (name: string, visual: unknown) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const refuse = (message: string) => notifications.show({ color: 'red', message });
  const read = async (file: File) => {
    try {
      const content: unknown = JSON.parse(await file.text());
      const fields = isFields(content) ? content : {};
      const visual = 'visual' in fields ? fields['visual'] : content;
      const fault = faultOfDrawing(visual);
      if (fault) return void refuse(`${file.name}: ${fault}`);
      const named = typeof fields['name'] === 'string' ? fields['name'].trim() : '';
      onImport((named || file.name.replace(/\.json$/i, '') || 'Imported').slice(0, NAME_MAX), visual);
    } catch (error) {
      refuse(`${file.name} is not JSON: ${error instanceof Error ? error.message : error}`);
    }
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void read(file);
          event.currentTarget.value = '';
        }}
      />
      <Button
        variant="default"
        leftSection={<FileUp size={14} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        Import JSON
      </Button>
    </>
  );
}
