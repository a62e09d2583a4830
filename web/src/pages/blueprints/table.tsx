import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleStop, Copy, Rocket } from 'lucide-react';
import type { Outputs } from '../../api/trpc.ts';
import { Sparkline, upToNow } from '../../charts/sparkline.tsx';
import { NextAction } from '../../editor/lazy-next-action.tsx';
import { signedUsd } from '../../format/number.ts';
import { msg, t } from '../../language/language.ts';
import { rowOpens } from '../../shell/shortcuts.ts';
import { Id } from '../../ui/copy.tsx';
import { BlueprintStatusMark, Pnl } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { SortedTable } from '../../ui/table/sorted-table.tsx';
import { Tags } from '../../ui/tags.tsx';
import { Time } from '../../ui/time.tsx';

export type Row = Outputs['console']['blueprints'][number];
type Performance = Outputs['console']['account']['strategies'][number];
/** The result of each blueprint that ever traded. */
export type ResultsById = ReadonlyMap<string, Performance>;
/** The result of each blueprint over the last week, in USD. */
export type SparklinesById = ReadonlyMap<string, readonly number[]>;

/** The key of the user's column choice. */
export const TABLE = 'blueprints';

const ERROR: Column<Row> = {
  id: 'error',
  title: msg('Error'),
  cell: ({ error }) => error,
  cellProps: ({ error }) => ({ className: error ? 'text-cell bad small' : 'text-cell dim' }),
};

const TAGS: Column<Row> = {
  id: 'tags',
  title: msg('Tags'),
  cell: ({ tags }) => <Tags of={tags} />,
  cellProps: ({ tags }) => ({ className: tags.length > 0 ? 'tags-cell' : 'dim' }),
};

const weekColumn = (lines: SparklinesById, made: ResultsById): Column<Row> => ({
  id: 'week',
  title: t('Last week'),
  cell: ({ id, name }) => (
    <Sparkline
      values={upToNow(lines.get(id) ?? [], made.get(id)?.totalPnl)}
      label={t('How {name} went in the last week', { name })}
    />
  ),
  cellProps: () => ({ className: 'lesser dim' }),
});

const positionColumn = (held: RowData['held']): Column<Row> => ({
  id: 'position',
  title: t('Position'),
  cell: ({ id }) => held.get(id),
  cellProps: ({ id }) => ({ className: held.has(id) ? 'text-cell' : 'text-cell dim' }),
});

/** Data of the rows beside the strategies themselves. */
export type RowData = {
  made: ResultsById;
  lines: SparklinesById;
  /** The instruments that each strategy holds. */
  held: ReadonlyMap<string, string>;
  /** Strategies whose next action is shown: their values are read together. */
  running: string[];
  hasErrors: boolean;
  hasTags: boolean;
};

export const columnsOf = ({
  made,
  lines,
  held,
  running,
  hasErrors,
  hasTags,
}: RowData): readonly Column<Row>[] => [
  {
    id: 'status',
    title: t('Status'),
    sortBy: ({ status }) => status,
    cell: ({ status }) => <BlueprintStatusMark status={status} />,
  },
  {
    id: 'name',
    title: t('Name'),
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/blueprints/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  {
    id: 'pnl',
    title: 'P&L',
    isNumber: true,
    sortBy: ({ id }) => made.get(id)?.totalPnl ?? null,
    cell: ({ id }) => <Pnl value={made.get(id)?.totalPnl} />,
    cellProps: ({ id }) => ({ title: madeWords(made.get(id)) }),
  },
  ...(lines.size > 0 ? [weekColumn(lines, made)] : []),
  ...(hasErrors ? [ERROR] : []),
  ...(running.length > 0
    ? [
        {
          id: 'next',
          title: t('Next'),
          cell: ({ id }: Row) => (running.includes(id) ? <NextAction id={id} ids={running} /> : null),
          cellProps: ({ id }: Row) => (running.includes(id) ? {} : { className: 'dim' }),
        },
      ]
    : []),
  {
    id: 'last-fill',
    title: t('Last fill'),
    sortBy: ({ id }) => made.get(id)?.lastFillAt ?? null,
    isLesser: true,
    cell: ({ id }) => <LastFill at={made.get(id)?.lastFillAt} />,
    cellProps: ({ id }) => (made.has(id) ? {} : { className: 'dim' }),
  },
  ...(held.size > 0 ? [positionColumn(held)] : []),
  ...(hasTags ? [TAGS] : []),
  {
    id: 'updated',
    title: t('Updated'),
    isLesser: true,
    sortBy: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
  { id: 'id', title: t('ID'), cell: ({ id }) => <Id id={id} label={t('strategy ID')} /> },
];

type TableProps = {
  rows: readonly Row[];
  data: RowData;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onOpen: (id: string) => void;
  /** Opens the dialog of an action on the page of the strategy. */
  onAct: (id: string, act: 'deploy' | 'stop') => void;
  onDuplicate: (row: Row) => void;
};

export function BlueprintTable({ rows, data, chosen, onChoose, onOpen, onAct, onDuplicate }: TableProps) {
  return (
    <SortedTable
      name={TABLE}
      isCompact
      columns={columnsOf(data)}
      rows={rows}
      nameOf={({ name }) => name}
      selection={{ chosen, onChange: onChoose }}
      rowProps={({ id }) => rowOpens(() => onOpen(id))}
      actions={(row) => (
        <>
          <StartOrStop of={row} onAct={onAct} />
          <ActionIcon
            aria-label={t('Duplicate {name}', { name: row.name })}
            title={t('Duplicate')}
            onClick={() => onDuplicate(row)}
          >
            <Copy size={14} aria-hidden />
          </ActionIcon>
        </>
      )}
    />
  );
}

function StartOrStop({ of: { id, name, status }, onAct }: { of: Row } & Pick<TableProps, 'onAct'>) {
  const isStopped = status === 'draft' || status === 'stopped';
  return (
    <ActionIcon
      aria-label={isStopped ? t('Deploy “{name}”…', { name }) : t('Stop “{name}”…', { name })}
      title={isStopped ? t('Deploy…') : t('Stop…')}
      onClick={() => onAct(id, isStopped ? 'deploy' : 'stop')}
    >
      {isStopped ? <Rocket size={14} aria-hidden /> : <CircleStop size={14} aria-hidden />}
    </ActionIcon>
  );
}

/** A cell that does not apply to a row is empty: a dash is an unknown number. */
const LastFill = ({ at }: { at: string | undefined }) => (at === undefined ? null : <Time at={at} />);

const madeWords = (made: Performance | undefined): string =>
  made
    ? t('{realizedPnl} realized after fees, {unrealizedPnl} unrealized', {
        realizedPnl: signedUsd(made.realizedPnl),
        unrealizedPnl: signedUsd(made.unrealizedPnl),
      })
    : t('It has not traded yet.');
