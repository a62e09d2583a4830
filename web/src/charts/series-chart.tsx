import { useEffect, useRef } from 'react';
import { useSettings } from '../settings/store.ts';
import { useChartColors } from './colors.ts';
import type { Layer } from './layers.ts';
import type { ChartColors } from './palette.ts';
import { TimeSeriesChart } from './time-series-chart.ts';

export type SeriesChartProps = {
  label: string;
  /** A description of the chart in words, for screen readers. */
  summary: string;
  height: number;
  /** Names the content: zoom and position stay until it changes. */
  view: string;
  /** Identifies the data: nothing is redrawn while it is the same. */
  revision: string;
  layers: readonly Layer[];
};

/** The value that came with a revision, until the revision changes. */
function useHeld<Value>(revision: string, value: Value): Value {
  const held = useRef({ revision, value });
  if (held.current.revision !== revision) held.current = { revision, value };
  return held.current.value;
}

/** Curves or candles over time, in the chosen zone. */
export function SeriesChart({ label, summary, height, view, revision, layers }: SeriesChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<TimeSeriesChart>(null);
  const zone = useSettings((settings) => settings.zone);
  const held = useHeld(`${view} ${revision}`, { view, layers });
  const palette = JSON.stringify(useChartColors());
  useEffect(() => {
    if (!frame.current) return;
    const opened = new TimeSeriesChart(frame.current);
    chart.current = opened;
    return () => {
      chart.current = null;
      opened.close();
    };
  }, []);
  useEffect(() => {
    chart.current?.show({ ...held, zone, colors: JSON.parse(palette) as ChartColors });
  }, [held, zone, palette]);
  return (
    <figure aria-label={label} className="plain">
      <div ref={frame} style={{ height }} />
      <figcaption className="sr">{summary}</figcaption>
    </figure>
  );
}
