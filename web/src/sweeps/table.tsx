import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SweepOutline } from '../api/row-types.ts';
import { BacktestStatusMark } from '../backtests/status.tsx';
import { amount, signedFineShare } from '../format/number.ts';
import { msg, t } from '../language/language.ts';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { type Sort, sorted } from '../ui/table/sort.ts';
import { Age, TimeSpan } from '../ui/time.tsx';
import { DeflatedSharpe, Overfitting } from './deflated-sharpe.tsx';
import { isSweepUnderWay } from './form-values.ts';

/** The return of the best is always shown with the share that luck explains: no column can be hidden. */
const COLUMNS: readonly Column<SweepOutline>[] = [
  {
    id: 'name',
    title: msg('Name'),
    isSortable: true,
    cellProps: () => ({ className: 'text-cell' }),
    cell: ({ id, name }) => (
      <Link to="/sweeps/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  {
    id: 'status',
    title: msg('Status'),
    cell: (row) => (
      <span>
        <BacktestStatusMark status={row.status} />
        {isSweepUnderWay(row) && row.progress ? (
          <span className="dim small figures">
            {' '}
            {t('{done} of {total}', {
              done: amount(row.progress.done),
              total: row.progress.total === null ? '…' : amount(row.progress.total),
            })}
          </span>
        ) : null}
      </span>
    ),
  },
  {
    id: 'range',
    title: msg('Range'),
    cellProps: () => ({ className: 'small' }),
    cell: ({ from, to }) => <TimeSpan from={from} to={to} />,
  },
  {
    id: 'trials',
    title: msg('Trials'),
    isNumber: true,
    isSortable: true,
    cell: (row) => (isSweepUnderWay(row) ? '…' : amount(row.trials)),
  },
  {
    id: 'best',
    title: msg('Best return'),
    isNumber: true,
    isSortable: true,
    cell: ({ best, warnings }) => (
      <span>
        {signedFineShare(best?.figures.totalReturn.value)}
        {warnings > 0 ? (
          <span className="warn" title={t('Lines that spoil the result, or may')}>
            {' '}
            {warnings}!
          </span>
        ) : null}
      </span>
    ),
  },
  {
    id: 'luck',
    title: msg('More than luck'),
    isNumber: true,
    cell: ({ best }) => (best ? <DeflatedSharpe of={best.deflatedSharpe} /> : '—'),
  },
  {
    id: 'overfitted',
    title: msg('Overfitted'),
    isNumber: true,
    cell: ({ best }) => (best ? <Overfitting of={best.probabilityOfOverfitting} /> : '—'),
  },
  {
    id: 'asked',
    title: msg('Asked'),
    isSortable: true,
    cellProps: () => ({ className: 'dim' }),
    cell: ({ createdAt }) => <Age at={createdAt} />,
  },
];

const VALUES: Readonly<Record<string, (row: SweepOutline) => string | number | null>> = {
  name: ({ name }) => name,
  trials: ({ trials }) => trials,
  best: ({ best }) => best?.figures.totalReturn.value ?? null,
};
const NEWEST: Sort = { column: 'asked', isDown: true };

/** Sweeps, newest first unless sorted otherwise, each a link to its page. */
export function SweepTable({ rows }: { rows: readonly SweepOutline[] }) {
  const [sort, setSort] = useState(NEWEST);
  return (
    <DataTable
      name="sweeps"
      columns={COLUMNS}
      rows={sorted(rows, VALUES[sort.column] ?? (({ createdAt }) => createdAt), sort)}
      nameOf={({ name }) => name}
      sort={sort}
      onSort={setSort}
      rowProps={() => ({ tabIndex: 0 })}
    />
  );
}
