import { Link } from '@tanstack/react-router';
import type { SweepOutline } from '../api/rows.ts';
import { BacktestStatusMark } from '../backtests/status.tsx';
import { amount, signedFineShare } from '../format/number.ts';
import { Age, Span } from '../ui/time.tsx';
import { isGoingOn } from './form-values.ts';
import { Deflated, Overfitting } from './luck.tsx';

/** Sweeps, newest first. The return of the best never stands without what luck explains of it. */
export const SweepTable = ({ rows }: { rows: readonly SweepOutline[] }) => (
  <table className="rows cards">
    <thead>
      <tr>
        <th>Name</th>
        <th>Status</th>
        <th>Range</th>
        <th className="num">Trials</th>
        <th className="num">Best return</th>
        <th className="num">More than luck</th>
        <th className="num">Overfitted</th>
        <th>Asked</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </tbody>
  </table>
);

function Row({ row }: { row: SweepOutline }) {
  const { id, name, status, progress, from, to, trials, best, warnings, createdAt } = row;
  return (
    <tr data-row={id} tabIndex={0} aria-label={name}>
      <td data-label="Name" className="text-cell">
        <Link to="/sweeps/$id" params={{ id }}>
          {name}
        </Link>
      </td>
      <td data-label="Status">
        <BacktestStatusMark status={status} />
        {isGoingOn(row) && progress ? (
          <span className="dim small figures">
            {' '}
            {amount(progress.done)} of {progress.total === null ? '…' : amount(progress.total)}
          </span>
        ) : null}
      </td>
      <td data-label="Range" className="small">
        <Span from={from} to={to} />
      </td>
      <td data-label="Trials" className="num">
        {isGoingOn(row) ? '…' : amount(trials)}
      </td>
      <td data-label="Best return" className="num">
        {signedFineShare(best?.figures.totalReturn.value)}
        {warnings > 0 ? (
          <span className="warn" title="Lines that spoil the result, or may">
            {' '}
            {warnings}!
          </span>
        ) : null}
      </td>
      <td data-label="More than luck" className="num">
        {best ? <Deflated of={best.deflatedSharpe} /> : '—'}
      </td>
      <td data-label="Overfitted" className="num">
        {best ? <Overfitting of={best.probabilityOfOverfitting} /> : '—'}
      </td>
      <td data-label="Asked" className="dim">
        <Age at={createdAt} />
      </td>
    </tr>
  );
}
