import {
  AreaSeries,
  type AutoscaleInfoProvider,
  BaselineSeries,
  CandlestickSeries,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type PriceScaleMargins,
  type SeriesDefinition,
  type SeriesPartialOptionsMap,
  type SeriesType,
} from 'lightweight-charts';
import { type Candle, type Layer, LINE_TONES } from './layers.ts';
import type { MarkerCluster } from './marks/markers.ts';
import { reachingTo } from './marks/price-levels.ts';
import { type ChartColors, withAlpha } from './palette.ts';

/** The smallest step of an axis of money. */
const STEP = 0.01;
const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted, LineStyle.LargeDashed] as const;

export const DEFINITIONS: Record<Layer['kind'], SeriesDefinition<SeriesType>> = {
  candles: CandlestickSeries,
  area: AreaSeries,
  baseline: BaselineSeries,
  below: BaselineSeries,
  line: LineSeries,
  volume: HistogramSeries,
};

/**
 * The parts of a pane that its legend and half a label of its axis take. Set for each kind: the library would use those of the pane
 * before.
 */
export function marginsOf({ kind, name }: Layer): PriceScaleMargins {
  if (kind === 'candles' && name) return { top: 0.16, bottom: 0.1 };
  // The legend of a drawdown is below it.
  if (kind === 'below') return { top: 0.14, bottom: 0.14 };
  return kind === 'volume' ? { top: 0.36, bottom: 0 } : { top: 0.22, bottom: 0.12 };
}

/** Volume rose or fell with the price. */
export const volumeColorOf = ({ open, close }: Candle, { up, down }: ChartColors): string =>
  withAlpha(close >= open ? up : down, 0.45);

export type SeriesOptions = SeriesPartialOptionsMap[SeriesType];

const always = () => true;

/** The library's options of a layer. Pure. A price whose label would overlap another has none on the axis. */
export function optionsOf(
  layer: Layer,
  colors: ChartColors,
  isClear: (price: number) => boolean = always,
): SeriesOptions {
  const step = layer.step ?? STEP;
  const priceFormat = {
    type: 'custom',
    formatter: layer.write,
    tickmarksFormatter: (prices: number[]) =>
      prices.map((price) => (isClear(price) ? layer.write(price) : '')),
    minMove: step,
  } as const;
  // The newest value is drawn with the levels.
  const shared = { priceFormat, priceLineVisible: false, lastValueVisible: false };
  const { up, down, accent } = colors;
  switch (layer.kind) {
    case 'candles':
      return {
        ...shared,
        autoscaleInfoProvider: reachingTo(layer.levels ?? []),
        upColor: up,
        borderUpColor: up,
        wickUpColor: up,
        downColor: down,
        borderDownColor: down,
        wickDownColor: down,
      };
    case 'volume':
      return { ...shared, color: colors.bar };
    case 'area':
      return {
        ...shared,
        autoscaleInfoProvider: reachingTo(layer.levels ?? []),
        lineColor: accent,
        topColor: withAlpha(accent, 0.25),
        bottomColor: withAlpha(accent, 0.02),
        lineWidth: 2,
      };
    case 'baseline':
      return {
        ...shared,
        baseValue: { type: 'price', price: layer.baseline },
        topLineColor: up,
        topFillColor1: withAlpha(up, 0.26),
        topFillColor2: withAlpha(up, 0.02),
        bottomLineColor: down,
        bottomFillColor1: withAlpha(down, 0.02),
        bottomFillColor2: withAlpha(down, 0.22),
        lineWidth: 2,
      };
    case 'below':
      return {
        ...shared,
        autoscaleInfoProvider: fromZeroDown(step),
        baseValue: { type: 'price', price: 0 },
        topLineColor: down,
        bottomLineColor: down,
        bottomFillColor1: withAlpha(down, 0.06),
        bottomFillColor2: withAlpha(down, 0.3),
        lineWidth: 1,
      };
    case 'line':
      return {
        ...shared,
        color: colors[layer.tone],
        lineStyle: STYLES[LINE_TONES.indexOf(layer.tone)] ?? LineStyle.Solid,
        lineWidth: 2,
      };
  }
}

const NONE = 'transparent';
/** Colours of a point that nothing joins to the next, of lines and baselines. */
export const GAP_COLORS = {
  color: NONE,
  topLineColor: NONE,
  topFillColor1: NONE,
  topFillColor2: NONE,
  bottomLineColor: NONE,
  bottomFillColor1: NONE,
  bottomFillColor2: NONE,
} as const;

/** An axis that ends at 0 and reaches down at least one step, also if no value is below 0. */
export const fromZeroDown =
  (step: number): AutoscaleInfoProvider =>
  (original) => {
    const found = original();
    const low = found?.priceRange?.minValue ?? 0;
    return { ...found, priceRange: { minValue: Math.min(low, -step), maxValue: 0 } };
  };

/** Relative to the library's own size: many markers are close together. */
const MARKER_SIZE = 0.6;

/** The marker of fills: buys point up from below, sells down from above, with their count if there are several. */
export const markerOptionsOf = ({ side, count }: MarkerCluster, { up, down }: ChartColors) => ({
  size: MARKER_SIZE,
  ...(count > 1 && { text: String(count) }),
  ...(side === 'buy'
    ? ({ position: 'belowBar', shape: 'arrowUp', color: up } as const)
    : ({ position: 'aboveBar', shape: 'arrowDown', color: down } as const)),
});
