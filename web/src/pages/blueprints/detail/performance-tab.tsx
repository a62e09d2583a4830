import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../../api/trpc.ts';
import { drawdownLayer, type Range, RangeChoice, rangeOf } from '../../../charts/equity.tsx';
import { pointsChangeKey } from '../../../charts/layers.ts';
import { LazyChart } from '../../../charts/lazy-chart.tsx';
import { amount, usd } from '../../../format/number.ts';
import { t } from '../../../language/language.ts';
import { StatisticsPanels } from '../../../statistics/panels.tsx';
import { useEquityCurve } from '../../../statistics/use-equity-curve.ts';
import { Curl, curl } from '../../../ui/copy.tsx';
import { Panel, RowSkeleton } from '../../../ui/panel.tsx';
import { MixedPricesNotice } from '../../../ui/price-source.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { Pnl } from '../../../ui/status.tsx';
import { TradingPanels } from './trading/trading-panels.tsx';

const HEIGHT = 300;

/** The blueprint's result over all its deployments. */
export function PerformanceTab({ id }: { id: string }) {
  const performance = useQuery(trpc.blueprints.performance.queryOptions({ id }));
  if (performance.error && !performance.data) return <ProblemNotice error={performance.error} />;
  if (!performance.data) return <RowSkeleton rows={1} height={78} />;
  const { realizedPnl, unrealizedPnl, fees, fills } = performance.data;
  return (
    <div className="stack">
      <MixedPricesNotice />
      <div className="grid-4">
        <div className="kpi">
          <span className="label">{t('Realized')}</span>
          <span className="value">
            <Pnl value={realizedPnl} />
          </span>
          <span className="note">{t('after fees')}</span>
        </div>
        <div className="kpi">
          <span className="label">{t('Unrealized')}</span>
          <span className="value">
            <Pnl value={unrealizedPnl} />
          </span>
          <span className="note">{t('at best bids')}</span>
        </div>
        <div className="kpi">
          <span className="label">{t('Fees paid')}</span>
          <span className="value">{usd(fees)}</span>
        </div>
        <div className="kpi">
          <span className="label">{t('Fills')}</span>
          <span className="value">{amount(fills)}</span>
          <span className="note">{t('settlements included')}</span>
        </div>
      </div>
      <OverTime id={id} />
      <Curl command={curl('GET', `/api/blueprints/${id}/statistics?range=1m`)} />
    </div>
  );
}

/** Its curve and its figures, relative to the account's equity at the start of the range: it has no money of its own. */
function OverTime({ id }: { id: string }) {
  const { range: requested } = useSearch({ from: '/shell/blueprints/$id' });
  const navigate = useNavigate({ from: '/blueprints/$id' });
  const range = rangeOf(requested);
  const { query, statistics, equity, drawdown } = useEquityCurve(id, range);
  const start = equity?.[0]?.value;
  const choose = (next: Range) =>
    void navigate({ search: (now) => ({ ...now, range: next }), replace: true });
  return (
    <>
      <Panel title={t('Result over time')} actions={<RangeChoice range={range} onRange={choose} />}>
        <div style={{ minHeight: HEIGHT }}>
          {query.error && !equity ? (
            <ProblemNotice error={query.error} retry={() => void query.refetch()} />
          ) : null}
          {equity && drawdown && start !== undefined ? (
            <LazyChart
              label={t('Result over time')}
              summary={t('From {start} to {value}, of the account’s equity when the range began.', {
                start: usd(start),
                value: usd(equity.at(-1)?.value),
              })}
              height={HEIGHT}
              view={`${id} ${range}`}
              revision={pointsChangeKey(equity)}
              layers={[
                { kind: 'baseline', points: equity, baseline: start, write: usd },
                drawdownLayer(drawdown),
              ]}
            />
          ) : null}
        </div>
        <p className="plain dim small">
          {t(
            'The account’s equity when the range began, and what this strategy made of it; below, how far it lay under its peak.',
          )}
        </p>
      </Panel>
      <TradingPanels id={id} range={range} />
      {statistics ? <StatisticsPanels of={statistics} /> : null}
    </>
  );
}
