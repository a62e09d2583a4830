import {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesType,
  type UTCTimestamp,
} from 'lightweight-charts';
import { type ChartColors, faded } from './colors.ts';
import { type Layer, LINE_TONES, type LineTone, type Marker, type Point } from './layers.ts';

/** The smallest step of an axis of money. */
const STEP = 0.01;
/** Of the library's own size: many of them stand side by side. */
const MARKER_SIZE = 0.6;
const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted, LineStyle.LargeDashed] as const;

export const toneColor = (tone: LineTone, colors: ChartColors): string => colors[tone];

/** Draws a layer; data are moved by `ahead` seconds, as the axis is. */
export function drawLayer(chart: IChartApi, layer: Layer, ahead: number, colors: ChartColors): void {
  const pane = layer.isBelow ? 1 : 0;
  const priceFormat = {
    type: 'custom',
    formatter: layer.write,
    minMove: layer.step ?? STEP,
  } as const;
  const series = addLayer(chart, layer, { ahead, colors, pane, priceFormat });
  if (layer.markers) drawMarkers(series, layer.markers, ahead, colors);
}

type Frame = {
  ahead: number;
  colors: ChartColors;
  pane: number;
  priceFormat: {
    readonly type: 'custom';
    readonly formatter: (value: number) => string;
    readonly minMove: number;
  };
};

function addLayer(chart: IChartApi, layer: Layer, { ahead, colors, pane, priceFormat }: Frame) {
  const { up, down, accent } = colors;
  switch (layer.kind) {
    case 'candles': {
      const series = chart.addSeries(
        CandlestickSeries,
        {
          priceFormat,
          upColor: up,
          borderUpColor: up,
          wickUpColor: up,
          downColor: down,
          borderDownColor: down,
          wickDownColor: down,
        },
        pane,
      );
      series.setData(
        ascending(layer.candles.map(({ at, ...rest }) => ({ time: timeOf(at, ahead), ...rest }))),
      );
      return series;
    }
    case 'area': {
      const series = chart.addSeries(
        AreaSeries,
        {
          priceFormat,
          lineColor: accent,
          topColor: faded(accent, 0.25),
          bottomColor: faded(accent, 0.02),
          lineWidth: 2,
        },
        pane,
      );
      series.setData(valuesOf(layer.points, ahead));
      return series;
    }
    case 'baseline': {
      const series = chart.addSeries(
        BaselineSeries,
        {
          priceFormat,
          baseValue: { type: 'price', price: layer.baseline },
          topLineColor: up,
          topFillColor1: faded(up, 0.26),
          topFillColor2: faded(up, 0.02),
          bottomLineColor: down,
          bottomFillColor1: faded(down, 0.02),
          bottomFillColor2: faded(down, 0.22),
          lineWidth: 2,
        },
        pane,
      );
      series.setData(valuesOf(layer.points, ahead));
      return series;
    }
    case 'below': {
      const series = chart.addSeries(
        AreaSeries,
        {
          priceFormat,
          invertFilledArea: true,
          lineColor: down,
          topColor: faded(down, 0.3),
          bottomColor: faded(down, 0.06),
          lineWidth: 1,
          priceLineVisible: false,
        },
        pane,
      );
      series.setData(valuesOf(layer.points, ahead));
      return series;
    }
    case 'line': {
      const series = chart.addSeries(
        LineSeries,
        {
          priceFormat,
          color: toneColor(layer.tone, colors),
          lineStyle: STYLES[LINE_TONES.indexOf(layer.tone)] ?? LineStyle.Solid,
          lineWidth: 2,
          priceLineVisible: false,
        },
        pane,
      );
      series.setData(valuesOf(layer.points, ahead));
      return series;
    }
  }
}

/** Buys point up from below, sells down from above: shape and place say what colour says. */
function drawMarkers(
  series: ISeriesApi<SeriesType>,
  markers: readonly Marker[],
  ahead: number,
  { up, down }: ChartColors,
): void {
  createSeriesMarkers(
    series,
    markers.map(({ at, side }) => ({
      time: timeOf(at, ahead),
      size: MARKER_SIZE,
      ...(side === 'buy'
        ? ({ position: 'belowBar', shape: 'arrowUp', color: up } as const)
        : ({ position: 'aboveBar', shape: 'arrowDown', color: down } as const)),
    })),
  );
}

const timeOf = (at: string, ahead: number) =>
  (Math.floor(new Date(at).getTime() / 1_000) + ahead) as UTCTimestamp;

const valuesOf = (points: readonly Point[], ahead: number) =>
  ascending(points.map(({ at, value }) => ({ time: timeOf(at, ahead), value })));

/** Ascending, one value per second: what the library takes. */
function ascending<Row extends { time: UTCTimestamp }>(rows: readonly Row[]): Row[] {
  const byTime = new Map(rows.map((row) => [row.time, row]));
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}
