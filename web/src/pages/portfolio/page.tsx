import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { Position } from '../../api/rows.ts';
import { trpc } from '../../api/trpc.ts';
import { EquityPanel, rangeOf } from '../../charts/equity.tsx';
import { amount, share, shortToken, usd } from '../../format/number.ts';
import { outcomeOf } from '../../format/order.ts';
import { priceAt, venueTitle } from '../../format/venue.ts';
import { useCurve } from '../../statistics/use-curve.ts';
import { useAsked } from '../../ui/asked.ts';
import { CopyButton, curl } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { MixedPrices } from '../../ui/prices.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Meter, Pnl } from '../../ui/status.tsx';
import { Age } from '../../ui/time.tsx';

/** What is looked at later than the first view comes after it. */
const StatisticsPanels = lazy(async () => ({
  default: (await import('../../statistics/panels.tsx')).StatisticsPanels,
}));
const CalendarPanel = lazy(async () => ({ default: (await import('./calendar.tsx')).CalendarPanel }));
const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.tsx')).CloseDialog }));
const FlattenDialog = lazy(async () => ({ default: (await import('./flatten-dialog.tsx')).FlattenDialog }));

export function PortfolioPage() {
  const { range } = useSearch({ from: '/shell/portfolio' });
  const navigate = useNavigate({ from: '/portfolio' });
  const positions = useQuery(trpc.portfolio.positions.queryOptions({}));
  const [closing, setClosing] = useState<Position | null>(null);
  const [flattening, setFlattening] = useState(false);
  useAsked(
    'flatten',
    useCallback(() => setFlattening(true), []),
  );
  const { query, statistics, drawdown } = useCurve(null, rangeOf(range));
  return (
    <div className="page">
      <PageHead title="Portfolio" />
      <MixedPrices />
      <EquityPanel
        range={rangeOf(range)}
        drawdown={drawdown}
        onRange={(next) => void navigate({ search: { range: next }, replace: true })}
      />
      <Panel
        title="Positions"
        flush
        actions={
          positions.data && positions.data.length > 0 ? (
            <Button variant="default" onClick={() => setFlattening(true)}>
              Close everything…
            </Button>
          ) : null
        }
      >
        {positions.error && !positions.data ? (
          <ProblemNotice error={positions.error} retry={() => void positions.refetch()} />
        ) : null}
        {!positions.data && !positions.error ? <RowSkeleton rows={5} height={22} /> : null}
        {positions.data?.length === 0 ? (
          <Empty
            title="No positions"
            why="What your strategies buy is listed here, with its mark and what it made, until it is sold or settled."
            action={<Link to="/markets">Look at the markets</Link>}
            command={curl('GET', '/api/portfolio/positions')}
          />
        ) : null}
        {positions.data && positions.data.length > 0 ? (
          <PositionTable rows={positions.data} onClose={setClosing} />
        ) : null}
      </Panel>
      <Suspense fallback={null}>
        <CalendarPanel />
        {statistics ? <StatisticsPanels of={statistics} /> : null}
        {flattening ? <FlattenDialog onClose={() => setFlattening(false)} /> : null}
        {closing ? <CloseDialog position={closing} onClose={() => setClosing(null)} /> : null}
      </Suspense>
      {query.error && !statistics ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
    </div>
  );
}

/** What it is worth at its mark; at cost while no mark is known. */
const worthOf = ({ amount: held, markPrice, averageCost }: Position) => held * (markPrice ?? averageCost);

function PositionTable({ rows, onClose }: { rows: readonly Position[]; onClose: (row: Position) => void }) {
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const names = new Map(blueprints.data?.map(({ id, name }) => [id, name]));
  const total = rows.reduce((sum, row) => sum + worthOf(row), 0);
  return (
    <table className="rows cards">
      <thead>
        <tr>
          <th>Instrument</th>
          <th className="lesser">Venue</th>
          <th className="num">Held</th>
          <th className="num">Average cost</th>
          <th className="num">Mark (best bid)</th>
          <th className="num">Worth</th>
          <th className="lesser">Share</th>
          <th className="num">Unrealized</th>
          <th className="num">Realized</th>
          <th>Blueprint</th>
          <th className="lesser">Since</th>
          <th>
            <span className="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={`${row.tokenId}${row.blueprintId}`}
            data-row={row.tokenId}
            tabIndex={0}
            aria-label={row.title}
          >
            <td data-label="Instrument">
              <span>
                {outcomeOf(row.tokenId)} {row.title}{' '}
                <span className="id" title={row.tokenId}>
                  {shortToken(row.tokenId)}
                  <CopyButton text={row.tokenId} label={`Copy instrument ${row.tokenId}`} />
                </span>
              </span>
            </td>
            <td data-label="Venue" className="lesser dim">
              {venueTitle(row.venue)}
            </td>
            <td data-label="Held" className="num">
              {amount(row.amount)}
              {row.amountClosing > 0 ? (
                <div className="dim small">{amount(row.amountClosing)} closing</div>
              ) : null}
            </td>
            <td data-label="Average cost" className="num">
              {priceAt(row.venue, row.averageCost)}
            </td>
            <td data-label="Mark" className="num">
              {priceAt(row.venue, row.markPrice)}
            </td>
            <td data-label="Worth" className="num">
              {usd(row.markPrice === null ? null : worthOf(row))}
            </td>
            <td data-label="Share" className="lesser">
              <span className="share-bar">
                <Meter
                  isLimit={false}
                  used={worthOf(row)}
                  limit={total}
                  label={`${share(worthOf(row) / total)} of all positions`}
                />
              </span>
            </td>
            <td data-label="Unrealized" className="num">
              <Pnl value={row.unrealizedPnl} />
            </td>
            <td data-label="Realized" className="num">
              <Pnl value={row.realizedPnl} />
            </td>
            <td data-label="Blueprint">
              <Link to="/blueprints/$id" params={{ id: row.blueprintId }}>
                {names.get(row.blueprintId) ?? 'deleted'}
              </Link>
            </td>
            <td data-label="Since" className="lesser">
              <Age at={row.openedAt} />
            </td>
            <td className="num">
              <Button variant="default" onClick={() => onClose(row)}>
                Close…
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
