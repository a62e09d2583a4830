import { type AutoscaleInfoProvider, type ISeriesApi, LineStyle, type SeriesType } from 'lightweight-charts';
import type { Layer, LineTone, PriceLevel } from '../layers.ts';
import type { ChartColors } from '../palette.ts';

/**
 * Replaces the price lines of a series by its levels, and its newest value on the axis. The library's own label has the newest
 * *visible* value, which is not the price once the chart is moved.
 */
export function drawLevels(series: ISeriesApi<SeriesType>, layer: Layer, colors: ChartColors): void {
  for (const line of series.priceLines()) series.removePriceLine(line);
  const current = currentOf(layer);
  if (current !== null)
    series.createPriceLine({
      price: current.value,
      title: current.name ?? '',
      color: colors[current.tone],
      lineWidth: 1,
      lineStyle: LineStyle.Dotted,
      lineVisible: current.isLine,
    });
  for (const { name, price, tone } of layer.levels ?? [])
    series.createPriceLine({
      price,
      title: name,
      color: colors[tone],
      lineWidth: 1,
      lineStyle: LineStyle.Dashed,
    });
}

type Current = { value: number; tone: 'up' | 'down' | LineTone; isLine: boolean; name?: string | undefined };

/** The newest value of a layer; volume has none on its axis. */
function currentOf(layer: Layer): Current | null {
  if (layer.kind === 'volume') return null;
  if (layer.kind === 'candles') {
    const last = layer.candles.at(-1);
    return last ? { value: last.close, tone: last.close >= last.open ? 'up' : 'down', isLine: true } : null;
  }
  const value = layer.points.at(-1)?.value;
  if (value === undefined) return null;
  switch (layer.kind) {
    case 'area':
      return { value, tone: 'accent', isLine: true };
    case 'baseline':
      return { value, tone: value >= layer.baseline ? 'up' : 'down', isLine: true };
    case 'below':
      return { value, tone: 'down', isLine: false };
    case 'line':
      return { value, tone: layer.tone, isLine: false, name: layer.endName };
  }
}

/** The drawn levels, for tests: their names and prices. */
export const drawnLevels = (series: ISeriesApi<SeriesType>): string =>
  series
    .priceLines()
    .filter((line) => line.options().title !== '')
    .map((line) => `${line.options().title} ${line.options().price}`)
    .join(', ');

/** An axis that reaches to the levels within its own height. Farther ones would flatten the prices. */
export const reachingTo =
  (levels: readonly PriceLevel[]): AutoscaleInfoProvider =>
  (original) => {
    const found = original();
    if (!found?.priceRange) return found;
    const { minValue, maxValue } = found.priceRange;
    const height = maxValue - minValue;
    const near = levels
      .map(({ price }) => price)
      .filter((price) => price >= minValue - height && price <= maxValue + height);
    return {
      ...found,
      priceRange: { minValue: Math.min(minValue, ...near), maxValue: Math.max(maxValue, ...near) },
    };
  };
