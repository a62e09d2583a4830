import {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  createChart,
  type IChartApi,
  TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { type AxisMark, axisTime, fullTime, offsetSec } from '../format/time.ts';
import { useSettings } from '../settings/store.ts';
import { type ChartColors, faded, useChartColors } from './colors.ts';

export type Point = { at: string; value: number };
export type Candle = { at: string; open: number; high: number; low: number; close: number };

export type SeriesChartProps = {
  label: string;
  /** What the picture says, in words, for who cannot see it. */
  summary: string;
  height: number;
  write: (value: number) => string;
} & (
  | { points: readonly Point[]; baseline?: number | undefined; candles?: never }
  | { candles: readonly Candle[]; points?: never; baseline?: never }
);

/** Room for the half of the last label that stands right of the last point. */
const RIGHT_PX = 28;
/** Clocks are changed by an hour: a day that begins so near is this day, whichever half of the year it is drawn from. */
const NEAR_SEC = 2 * 3_600;

const MARK: Record<TickMarkType, AxisMark> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
};

type Drawn = Pick<SeriesChartProps, 'points' | 'candles' | 'baseline'>;

/**
 * A curve or candles over time, in the chosen zone. The library knows UTC only and marks where its days begin, so all
 * data are moved by one offset, that of the last point, and every label is made of the true instant.
 */
export function SeriesChart({ label, summary, height, write, points, candles, baseline }: SeriesChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const zone = useSettings((settings) => settings.zone);
  const writer = useRef(write);
  writer.current = write;
  // As texts, so that equal data and colours in new objects draw nothing anew.
  const drawn = JSON.stringify({ points, candles, baseline });
  const palette = JSON.stringify(useChartColors());
  useEffect(() => {
    if (!frame.current) return;
    const colors = JSON.parse(palette) as ChartColors;
    const data = JSON.parse(drawn) as Drawn;
    const lastAt = (data.candles ?? data.points)?.at(-1)?.at;
    const ahead = lastAt === undefined ? 0 : offsetSec(new Date(lastAt), zone);
    const instant = (time: unknown, laterSec = 0) => new Date((Number(time) - ahead + laterSec) * 1_000);
    const chart = createChart(frame.current, {
      autoSize: true,
      height,
      localization: {
        priceFormatter: (value: number) => writer.current(value),
        timeFormatter: (time: unknown) => fullTime(instant(time), zone),
      },
      layout: {
        background: { color: 'transparent' },
        textColor: colors.text,
        fontFamily: "'Inter Variable', system-ui, sans-serif",
        fontSize: 11,
        attributionLogo: true,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: colors.line } },
      rightPriceScale: { borderVisible: false },
      timeScale: {
        borderVisible: false,
        timeVisible: true,
        rightOffsetPixels: RIGHT_PX,
        tickMarkFormatter: (time: unknown, type: TickMarkType) => {
          const mark = MARK[type];
          return axisTime(instant(time, mark === 'time' ? 0 : NEAR_SEC), zone, mark);
        },
      },
      handleScroll: { vertTouchDrag: false },
    });
    if (data.candles) drawCandles(chart, data.candles, ahead, colors);
    else drawPoints(chart, data.points ?? [], ahead, data.baseline, colors);
    chart.timeScale().fitContent();
    return () => chart.remove();
  }, [drawn, zone, palette, height]);
  return (
    <figure aria-label={label} className="plain">
      <div ref={frame} style={{ height }} />
      <figcaption className="sr">{summary}</figcaption>
    </figure>
  );
}

const timeOf = (at: string, ahead: number) =>
  (Math.floor(new Date(at).getTime() / 1_000) + ahead) as UTCTimestamp;

/** Ascending, one value per second: what the library takes. */
function ascending<Row extends { time: UTCTimestamp }>(rows: readonly Row[]): Row[] {
  const byTime = new Map(rows.map((row) => [row.time, row]));
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

function drawCandles(
  chart: IChartApi,
  candles: readonly Candle[],
  ahead: number,
  { up, down }: ChartColors,
): void {
  const series = chart.addSeries(CandlestickSeries, {
    upColor: up,
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
  });
  series.setData(ascending(candles.map(({ at, ...rest }) => ({ time: timeOf(at, ahead), ...rest }))));
}

function drawPoints(
  chart: IChartApi,
  points: readonly Point[],
  ahead: number,
  baseline: number | undefined,
  { up, down, accent }: ChartColors,
): void {
  const data = ascending(points.map(({ at, value }) => ({ time: timeOf(at, ahead), value })));
  if (baseline === undefined) {
    chart
      .addSeries(AreaSeries, {
        lineColor: accent,
        topColor: faded(accent, 0.25),
        bottomColor: faded(accent, 0.02),
        lineWidth: 2,
      })
      .setData(data);
    return;
  }
  chart
    .addSeries(BaselineSeries, {
      baseValue: { type: 'price', price: baseline },
      topLineColor: up,
      topFillColor1: faded(up, 0.26),
      topFillColor2: faded(up, 0.02),
      bottomLineColor: down,
      bottomFillColor1: faded(down, 0.02),
      bottomFillColor2: faded(down, 0.22),
      lineWidth: 2,
    })
    .setData(data);
}
