import { Link } from '@tanstack/react-router';
import type { SweepOutline } from '../api/row-types.ts';
import { BacktestStatusMark } from '../backtests/status.tsx';
import { amount, signedFineShare } from '../format/number.ts';
import { msg, t } from '../language/language.ts';
import type { Column } from '../ui/table/data-table.tsx';
import { SortedTable } from '../ui/table/sorted-table.tsx';
import { Age, TimeSpan } from '../ui/time.tsx';
import { DeflatedSharpe, Overfitting } from './deflated-sharpe.tsx';
import { isSweepUnderWay } from './form-values.ts';

/** The return of the best is always shown with the share that luck explains: no column can be hidden. */
const COLUMNS: readonly Column<SweepOutline>[] = [
  {
    id: 'name',
    title: msg('Name'),
    sortBy: ({ name }) => name,
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
    sortBy: ({ trials }) => trials,
    cell: (row) => (isSweepUnderWay(row) ? '…' : amount(row.trials)),
  },
  {
    id: 'best',
    title: msg('Best return'),
    isNumber: true,
    sortBy: ({ best }) => best?.figures.totalReturn.value ?? null,
    cell: ({ best, warnings }) => (
      <span>
        {signedFineShare(best?.figures.totalReturn.value)}
        {warnings > 0 ? (
          <span className="warn" title={t('Warnings that invalidate the result, or may')}>
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
    title: msg('Requested'),
    sortBy: ({ createdAt }) => createdAt,
    cellProps: () => ({ className: 'dim' }),
    cell: ({ createdAt }) => <Age at={createdAt} />,
  },
];

/** Sweeps, newest first unless sorted otherwise, each a link to its page. */
export function SweepTable({ rows }: { rows: readonly SweepOutline[] }) {
  return (
    <SortedTable
      name="sweeps"
      columns={COLUMNS}
      rows={rows}
      nameOf={({ name }) => name}
      first="asked"
      rowProps={() => ({ tabIndex: 0 })}
    />
  );
}
