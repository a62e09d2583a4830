import { pointsChangeKey } from './layers.ts';
import { LazyChart } from './lazy-chart.tsx';
import type { SeriesChartProps } from './series-chart.tsx';
import { type NamedCurve, type StrategyContent, strategyLayers } from './strategy-layers.ts';

type StrategyChartProps = Pick<
  SeriesChartProps,
  'label' | 'summary' | 'view' | 'zoom' | 'onZoom' | 'onCursor' | 'levelsOf'
> & {
  content: StrategyContent;
};

const curveKey = ({ name, points }: NamedCurve) => `${name} ${pointsChangeKey(points)}`;

function revisionOf({ price, equity, beside, drawdown }: StrategyContent): string {
  const curves = [...(price?.over ?? []), ...(price?.apart ?? []), equity, ...beside];
  return [
    ...(price === null ? [] : [price.name, pointsChangeKey(price.candles), price.fills.length]),
    ...curves.map(curveKey),
    pointsChangeKey(drawdown),
  ].join(' ');
}

/** A strategy on one axis of time: price and trades, volume, indicators, equity and drawdown, under one cursor. */
export function StrategyChart({ content, ...chart }: StrategyChartProps) {
  const { layers, panes, height } = strategyLayers(content);
  return (
    <div style={{ minHeight: height }}>
      <LazyChart {...chart} height={height} panes={panes} layers={layers} revision={revisionOf(content)} />
    </div>
  );
}
