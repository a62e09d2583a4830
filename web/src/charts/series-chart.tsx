import { useEffect, useId, useRef, useState } from 'react';
import { t } from '../language/language.ts';
import { useSettings } from '../settings/store.ts';
import { useChartColors } from './colors.ts';
import type { Layer } from './layers.ts';
import type { ChartColors } from './palette.ts';
import type { CursorSpan, Readout } from './readout.ts';
import { ReadoutLegend, readoutWords } from './readout-legend.tsx';
import { type ChartListener, TimeSeriesChart } from './time-series-chart.ts';
import type { Zoom } from './zoom.ts';

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
  /** The heights of the panes, relative to each other; a curve and a lower one below it if left out. */
  panes?: readonly number[];
  /** Where a view begins; all of it if left out. */
  zoom?: Zoom | null;
  /** After the user zoomed or moved the chart; null: it is shown whole again. */
  onZoom?: ChartListener['onZoom'];
  /** After the cursor moved to another cell, or left the chart. */
  onCursor?: (span: CursorSpan | null) => void;
  /** Loads older rows, when the view is moved by hand to its first ones; null: there are none. */
  onStart?: ChartListener['onStart'] | null;
};

const PANES = [3, 1] as const;
const NO_READOUT: Readout = { at: null, span: null, panes: [] };
const ignore = () => {};

/** The value that came with a revision, until the revision changes. */
function useHeld<Value>(revision: string, value: Value): Value {
  const held = useRef({ revision, value });
  if (held.current.revision !== revision) held.current = { revision, value };
  return held.current.value;
}

/** Curves or candles over time, in the chosen zone. */
export function SeriesChart(props: SeriesChartProps) {
  const {
    label,
    summary,
    height,
    view,
    revision,
    layers,
    panes = PANES,
    zoom = null,
    onZoom = ignore,
    onCursor = ignore,
    onStart = null,
  } = props;
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<TimeSeriesChart>(null);
  const called = useRef({ onZoom, onCursor, onStart });
  called.current = { onZoom, onCursor, onStart };
  const hasOlder = onStart !== null;
  const zone = useSettings((settings) => settings.zone);
  const held = useHeld(`${view} ${revision}`, { view, layers, panes, zoom });
  const palette = JSON.stringify(useChartColors());
  const [readout, setReadout] = useState(NO_READOUT);
  const [said, setSaid] = useState('');
  const keys = useId();
  useEffect(() => {
    if (!frame.current) return;
    const opened = new TimeSeriesChart(frame.current, {
      onReadout: (next, isByKey) => {
        setReadout(next.panes.length > 0 ? next : NO_READOUT);
        called.current.onCursor(next.span);
        setSaid(isByKey ? readoutWords(next) : '');
      },
      onZoom: (next) => called.current.onZoom(next),
      onStart: () => called.current.onStart?.(),
    });
    // The library lays out its parts in a table, which a screen reader would announce as empty rows.
    frame.current.querySelector('table')?.setAttribute('role', 'presentation');
    chart.current = opened;
    return () => {
      chart.current = null;
      opened.close();
    };
  }, []);
  useEffect(() => {
    chart.current?.show({ ...held, hasOlder, zone, colors: JSON.parse(palette) as ChartColors });
  }, [held, hasOlder, zone, palette]);
  return (
    <figure aria-label={label} className="plain series-chart">
      <div ref={frame} style={{ height }} role="application" aria-label={label} aria-describedby={keys} />
      <ReadoutLegend readout={readout} panes={held.panes} />
      <figcaption className="sr">
        {summary} <span id={keys}>{t('Arrow keys move the cursor, plus and minus zoom.')}</span>
      </figcaption>
      <span className="sr" role="status">
        {said}
      </span>
    </figure>
  );
}
