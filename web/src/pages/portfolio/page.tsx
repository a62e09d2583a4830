import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { Position } from '../../api/row-types.ts';
import { trpc } from '../../api/trpc.ts';
import { EquityPanel, rangeOf } from '../../charts/equity.tsx';
import { t } from '../../language/language.ts';
import { AccountFigures } from '../../statistics/account-figures.tsx';
import { useEquityCurve } from '../../statistics/use-equity-curve.ts';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { onDemand } from '../../ui/help/on-demand.tsx';
import { PageParts } from '../../ui/menu/page-parts.tsx';
import { PageHead, Panel, Skeleton } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { MixedPricesNotice } from '../../ui/price-source.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { ColumnMenu } from '../../ui/table/column-menu.tsx';
import { useDialogFromAddress } from '../../ui/use-dialog-from-address.ts';
import { Allocation } from './allocation.tsx';
import { columnsOf, PositionSums, PositionTable } from './positions.tsx';

/** Parts that are not shown first load when they are opened. */
const StatisticsPanels = onDemand(
  async () => (await import('../../statistics/panels.tsx')).StatisticsPanels,
  () => <Skeleton height={300} />,
);
const CalendarPanel = onDemand(
  async () => (await import('./calendar.tsx')).CalendarPanel,
  () => <Skeleton height={300} />,
);
const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.tsx')).CloseDialog }));
const FlattenDialog = lazy(async () => ({ default: (await import('./flatten-dialog.tsx')).FlattenDialog }));

/** The positions begin within the first screen. */
const EQUITY_PX = 250;
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

const useAccount = () => useQuery(trpc.console.account.queryOptions({}));

export function PortfolioPage() {
  const { range } = useSearch({ from: '/shell/portfolio' });
  const navigate = useNavigate({ from: '/portfolio' });
  const account = useAccount();
  const [closing, setClosing] = useState<Position | null>(null);
  const [flattening, setFlattening] = useState(false);
  useDialogFromAddress(
    'flatten',
    useCallback(() => setFlattening(true), []),
  );
  const { query, statistics, drawdown } = useEquityCurve(null, rangeOf(range));
  return (
    <div className="page">
      <PageHead title={t('Portfolio')} />
      <MixedPricesNotice />
      <EquityPanel
        range={rangeOf(range)}
        drawdown={drawdown}
        height={EQUITY_PX}
        onRange={(next) =>
          void navigate({ search: (now) => ({ ...now, range: next }), replace: true, resetScroll: false })
        }
      />
      <AccountFigures />
      <PageParts
        label={t('Portfolio')}
        parts={[
          {
            name: 'positions',
            title: t('Positions'),
            content: (
              <PositionsPart account={account} onFlatten={() => setFlattening(true)} onClose={setClosing} />
            ),
          },
          {
            name: 'statistics',
            title: t('Statistics'),
            content: statistics ? (
              <StatisticsPanels of={statistics} />
            ) : query.error ? (
              <ProblemNotice error={query.error} retry={() => void query.refetch()} />
            ) : (
              <Skeleton height={300} />
            ),
          },
          { name: 'days', title: t('Daily results'), content: <CalendarPanel /> },
        ]}
      />
      <Suspense fallback={null}>
        {flattening ? <FlattenDialog onClose={() => setFlattening(false)} /> : null}
        {closing ? <CloseDialog position={closing} onClose={() => setClosing(null)} /> : null}
      </Suspense>
    </div>
  );
}

type PositionsProps = {
  account: ReturnType<typeof useAccount>;
  onFlatten: () => void;
  onClose: (position: Position) => void;
};

/** The open positions, then the dust: what is below the venue's minimum. Their values add up to the account's. */
function PositionsPart({ account, onFlatten, onClose }: PositionsProps) {
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const names = new Map(blueprints.data?.map(({ id, name }) => [id, name]));
  const held = account.data?.positions ?? [];
  const columns = columnsOf(account.data?.equity, names);
  const rows = [...held.filter(({ isDust }) => !isDust), ...held.filter(({ isDust }) => isDust)];
  return (
    <Panel
      title={t('Positions')}
      flush
      actions={
        rows.length > 0 ? (
          <>
            <ColumnMenu name={TABLE} columns={columns} />
            <Button variant="default" onClick={() => void savePositions(held)}>
              {t('CSV')}
            </Button>
            <Button variant="default" onClick={onFlatten}>
              {t('Close everything…')}
            </Button>
          </>
        ) : null
      }
    >
      <PendingRows query={account} rows={5} height={22} />
      {account.data && rows.length > 0 ? <Allocation account={account.data} /> : null}
      {account.data && rows.length === 0 ? (
        <EmptyState
          title={t('No positions')}
          why={t(
            'Positions of your strategies appear here, with mark and P&L, until they are sold or settled.',
          )}
          action={<Link to="/markets">{t('Browse markets')}</Link>}
          command={curl('GET', '/api/portfolio/positions')}
        />
      ) : null}
      {rows.length > 0 ? (
        <PositionTable name={TABLE} columns={columns} rows={rows} onClose={onClose} />
      ) : null}
      {rows.length > 1 ? <PositionSums rows={rows} /> : null}
      {rows.some(({ isDust }) => isDust) ? (
        <p className="table-note dim small">
          {t(
            'Dust is below the venue’s minimum order: it cannot be sold alone, and your next buy adds to it. To delete its strategy, write it off first.',
          )}
        </p>
      ) : null}
    </Panel>
  );
}
