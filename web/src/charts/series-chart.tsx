import { createChart, TickMarkType } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { type AxisMark, axisTime, fullTime, offsetSec } from '../format/time.ts';
import { useSettings } from '../settings/store.ts';
import { type ChartColors, useChartColors } from './colors.ts';
import { drawLayer } from './draw.ts';
import { fitted, type Layer } from './layers.ts';

export type SeriesChartProps = {
  label: string;
  /** What the picture says, in words, for who cannot see it. */
  summary: string;
  height: number;
  /** Says which data these are: nothing is drawn anew while it is the same. */
  revision: string;
  layers: readonly Layer[];
};

/** Room for the half of the last label that stands right of the last point. */
const RIGHT_PX = 28;
/** Clocks are changed by an hour: a day that begins so near is this day, whichever half of the year it is drawn from. */
const NEAR_SEC = 2 * 3_600;
/** The picture to what is drawn below it. */
const STRETCH = [3, 1] as const;

const MARK: Record<TickMarkType, AxisMark> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
};

const lastAtOf = (layer: Layer | undefined): string | undefined =>
  (layer?.kind === 'candles' ? layer.candles : layer?.points)?.at(-1)?.at;

/** The value that came with a revision, for as long as that lasts. */
function useHeld<Value>(revision: string, value: Value): Value {
  const held = useRef({ revision, value });
  if (held.current.revision !== revision) held.current = { revision, value };
  return held.current.value;
}

/**
 * Curves or candles over time, in the chosen zone. The library knows UTC only and marks where its days begin, so all
 * data are moved by one offset, that of the last point, and every label is made of the true instant.
 */
export function SeriesChart({ label, summary, height, revision, layers }: SeriesChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const zone = useSettings((settings) => settings.zone);
  const shown = useHeld(revision, layers);
  const palette = JSON.stringify(useChartColors());
  useEffect(() => {
    if (!frame.current) return;
    const colors = JSON.parse(palette) as ChartColors;
    const drawn = fitted(shown);
    const lastAt = lastAtOf(drawn[0]);
    const ahead = lastAt === undefined ? 0 : offsetSec(new Date(lastAt), zone);
    const instant = (time: unknown, laterSec = 0) => new Date((Number(time) - ahead + laterSec) * 1_000);
    const chart = createChart(frame.current, {
      autoSize: true,
      height,
      localization: { timeFormatter: (time: unknown) => fullTime(instant(time), zone) },
      layout: {
        background: { color: 'transparent' },
        textColor: colors.text,
        fontFamily: "'Inter Variable', system-ui, sans-serif",
        fontSize: 11,
        attributionLogo: true,
        panes: { separatorColor: colors.line, enableResize: false },
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
    for (const layer of drawn) drawLayer(chart, layer, ahead, colors);
    for (const [index, pane] of chart.panes().entries()) pane.setStretchFactor(STRETCH[index] ?? 1);
    chart.timeScale().fitContent();
    return () => chart.remove();
  }, [shown, zone, palette, height]);
  return (
    <figure aria-label={label} className="plain">
      <div ref={frame} style={{ height }} />
      <figcaption className="sr">{summary}</figcaption>
    </figure>
  );
}
