import {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  type SeriesDataItemTypeMap,
  type SeriesDefinition,
  type SeriesType,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { type AxisMark, axisTime, fullTime, offsetSec, type Zone } from '../format/time.ts';
import type { Layer, Marker } from './layers.ts';
import { clusterMarkers, slotSec } from './markers.ts';
import type { ChartColors } from './palette.ts';
import { optionsOf } from './series-options.ts';
import {
  cellsMax,
  moveRange,
  nearestCell,
  placeCandles,
  placePoints,
  type TimeGrid,
  timeGridOf,
} from './time-grid.ts';

/** Space for the half of the last label to the right of the last point. */
const RIGHT_PX = 28;
/** Width of a cell, so that a grid of all its cells fits a phone. */
const CELL_PX_MIN = 0.05;
/** Clocks change by an hour: a day that starts this near is the same day in both halves of the year. */
const NEAR_SEC = 2 * 3_600;
/** The heights of the chart and of the pane below it. */
const STRETCH = [3, 1] as const;
/** Relative to the library's own size: many markers are close together. */
const MARKER_SIZE = 0.6;
/** Half the label of a last value plus half the label of a price on the axis. */
const LABEL_PX = 15;
/** Nothing is above a drawdown of 0. */
const BELOW_MARGINS = { top: 0, bottom: 0.1 };

const MARK: Record<TickMarkType, AxisMark> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'second',
};

const DEFINITIONS: Record<Layer['kind'], SeriesDefinition<SeriesType>> = {
  candles: CandlestickSeries,
  area: AreaSeries,
  baseline: BaselineSeries,
  below: BaselineSeries,
  line: LineSeries,
};

export type ChartContent = {
  /** Another view is shown whole; the same one keeps its zoom. */
  view: string;
  layers: readonly Layer[];
  zone: Zone;
  colors: ChartColors;
};

type Row = SeriesDataItemTypeMap[SeriesType];
type RenderedLayer = {
  kind: Layer['kind'];
  pane: number;
  series: ISeriesApi<SeriesType>;
  plugin: ISeriesMarkersPluginApi<Time>;
  markers: readonly Marker[];
  /** The cells with data, ascending. */
  cells: readonly number[];
};

/**
 * One chart for as long as its frame: new data is put into it. It is shown whole until it is zoomed or moved by hand, and again
 * after a double click. The wheel scrolls the page; with Ctrl, Shift or the command key it zooms.
 */
export class TimeSeriesChart {
  readonly #frame: HTMLElement;
  readonly #chart: IChartApi;
  readonly #ended = new AbortController();
  #rendered: RenderedLayer[] = [];
  #grid: TimeGrid = { startSec: 0, stepSec: 1, cells: 0 };
  #view = '';
  #zoneOffsetSec = 0;
  #zone: Zone = 'utc';
  #colors: ChartColors | null = null;
  #clusterSec = 0;
  #isPointerDown = false;
  #isZoomedByUser = false;

  constructor(frame: HTMLElement) {
    this.#frame = frame;
    this.#chart = createChart(frame, {
      autoSize: true,
      localization: { timeFormatter: (time: unknown) => fullTime(this.#instant(time), this.#zone) },
      layout: {
        background: { color: 'transparent' },
        fontFamily: "'Inter Variable', system-ui, sans-serif",
        fontSize: 11,
        attributionLogo: true,
        panes: { enableResize: false },
      },
      grid: { vertLines: { visible: false } },
      rightPriceScale: { borderVisible: false },
      timeScale: {
        borderVisible: false,
        timeVisible: true,
        rightOffsetPixels: RIGHT_PX,
        // Moves the first label in from the edge, which would cut it.
        fixLeftEdge: true,
        minBarSpacing: CELL_PX_MIN,
        tickMarkFormatter: (time: unknown, type: TickMarkType) => {
          const mark = MARK[type];
          return axisTime(
            this.#instant(time, mark === 'time' || mark === 'second' ? 0 : NEAR_SEC),
            this.#zone,
            mark,
          );
        },
      },
      handleScroll: { vertTouchDrag: false },
    });
    const scale = this.#chart.timeScale();
    scale.subscribeVisibleLogicalRangeChange(() => {
      if (this.#isPointerDown) this.#isZoomedByUser = true;
      this.#regroup();
    });
    scale.subscribeSizeChange(() => this.#fit());
    this.#listen(frame);
  }

  show({ view, layers, zone, colors }: ChartContent): void {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const before = this.#grid;
    if (view !== this.#view) this.#isZoomedByUser = false;
    this.#view = view;
    this.#zone = zone;
    this.#colors = colors;
    this.#grid = timeGridOf(layers, cellsMax(layers.length));
    const { startSec, stepSec, cells } = this.#grid;
    this.#zoneOffsetSec =
      cells === 0 ? 0 : offsetSec(new Date((startSec + (cells - 1) * stepSec) * 1_000), zone);
    this.#chart.applyOptions({
      layout: { textColor: colors.text, panes: { separatorColor: colors.line } },
      grid: { horzLines: { color: colors.line } },
    });
    this.#draw(layers, colors);
    if (this.#isZoomedByUser && range !== null) {
      this.#chart.timeScale().setVisibleLogicalRange(moveRange(range, before, this.#grid));
    } else {
      this.#fit();
    }
    this.#clusterSec = 0;
    this.#regroup();
  }

  close(): void {
    this.#ended.abort();
    this.#chart.remove();
  }

  #listen(frame: HTMLElement): void {
    const { signal } = this.#ended;
    const release = () => {
      this.#isPointerDown = false;
    };
    frame.addEventListener(
      'pointerdown',
      () => {
        this.#isPointerDown = true;
      },
      { signal, capture: true },
    );
    for (const end of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(end, release, { signal });
    frame.addEventListener(
      'wheel',
      (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) this.#isZoomedByUser = true;
        else event.stopPropagation();
      },
      { signal, capture: true, passive: true },
    );
    frame.addEventListener(
      'dblclick',
      () => {
        this.#isZoomedByUser = false;
        this.#fit();
      },
      { signal },
    );
  }

