import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Outputs, trpc } from '../api/trpc.ts';
import { signedUsd, usd } from '../format/number.ts';
import { type Message, msg, t } from '../language/language.ts';
import { Panel, Skeleton } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Pnl } from '../ui/status.tsx';
import { drawdownLayer, endingWith, type Point, pointsChangeKey } from './layers.ts';
import { LazyChart } from './lazy-chart.tsx';

export const RANGES = ['1d', '1w', '1m', 'all'] as const;
export type Range = (typeof RANGES)[number];
const RANGE_WORDS: Record<Range, Message> = {
  '1d': msg('1D'),
  '1w': msg('1W'),
  '1m': msg('1M'),
  all: msg('All'),
};

/** The time of the change beside the equity. */
const PERIOD_WORDS: Record<Range, Message> = {
  '1d': msg('past day'),
  '1w': msg('past week'),
  '1m': msg('past month'),
  all: msg('since the start'),
};

export const rangeOf = (word: string | undefined, other: Range = '1w'): Range =>
  RANGES.find((range) => range === word) ?? other;

/** The figure above the curve. */
const FIGURE_PX = 62;
/** The service stores a point every five minutes. */
const REFRESH_MS = 60_000;

export const RangeChoice = ({ range, onRange }: { range: Range; onRange: (range: Range) => void }) => (
  <SegmentedControl
    size="xs"
    aria-label={t('Range')}
    value={range}
    data={RANGES.map((value) => ({ value, label: t(RANGE_WORDS[value]) }))}
    onChange={(value) => onRange(rangeOf(value))}
  />
);

type EquityProps = {
  range: Range;
  onRange: (range: Range) => void;
  /** The drawdown, for a chart under the curve. */
  drawdown?: readonly Point[] | undefined;
  /** The height of the chart, in px. */
  height: number;
};

/** The account's equity over time, green above its value at the start of the range and red below. */
export function EquityPanel({ range, onRange, drawdown, height }: EquityProps) {
  const history = useQuery({
    ...trpc.portfolio.history.queryOptions({ range }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const account = useQuery(trpc.console.account.queryOptions({}));
  return (
    <Panel title={t('Equity')} actions={<RangeChoice range={range} onRange={onRange} />}>
      <div style={{ minHeight: height + FIGURE_PX }}>
        {history.error ? (
          <ProblemNotice error={history.error} retry={() => void history.refetch()} />
        ) : history.data && account.data ? (
          <Curve
            range={range}
            points={history.data}
            asOf={account.data.asOf}
            equity={account.data.equity}
            drawdown={drawdown}
            height={height}
          />
        ) : (
          <Skeleton height={height} />
        )}
      </div>
    </Panel>
  );
}

type CurveProps = {
  range: Range;
  points: Outputs['portfolio']['history'];
  /** When the equity was read. */
  asOf: string;
  equity: number;
  drawdown: readonly Point[] | undefined;
  height: number;
};

/** The stored equity, then the current one: the chart ends with the number above it. */
function Curve({ range, points, asOf, equity, drawdown, height }: CurveProps) {
  const [first] = points;
  const curve = useMemo(
    () =>
      endingWith(
        points.map(({ at, equity: value }) => ({ at, value })),
        { at: asOf, value: equity },
      ),
    [points, asOf, equity],
  );
  if (!first) {
    return (
      <div className="empty" style={{ minHeight: height }}>
        <strong>{usd(equity)}</strong>
        <p>{t('Your equity appears here after the first deploy, one point every five minutes.')}</p>
      </div>
    );
  }
  const change = equity - first.equity;
  return (
    <>
      <div className="row chart-legend large figures">
        <strong data-equity>{usd(equity)}</strong>
        <Pnl value={change} on={first.equity} />
        <span className="dim small hide-small">{t(PERIOD_WORDS[range])}</span>
      </div>
      <LazyChart
        label={t('Equity curve')}
        summary={t('Equity went from {equity} to {equity2}, a change of {change}.', {
          equity: usd(first.equity),
          equity2: usd(equity),
          change: signedUsd(change),
        })}
        height={height}
        view={range}
        revision={`${pointsChangeKey(curve)} ${pointsChangeKey(drawdown ?? [])}`}
        layers={[
          { kind: 'baseline', name: t('Equity'), points: curve, baseline: first.equity, write: usd },
          ...(drawdown ? [drawdownLayer(drawdown)] : []),
        ]}
      />
    </>
  );
}
