import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { type Outputs, trpc } from '../api/trpc.ts';
import { share, signedUsd, usd } from '../format/number.ts';
import { Panel } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';

const SeriesChart = lazy(() => import('./series-chart.tsx'));

export const RANGES = ['1d', '1w', '1m', 'all'] as const;
export type Range = (typeof RANGES)[number];
const RANGE_WORDS: Record<Range, string> = { '1d': '1D', '1w': '1W', '1m': '1M', all: 'All' };

export const rangeOf = (word: string | undefined): Range => RANGES.find((range) => range === word) ?? '1w';

const HEIGHT = 220;

type EquityProps = { range: Range; onRange: (range: Range) => void };

/** What the account is worth over time, green above where the range began and red below. */
export function EquityPanel({ range, onRange }: EquityProps) {
  const history = useQuery({
    ...trpc.portfolio.history.queryOptions({ range }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title="Equity"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Range"
          value={range}
          data={RANGES.map((value) => ({ value, label: RANGE_WORDS[value] }))}
          onChange={(value) => onRange(rangeOf(value))}
        />
      }
    >
      <div style={{ minHeight: HEIGHT + 26 }}>
        {history.error ? (
          <ProblemNotice error={history.error} retry={() => void history.refetch()} />
        ) : history.data ? (
          <Curve points={history.data} />
        ) : (
          <span className="skeleton" style={{ height: HEIGHT }} />
        )}
      </div>
    </Panel>
  );
}

function Curve({ points }: { points: Outputs['portfolio']['history'] }) {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) {
    return (
      <div className="empty" style={{ minHeight: HEIGHT }}>
        <strong>No equity yet</strong>
        <p>A point is kept every five minutes from your first deploy on.</p>
      </div>
    );
  }
  const change = last.equity - first.equity;
  const drawdown = maxDrawdown(points.map(({ equity }) => equity));
  return (
    <>
      <div className="row" style={{ minHeight: 22 }}>
        <strong>{usd(last.equity)}</strong>
        <span className={change >= 0 ? 'up' : 'down'}>{signedUsd(change)}</span>
        <span className="dim small">deepest fall {share(drawdown)}</span>
      </div>
      <Suspense fallback={<span className="skeleton" style={{ height: HEIGHT }} />}>
        <SeriesChart
          label="Equity curve"
          summary={`Equity went from ${usd(first.equity)} to ${usd(last.equity)}, a change of ${signedUsd(change)}; the deepest fall was ${share(drawdown)}.`}
          height={HEIGHT}
          write={usd}
          baseline={first.equity}
          points={points.map(({ at, equity }) => ({ at, value: equity }))}
        />
      </Suspense>
    </>
  );
}

/** The largest fall from a peak, as a part of the peak. */
function maxDrawdown(values: readonly number[]): number {
  let peak = Number.NEGATIVE_INFINITY;
  let deepest = 0;
  for (const value of values) {
    peak = Math.max(peak, value);
    if (peak > 0) deepest = Math.max(deepest, (peak - value) / peak);
  }
  return deepest;
}
