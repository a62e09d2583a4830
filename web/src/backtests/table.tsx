import { Link } from '@tanstack/react-router';
import { Pin } from 'lucide-react';
import type { BacktestOutline } from '../api/rows.ts';
import { isUnderWay } from '../format/backtest.ts';
import { amount, fineShare, signedFineShare } from '../format/number.ts';
import { Pnl } from '../ui/status.tsx';
import { Age, Span } from '../ui/time.tsx';
import { BacktestStatusMark } from './status.tsx';

type TableProps = {
  rows: readonly BacktestOutline[];
  /** Those chosen to be compared. */
  chosen: ReadonlySet<string>;
  onChoose: (id: string, isChosen: boolean) => void;
  /** Whether one more may be chosen. */
  isFull: boolean;
};

/** Runs, newest first, each a link to all of it. */
export function BacktestTable({ rows, chosen, onChoose, isFull }: TableProps) {
  return (
    <table className="rows cards">
      <thead>
        <tr>
          <th>
            <span className="sr">Compare</span>
          </th>
          <th>Name</th>
          <th>Status</th>
          <th>Range</th>
          <th className="num">Net profit</th>
          <th className="num">Return</th>
          <th className="num lesser">Deepest fall</th>
          <th className="num lesser">Trades</th>
          <th className="num lesser">Fidelity</th>
          <th>Asked</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            isChosen={chosen.has(row.id)}
            isFull={isFull}
            onChoose={(isChosen) => onChoose(row.id, isChosen)}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = {
  row: BacktestOutline;
  isChosen: boolean;
  isFull: boolean;
  onChoose: (isChosen: boolean) => void;
};

function Row({ row, isChosen, isFull, onChoose }: RowProps) {
  const { id, name, status, progress, from, to, outline, notes, pinned, createdAt } = row;
  return (
    <tr data-row={id} tabIndex={0} aria-label={name}>
      <td data-label="Compare">
        <input
          type="checkbox"
          className="tick"
          aria-label={`Compare ${name} of ${createdAt}`}
          checked={isChosen}
          disabled={isFull && !isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </td>
      <td data-label="Name" className="text-cell">
        <Link to="/backtests/$id" params={{ id }}>
          {name}
        </Link>{' '}
        {pinned ? <Pin size={12} aria-label="pinned" /> : null}
        {notes === '' ? null : <div className="dim small clip">{notes}</div>}
      </td>
      <td data-label="Status">
        <BacktestStatusMark status={status} />
        {isUnderWay(row) && progress ? (
          <span className="dim small figures"> {amount(Math.floor(progress.percent))}%</span>
        ) : null}
      </td>
      <td data-label="Range" className="small">
        <Span from={from} to={to} />
      </td>
      <td data-label="Net profit" className="num">
        <Pnl value={outline?.netProfit} />
      </td>
      <td data-label="Return" className="num">
        {signedFineShare(outline?.totalReturn.value)}
      </td>
      <td data-label="Deepest fall" className="num lesser">
        {outline ? fineShare(-(outline.maxDrawdownShare ?? 0)) : '—'}
      </td>
      <td data-label="Trades" className="num lesser">
        {amount(outline?.trades)}
      </td>
      <td data-label="Fidelity" className="num lesser">
        {outline?.fidelity ?? '—'}
        {outline && outline.warnings > 0 ? (
          <span className="warn" title="Lines that spoil the result, or may">
            {' '}
            {outline.warnings}!
          </span>
        ) : null}
      </td>
      <td data-label="Asked" className="dim">
        <Age at={createdAt} />
      </td>
    </tr>
  );
}
