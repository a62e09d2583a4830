import { type AutoscaleInfoProvider, type ISeriesApi, LineStyle, type SeriesType } from 'lightweight-charts';
import type { PriceLevel } from '../layers.ts';
import type { ChartColors } from '../palette.ts';

/** Replaces the price lines of a series by these. */
export function drawLevels(
  series: ISeriesApi<SeriesType>,
  levels: readonly PriceLevel[],
  colors: ChartColors,
): void {
  for (const line of series.priceLines()) series.removePriceLine(line);
  for (const { name, price, tone } of levels)
    series.createPriceLine({
      price,
      title: name,
      color: colors[tone],
      lineWidth: 1,
      lineStyle: LineStyle.Dashed,
    });
}

/** The drawn price lines, for tests: their names and prices. */
export const drawnLevels = (series: ISeriesApi<SeriesType>): string =>
  series
    .priceLines()
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
