import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { Position } from '../../api/row-types.ts';
import { trpc } from '../../api/trpc.ts';
import { EquityPanel, rangeOf } from '../../charts/equity.tsx';
import { t } from '../../language/language.ts';
import { useEquityCurve } from '../../statistics/use-equity-curve.ts';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { MixedPricesNotice } from '../../ui/price-source.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { ColumnMenu } from '../../ui/table/column-menu.tsx';
import { useDialogFromAddress } from '../../ui/use-dialog-from-address.ts';
import { Allocation } from './allocation.tsx';
import { columnsOf, PositionSums, PositionTable } from './positions.tsx';

/** Panels below the first view load after it. */
const StatisticsPanels = lazy(async () => ({
  default: (await import('../../statistics/panels.tsx')).StatisticsPanels,
}));
const CalendarPanel = lazy(async () => ({ default: (await import('./calendar.tsx')).CalendarPanel }));
const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.tsx')).CloseDialog }));
const FlattenDialog = lazy(async () => ({ default: (await import('./flatten-dialog.tsx')).FlattenDialog }));

const TABLE = 'positions';
/** Its code loads when it is pressed. */
async function savePositions(rows: readonly Position[]): Promise<void> {
  try {
    (await import('./save-positions-csv.ts')).savePositionsCsv(rows);
  } catch {
    const message = t('This part could not be loaded; the console may have been updated meanwhile.');
    notifications.show({ color: 'yellow', message });
  }
}

export function PortfolioPage() {
  const { range } = useSearch({ from: '/shell/portfolio' });
  const navigate = useNavigate({ from: '/portfolio' });
  const account = useQuery(trpc.console.account.queryOptions({}));
  const [closing, setClosing] = useState<Position | null>(null);
  const [flattening, setFlattening] = useState(false);
  useDialogFromAddress(
    'flatten',
    useCallback(() => setFlattening(true), []),
  );
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const names = new Map(blueprints.data?.map(({ id, name }) => [id, name]));
  const held = account.data?.positions ?? [];
  const columns = columnsOf(held, names);
  const dust = held.filter(({ isDust }) => isDust);
  const open = held.filter(({ isDust }) => !isDust);
  const { query, statistics, drawdown } = useEquityCurve(null, rangeOf(range));
  return (
    <div className="page">
      <PageHead title={t('Portfolio')} />
      <MixedPricesNotice />
      <EquityPanel
        range={rangeOf(range)}
        drawdown={drawdown}
        onRange={(next) => void navigate({ search: { range: next }, replace: true })}
      />
      <Panel
        title={t('Positions')}
        flush
        actions={
          held.length > 0 ? (
            <>
              <ColumnMenu name={TABLE} columns={columns} />
              <Button variant="default" onClick={() => void savePositions(held)}>
                {t('CSV')}
              </Button>
              <Button variant="default" onClick={() => setFlattening(true)}>
                {t('Close everything…')}
              </Button>
            </>
          ) : null
        }
      >
        <PendingRows query={account} rows={5} height={22} />
        {account.data && open.length === 0 ? (
          <EmptyState
            title={t('No positions')}
            why={t(
              'What your strategies buy is listed here, with its mark and what it made, until it is sold or settled.',
            )}
            action={<Link to="/markets">{t('Look at the markets')}</Link>}
            command={curl('GET', '/api/portfolio/positions')}
          />
        ) : null}
        {open.length > 0 ? (
          <PositionTable name={TABLE} columns={columns} rows={open} onClose={setClosing} />
        ) : null}
        {open.length > 1 ? <PositionSums rows={open} /> : null}
        {account.data && open.length > 0 ? <Allocation rows={held} cash={account.data.cash} /> : null}
      </Panel>
      {dust.length > 0 ? (
        <Panel title={t('Dust: below the venue’s minimum order')} flush>
          <p className="plain dim">
            {t(
              'The next purchase takes it in. To be rid of it, close it and write it off: a strategy that holds it can be deleted only then.',
            )}
          </p>
          <PositionTable name={TABLE} columns={columns} rows={dust} onClose={setClosing} />
        </Panel>
      ) : null}
      <Suspense fallback={null}>
        {statistics ? <StatisticsPanels of={statistics} /> : null}
        <CalendarPanel />
        {flattening ? <FlattenDialog onClose={() => setFlattening(false)} /> : null}
        {closing ? <CloseDialog position={closing} onClose={() => setClosing(null)} /> : null}
      </Suspense>
      {query.error && !statistics ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
    </div>
  );
}
