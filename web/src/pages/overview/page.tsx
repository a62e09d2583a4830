import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OctagonX } from 'lucide-react';
import { useCallback, useState } from 'react';
import { pageMode } from '../../api/here.ts';
import { trpc } from '../../api/trpc.ts';
import { EquityPanel, type Range } from '../../charts/equity.tsx';
import { relative } from '../../format/time.ts';
import { t } from '../../language/language.ts';
import { ActivityFeed } from '../../ui/activity-feed.tsx';
import { useAsked } from '../../ui/asked.ts';
import { PageHead, Panel, Skeleton } from '../../ui/panel.tsx';
import { MixedPrices } from '../../ui/prices.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Pnl } from '../../ui/status.tsx';
import { ConnectionHealth, ConnectionsLine } from './connections.tsx';
import { Exposure } from './exposure.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MoneyPanel, ProfitByStrategy } from './money.tsx';
import { NeedsYou } from './needs-you.tsx';
import { StopAllDialog } from './stop-all.tsx';

export function OverviewPage() {
  const [stopping, setStopping] = useState(false);
  useAsked(
    'stop-all',
    useCallback(() => setStopping(true), []),
  );
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const known = (blueprints.data && keys.data) || blueprints.error || keys.error;
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
      {known ? <Panels /> : <PanelsOnTheirWay />}
      {stopping ? <StopAllDialog blueprints={running} onClose={() => setStopping(false)} /> : null}
    </div>
  );
}

/** Until it is known whether the first steps are shown, nothing is: what stands must not jump. */
const PanelsOnTheirWay = () => (
  <>
    <Skeleton height={96} />
    <Skeleton height={560} />
  </>
);

function Panels() {
  const [range, setRange] = useState<Range>('1w');
  return (
    <>
      <MixedPrices />
      <ConnectionsLine />
      <Kpis />
      {pageMode === 'paper' ? <FirstSteps /> : null}
      <MoneyPanel />
      <div className="grid-2">
        <div className="stack">
          <EquityPanel range={range} onRange={setRange} />
          <ProfitByStrategy />
          <Exposure />
        </div>
        <div className="stack">
          {pageMode === 'live' ? <ConnectionHealth /> : null}
          <NeedsYou />
          <Panel title={t('Latest activity')} actions={<Link to="/activity">{t('All')}</Link>} flush>
            <ActivityFeed />
          </Panel>
        </div>
      </div>
    </>
  );
}

function Kpis() {
  const summary = useQuery(trpc.console.account.queryOptions({}));
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const usage = useQuery(trpc.riskRules.usage.queryOptions({}));
  const pending = useQuery(trpc.console.orders.queryOptions({ status: 'pending' }));
  const failed = blueprints.data?.filter(({ status }) => status === 'error').length ?? 0;
  const slots = usage.data?.lines.find(({ rule }) => rule === 'maxOpenPositions');
  const oldest = pending.data?.at(-1)?.createdAt;
  if (summary.error && !summary.data) {
    return <ProblemNotice error={summary.error} retry={() => void summary.refetch()} />;
  }
  const { data } = summary;
  return (
    <div className="grid-4">
      <Link to="/portfolio" className="kpi">
        <span className="label">{t('Total profit and loss')}</span>
        <span className="value">{data ? <Pnl value={data.totalPnl} /> : '—'}</span>
        <span className="note">{t('realized and unrealized, after fees')}</span>
      </Link>
      <Link to="/blueprints" search={{ status: 'running' }} className="kpi">
        <span className="label">{t('Running')}</span>
        <span className="value">{data?.runningBlueprints ?? '—'}</span>
        <span className={failed > 0 ? 'note bad' : 'note'}>
          {failed > 0
            ? t('{failed} in error', { failed })
            : t('of {data} blueprints', { data: blueprints.data?.length ?? '—' })}
        </span>
      </Link>
      <Link to="/portfolio" className="kpi">
        <span className="label">{t('Open positions')}</span>
        <span className="value">{data?.openPositions ?? '—'}</span>
        <span className="note">
          {slots
            ? t('{used} of {limit} held or being bought', { used: slots.used ?? '—', limit: slots.limit })
            : '—'}
        </span>
      </Link>
      <Link to="/orders" className="kpi">
        <span className="label">{t('Waiting for you')}</span>
        <span className="value">{data?.pendingOrders ?? '—'}</span>
        <span className="note">
          {oldest ? t('oldest {oldest}', { oldest: relative(new Date(oldest)) }) : t('no approvals')}
        </span>
      </Link>
    </div>
  );
}