  #fit(): void {
    if (!this.#isZoomedByUser) this.#chart.timeScale().fitContent();
  }

  /** Puts layers into the existing series while they are of the same kinds. */
  #draw(layers: readonly Layer[], colors: ChartColors): void {
    const isSame =
      layers.length === this.#rendered.length &&
      layers.every(({ kind }, at) => kind === this.#rendered[at]?.kind);
    if (!isSame) {
      for (const { series } of this.#rendered) this.#chart.removeSeries(series);
      this.#rendered = layers.map((layer) => this.#added(layer, colors));
      for (const [index, pane] of this.#chart.panes().entries()) pane.setStretchFactor(STRETCH[index] ?? 1);
    }
    for (const [index, layer] of layers.entries()) {
      const rendered = this.#rendered[index];
      if (!rendered) continue;
      rendered.markers = layer.markers ?? [];
      rendered.series.applyOptions(optionsOf(layer, colors, (price) => this.#isClear(price, rendered)));
      const rows = this.#rowsOf(layer);
      rendered.cells = [...rows.keys()];
      rendered.series.setData(index === 0 ? this.#spaced(rows) : [...rows.values()]);
    }
  }

  #added(layer: Layer, colors: ChartColors): RenderedLayer {
    const { kind } = layer;
    const pane = layer.isBelow ? 1 : 0;
    const series = this.#chart.addSeries(DEFINITIONS[kind], optionsOf(layer, colors), pane);
    if (kind === 'below') series.priceScale().applyOptions({ scaleMargins: BELOW_MARGINS });
    return { kind, pane, series, plugin: createSeriesMarkers(series, []), markers: [], cells: [] };
  }

  /** Whether no last value on the same axis has its label where this price's label would be. */
  #isClear(price: number, { pane, series }: RenderedLayer): boolean {
    const at = series.priceToCoordinate(price);
    return this.#rendered.every((other) => {
      const last = other.pane === pane ? other.series.lastValueData(false) : null;
      if (at === null || last === null || last.noData) return true;
      const label = series.priceToCoordinate(last.price);
      return label === null || Math.abs(label - at) >= LABEL_PX;
    });
  }

  #rowsOf(layer: Layer): Map<number, Row> {
    const rows =
      layer.kind === 'candles'
        ? placeCandles(layer.candles, this.#grid).map(({ cell, row: { at: _, ...prices } }) => ({
            cell,
            ...prices,
          }))
        : placePoints(layer.points, this.#grid).map(({ cell, row: { value } }) => ({ cell, value }));
    return new Map(rows.map(({ cell, ...row }) => [cell, { time: this.#timeOf(cell), ...row }]));
  }

  /** Every cell of the grid in order: the library gives each row the same width. */
  #spaced(rows: ReadonlyMap<number, Row>): Row[] {
    const cells = Math.max(this.#grid.cells, ...[...rows.keys()].map((cell) => cell + 1));
    return Array.from({ length: cells }, (_, cell) => rows.get(cell) ?? { time: this.#timeOf(cell) });
  }

  /**
   * Writes the visible stretch of time on the frame, in epoch seconds, and groups markers by it. Buys point up from below,
   * sells down from above. Those too near each other become one, with their count.
   */
  #regroup(): void {
    const visible = this.#chart.timeScale().getVisibleLogicalRange();
    if (visible === null || this.#colors === null) return;
    const { startSec, stepSec } = this.#grid;
    const seen = [visible.from, visible.to].map((cell) => Math.round(startSec + cell * stepSec));
    this.#frame.dataset['visible'] = seen.join(' ');
    const slot = slotSec((visible.to - visible.from) * stepSec, this.#chart.timeScale().width());
    if (slot === this.#clusterSec) return;
    this.#clusterSec = slot;
    const { up, down } = this.#colors;
    for (const { plugin, markers, cells } of this.#rendered) {
      plugin.setMarkers(
        clusterMarkers(markers, Math.max(slot, stepSec)).map(({ at, side, count }) => ({
          time: this.#timeOf(nearestCell(at, this.#grid, cells)),
          size: MARKER_SIZE,
          ...(count > 1 && { text: String(count) }),
          ...(side === 'buy'
            ? ({ position: 'belowBar', shape: 'arrowUp', color: up } as const)
            : ({ position: 'aboveBar', shape: 'arrowDown', color: down } as const)),
        })),
      );
    }
  }

  /** The library knows only UTC and marks the start of UTC days: all data are moved by the zone's offset at the end. */
  #timeOf(cell: number): UTCTimestamp {
    return (this.#grid.startSec + cell * this.#grid.stepSec + this.#zoneOffsetSec) as UTCTimestamp;
  }

  #instant(time: unknown, laterSec = 0): Date {
    return new Date((Number(time) - this.#zoneOffsetSec + laterSec) * 1_000);
  }
}
