import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../api/trpc.ts';
import { amount, usd } from '../../../format/number.ts';
import { Curl, curl } from '../../../ui/copy.tsx';
import { RowSkeleton } from '../../../ui/panel.tsx';
import { MixedPrices } from '../../../ui/prices.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { Pnl } from '../../../ui/status.tsx';

/** What it made over all its deployments. */
export function PerformanceTab({ id }: { id: string }) {
  const performance = useQuery(trpc.blueprints.performance.queryOptions({ id }));
  if (performance.error && !performance.data) return <ProblemNotice error={performance.error} />;
  if (!performance.data) return <RowSkeleton rows={1} height={78} />;
  const { realizedPnl, unrealizedPnl, fees, fills } = performance.data;
  return (
    <div className="stack">
      <MixedPrices />
      <div className="grid-4">
        <div className="kpi">
          <span className="label">Realized</span>
          <span className="value">
            <Pnl value={realizedPnl} />
          </span>
          <span className="note">after fees</span>
        </div>
        <div className="kpi">
          <span className="label">Unrealized</span>
          <span className="value">
            <Pnl value={unrealizedPnl} />
          </span>
          <span className="note">at best bids</span>
        </div>
        <div className="kpi">
          <span className="label">Fees paid</span>
          <span className="value">{usd(fees)}</span>
        </div>
        <div className="kpi">
          <span className="label">Fills</span>
          <span className="value">{amount(fills)}</span>
          <span className="note">settlements included</span>
        </div>
      </div>
      <Curl command={curl('GET', `/api/blueprints/${id}/performance`)} />
    </div>
  );
}
