import { Link } from '@tanstack/react-router';
import { Pin } from 'lucide-react';
import type { BacktestOutline } from '../api/row-types.ts';
import { amount, fineShare, signedFineShare } from '../format/number.ts';
import { isUnderWay } from '../format/research/backtest-words.ts';
import { msg, t } from '../language/language.ts';
import { Pnl } from '../ui/status.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { SortedTable } from '../ui/table/sorted-table.tsx';
import { Age, TimeSpan } from '../ui/time.tsx';
import { BacktestStatusMark } from './status.tsx';

/** The key of the user's column choice. */
export const TABLE = 'backtests';

export const COLUMNS: readonly Column<BacktestOutline>[] = [
  {
    id: 'name',
    title: msg('Name'),
    sortBy: ({ name }) => name,
    cellProps: () => ({ className: 'text-cell' }),
    cell: ({ id, name, pinned, notes }) => (
      <span>
        <Link to="/backtests/$id" params={{ id }}>
          {name}
        </Link>{' '}
        {pinned ? <Pin size={12} aria-label={t('pinned')} /> : null}
        {notes === '' ? null : <span className="dim small clip block">{notes}</span>}
      </span>
    ),
  },
  {
    id: 'status',
    title: msg('Status'),
    cell: (row) => (
      <span>
        <BacktestStatusMark status={row.status} />
        {isUnderWay(row) && row.progress ? (
          <span className="dim small figures"> {amount(Math.floor(row.progress.percent))}%</span>
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
    id: 'profit',
    title: msg('Net profit'),
    isNumber: true,
    sortBy: ({ outline }) => outline?.netProfit ?? null,
    cell: ({ outline }) => <Pnl value={outline?.netProfit} />,
  },
  {
    id: 'return',
    title: msg('Return'),
    isNumber: true,
    sortBy: ({ outline }) => outline?.totalReturn.value ?? null,
    cell: ({ outline }) => signedFineShare(outline?.totalReturn.value),
  },
  {
    id: 'fall',
    title: msg('Max. drawdown'),
    isNumber: true,
    isLesser: true,
    sortBy: ({ outline }) => outline?.maxDrawdownShare ?? null,
    cell: ({ outline }) => (outline ? fineShare(-(outline.maxDrawdownShare ?? 0)) : '—'),
  },
  {
    id: 'trades',
    title: msg('Trades'),
    isNumber: true,
    isLesser: true,
    sortBy: ({ outline }) => outline?.trades ?? null,
    cell: ({ outline }) => amount(outline?.trades),
  },
  {
    id: 'fidelity',
    title: msg('Fidelity'),
    isNumber: true,
    isLesser: true,
    cell: ({ outline }) => (
      <span>
        {outline?.fidelity ?? '—'}
        {outline && outline.warnings > 0 ? (
          <span className="warn" title={t('Warnings that invalidate the result, or may')}>
            {' '}
            {outline.warnings}!
          </span>
        ) : null}
      </span>
    ),
  },
  {
    id: 'asked',
    title: msg('Requested'),
    sortBy: ({ createdAt }) => createdAt,
    cellProps: () => ({ className: 'dim' }),
    cell: ({ createdAt }) => <Age at={createdAt} />,
  },
];

type TableProps = {
  rows: readonly BacktestOutline[];
  /** The runs chosen for a comparison. */
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
};

/** Runs, newest first unless sorted otherwise, each a link to its page. */
export function BacktestTable({ rows, chosen, onChoose }: TableProps) {
  return (
    <SortedTable
      name={TABLE}
      columns={COLUMNS}
      rows={rows}
      nameOf={({ name, createdAt }) => t('{name} of {createdAt}', { name, createdAt })}
      first="asked"
      rowProps={() => ({ tabIndex: 0 })}
      selection={{ chosen, onChange: onChoose }}
    />
  );
}
