import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OctagonX } from 'lucide-react';
import { useCallback, useState } from 'react';
import { serviceMs } from '../../api/clock.ts';
import { pageMode } from '../../api/page-mode.ts';
import { trpc } from '../../api/trpc.ts';
import { EquityPanel, type Range } from '../../charts/equity.tsx';
import { t } from '../../language/language.ts';
import { AccountFigures } from '../../statistics/account-figures.tsx';
import { ActivityFeed } from '../../ui/activity-feed.tsx';
import { onDemand } from '../../ui/help/on-demand.tsx';
import { LockedNotice } from '../../ui/lock/locked-notice.tsx';
import { PageHead, Panel, Skeleton } from '../../ui/panel.tsx';
import { MixedPricesNotice } from '../../ui/price-source.tsx';
import { useDialogFromAddress } from '../../ui/use-dialog-from-address.ts';
import { Exposure } from './exposure.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NeedsYou } from './needs-you.tsx';
import { OpenPositions } from './open-positions.tsx';
import { RunningStrategies } from './running-strategies.tsx';
import { StopAllStrategiesDialog } from './stop-all-strategies-dialog.tsx';
import { StoppedConnectionsNotice } from './stopped-connections-notice.tsx';

/** Shown only on live pages. */
const ConnectionHealth = onDemand<object>(
  async () => (await import('./connection-health.tsx')).ConnectionHealth,
  () => <Skeleton height={120} />,
);

export function OverviewPage() {
  const [stopping, setStopping] = useState(false);
  useDialogFromAddress(
    'stop-all',
    useCallback(() => setStopping(true), []),
  );
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const pending = useQuery(trpc.console.orders.queryOptions({ status: 'pending' }));
  const history = useQuery(trpc.portfolio.history.queryOptions({ range: FIRST_RANGE }));
  const queries = [blueprints, keys, pending, history];
  const known = queries.every(({ data }) => data) || queries.some(({ error }) => error);
  const running = blueprints.data?.filter(({ status }) => status === 'running' || status === 'error') ?? [];
  return (
    <div className="page">
      <PageHead title={t('Overview')}>
        <Button
          variant="default"
          color="red"
          leftSection={<OctagonX size={14} aria-hidden />}
          disabled={running.length === 0}
          title={running.length === 0 ? t('Nothing is running.') : undefined}
          onClick={() => setStopping(true)}
        >
          {t('Stop all…')}
        </Button>
      </PageHead>
      {known ? (
        <Panels startedAt={history.data ? (history.data[0]?.at ?? null) : undefined} />
      ) : (
        <PanelSkeletons />
      )}
      {stopping ? <StopAllStrategiesDialog blueprints={running} onClose={() => setStopping(false)} /> : null}
    </div>
  );
}

/** The one large chart of the console; small in the first hour, when it has a few points. */
const EQUITY_PX = 340;
const YOUNG_EQUITY_PX = 160;
const YOUNG_MS = 3_600_000;
const FIRST_RANGE: Range = '1w';

/** Hidden until it is known what comes first: panels must not jump. */
const PanelSkeletons = () => (
  <>
    <Skeleton height={460} />
    <Skeleton height={360} />
  </>
);

/**
 * In the first hour comes what needs action, then the first steps. `startedAt`: when the account first had equity, null before;
 * undefined if unknown.
 */
function Panels({ startedAt }: { startedAt: string | null | undefined }) {
  const [range, setRange] = useState(FIRST_RANGE);
  const isYoung =
    startedAt === null || (startedAt !== undefined && serviceMs() - Date.parse(startedAt) < YOUNG_MS);
  return (
    <>
      <LockedNotice />
      <MixedPricesNotice />
      <StoppedConnectionsNotice />
      {isYoung ? <NeedsYou isFirst /> : null}
      {pageMode === 'paper' ? <FirstSteps /> : null}
      {startedAt === null ? null : (
        <EquityPanel range={range} onRange={setRange} height={isYoung ? YOUNG_EQUITY_PX : EQUITY_PX} />
      )}
      <AccountFigures hasWork />
      <div className="grid-2 urgent-first">
        <div className="stack">
          <RunningStrategies />
          <OpenPositions />
          <Exposure />
        </div>
        <div className="stack">
          {pageMode === 'live' ? <ConnectionHealth /> : null}
          {isYoung ? null : (
            <div className="urgent">
              <NeedsYou />
            </div>
          )}
          <Panel title={t('Latest activity')} actions={<Link to="/activity">{t('All')}</Link>} flush>
            <ActivityFeed />
          </Panel>
        </div>
      </div>
    </>
  );
}
