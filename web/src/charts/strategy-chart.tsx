import { pointsChangeKey } from './layers.ts';
import { LazyChart, LazyLevelsChart } from './lazy-chart.tsx';
import type { LevelsOf } from './own-levels.tsx';
import type { SeriesChartProps } from './series-chart.tsx';
import { type NamedCurve, type StrategyContent, strategyLayers } from './strategy-layers.ts';

type StrategyChartProps = Pick<
  SeriesChartProps,
  'label' | 'summary' | 'view' | 'zoom' | 'onZoom' | 'onCursor'
> & {
  content: StrategyContent;
  /** The instrument of the price, for levels that the user sets. */
  levelsOf?: LevelsOf | undefined;
};

const curveKey = ({ name, points }: NamedCurve) => `${name} ${pointsChangeKey(points)}`;

function revisionOf({ price, equity, beside, drawdown }: StrategyContent): string {
  const curves = [...(price?.over ?? []), ...(price?.apart ?? []), equity, ...beside];
  return [
    ...(price === null
      ? []
      : [price.name, pointsChangeKey(price.candles), price.fills.length, JSON.stringify(price.levels)]),
    ...curves.map(curveKey),
    pointsChangeKey(drawdown),
  ].join(' ');
}

/** A strategy on one axis of time: price and trades, volume, indicators, equity and drawdown, under one cursor. */
export function StrategyChart({ content, levelsOf, ...chart }: StrategyChartProps) {
  const { layers, panes, height } = strategyLayers(content);
  const props = { ...chart, height, panes, layers, revision: revisionOf(content) };
  return (
    <div style={{ minHeight: height }}>
      {levelsOf ? <LazyLevelsChart {...props} levelsOf={levelsOf} /> : <LazyChart {...props} />}
    </div>
  );
}
