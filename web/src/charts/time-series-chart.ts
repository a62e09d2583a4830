import {
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type SeriesDataItemTypeMap,
  type SeriesType,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { type AxisMark, axisTime, fullTime, offsetSec, type Zone } from '../format/time.ts';
import { listenToGestures } from './gestures.ts';
import type { KeyAction } from './key-actions.ts';
import type { Candle, Layer, Marker, Point } from './layers.ts';
import { CycleLines } from './marks/cycle-lines.ts';
import { clusterMarkers, cyclesOf, slotSec } from './marks/markers.ts';
import { drawLevels, drawnLevels } from './marks/price-levels.ts';
import type { ChartColors } from './palette.ts';
import { type Readout, readoutOf, spanFrom } from './readout.ts';
import {
  DEFINITIONS,
  GAP_COLORS,
  marginsOf,
  markerOptionsOf,
  optionsOf,
  volumeColorOf,
} from './series-options.ts';
import {
  type CellRange,
  cellsMax,
  cellsOf,
  cellUpTo,
  drawnCell,
  nearestCell,
  placeCandles,
  placePoints,
  secondsOf,
  type TimeGrid,
  timeGridOf,
} from './time-grid.ts';
import type { Zoom } from './zoom.ts';

/** Space for the half of the last label to the right of the last point. */
const RIGHT_PX = 28;
/** Space for names at the ends of lines. */
const END_NAMES_PX = 112;
/** Width of a cell, so that a grid of all its cells fits a phone. */
const CELL_PX_MIN = 0.05;
/** Clocks change by an hour: a day that starts this near is the same day in both halves of the year. */
const NEAR_SEC = 2 * 3_600;
/** Half the label of a last value plus half the label of a price on the axis. */
const LABEL_PX = 15;
/** Half the label of a price: nearer to the edge of its pane it would be cut. */
const HALF_LABEL_PX = 7;
/** Older rows are requested when the view begins this near to the first cell. */
const START_CELLS = 5;
/** A zoom goes into the address when it has rested for this long. */
const ZOOM_RESTS_MS = 300;

/** In a longer view only minutes are marked: the library would mark any seconds, such as 11, 22 and 33. */
const UNMARKED_SEC = 120;

const MARK: Record<TickMarkType, AxisMark> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'second',
};

export type ChartContent = {
  /** Another view is shown whole; the same one keeps its zoom. */
  view: string;
  layers: readonly Layer[];
  /** The heights of the panes, relative to each other. */
  panes: readonly number[];
  /** The stretch of time at which another view begins, in epoch seconds; null: all of it. */
  zoom: Zoom | null;
  /** Its beginning can be moved past: older rows may come. */
  hasOlder: boolean;
  zone: Zone;
  colors: ChartColors;
};

export type ChartListener = {
  onReadout: (readout: Readout, isByKey: boolean) => void;
  /** After the user zoomed or moved the chart; null: it is shown whole again. */
  onZoom: (zoom: Zoom | null) => void;
  /** The view, moved by hand, has come near its first row, which may have older ones. */
  onStart: () => void;
};

type Row = SeriesDataItemTypeMap[SeriesType];
type RenderedLayer = {
  layer: Layer;
  series: ISeriesApi<SeriesType>;
  plugin: ISeriesMarkersPluginApi<Time>;
  cycles: CycleLines;
  /** The drawn rows, by cell. */
  placed: ReadonlyMap<number, Point | Candle>;
  /** The cells with data, ascending. */
  cells: readonly number[];
};

const paneOf = ({ pane = 0 }: Layer): number => pane;
const markersOf = ({ markers = [] }: Layer): readonly Marker[] => markers;
const priceOf = (row: Point | Candle | undefined): number =>
  row === undefined ? 0 : 'value' in row ? row.value : row.close;

/**
 * One chart for as long as its frame: new data is put into it. It is shown whole until it is zoomed or moved by hand, and again
 * after a double click. The wheel scrolls the page; with Ctrl, Shift or the command key it zooms. Arrow keys move the cursor, plus
 * and minus zoom.
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
  /** The stretch of time that the user chose; null: all of it. */
  #zoom: Zoom | null = null;
  #hasOlder = false;
  /** Series are being replaced: their cells and the grid are of two contents. */
  #isDrawing = false;
  #zoomTimer: ReturnType<typeof setTimeout> | undefined;
  /** A range that the library draws in its next frame: keys may be faster. */
  #requested: CellRange | null = null;
  /** The cell under the cursor. */
  #cursor: number | null = null;
  readonly #listener: ChartListener;

  constructor(frame: HTMLElement, listener: ChartListener) {
    this.#frame = frame;
    this.#listener = listener;
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
        fixLeftEdge: true,
        minBarSpacing: CELL_PX_MIN,
        tickMarkFormatter: (time: unknown, type: TickMarkType) => {
          const mark = MARK[type];
          if (mark === 'second' && this.#visibleSec() > UNMARKED_SEC) return '';
          return axisTime(
            this.#instant(time, mark === 'time' || mark === 'second' ? 0 : NEAR_SEC),
            this.#zone,
            mark,
          );
        },
      },
      handleScroll: { vertTouchDrag: false },
    });
    const isPointerDown = listenToGestures(
      frame,
      {
        onPress: () => this.#holdStart(!this.#hasOlder),
        onZoom: () => this.#settle(),
        onWhole: () => {
          this.#forgetZoom();
          this.#zoom = null;
          this.#holdStart(true);
          this.#fit();
          this.#listener.onZoom(null);
        },
        onKey: (action) => this.#act(action),
        cells: () => ({ cursor: this.#cursor, last: this.#grid.cells - 1 }),
      },
      this.#ended.signal,
    );
    const scale = this.#chart.timeScale();
    scale.subscribeVisibleLogicalRangeChange(() => {
      this.#requested = null;
      const seen = scale.getVisibleLogicalRange();
      if (isPointerDown()) this.#settle();
      if (this.#zoomTimer !== undefined && seen !== null) {
        this.#zoom = secondsOf(seen, this.#grid);
        if (this.#hasOlder && seen.from < START_CELLS) this.#listener.onStart();
      }
      this.#regroup();
    });
    this.#chart.subscribeCrosshairMove(({ logical }) => {
      if (!this.#isDrawing) this.#point(logical ?? null);
    });
    scale.subscribeSizeChange(() => this.#fit());
  }

  show({ view, layers, panes, zoom, hasOlder, zone, colors }: ChartContent): void {
    // The cursor stays at its instant while its chart is read again.
    const cursorSec =
      view === this.#view && this.#cursor !== null
        ? this.#grid.startSec + this.#cursor * this.#grid.stepSec
        : null;
    if (view !== this.#view) {
      this.#forgetZoom();
      this.#zoom = zoom;
      this.#holdStart(true);
    }
    this.#view = view;
    this.#hasOlder = hasOlder;
    this.#zone = zone;
    this.#colors = colors;
    this.#grid = timeGridOf(layers, cellsMax(layers.length));
    const { startSec, stepSec, cells } = this.#grid;
    this.#zoneOffsetSec =
      cells === 0 ? 0 : offsetSec(new Date((startSec + (cells - 1) * stepSec) * 1_000), zone);
    this.#chart.applyOptions({
      layout: { textColor: colors.text, panes: { separatorColor: colors.line } },
      grid: { horzLines: { color: colors.line } },
      timeScale: {
        rightOffsetPixels: layers.some((layer) => 'endName' in layer) ? END_NAMES_PX : RIGHT_PX,
      },
    });
    this.#isDrawing = true;
    this.#draw(layers, panes, colors);
    this.#isDrawing = false;
    const range = this.#zoom && cellsOf(...this.#zoom, this.#grid);
    const isDrawn = range !== null && range.to > 0 && range.from < cells;
    if (isDrawn) this.#chart.timeScale().setVisibleLogicalRange(range);
    else this.#chart.timeScale().fitContent();
    this.#clusterSec = 0;
    this.#regroup();
    const cursor = cursorSec === null ? null : Math.floor((cursorSec - startSec) / stepSec);
    this.#point(cursor !== null && cursor >= 0 && cursor < cells ? cursor : null);
  }

  close(): void {
    this.#forgetZoom();
    this.#ended.abort();
    this.#chart.remove();
  }

  #act(action: KeyAction): void {
    if (action.kind === 'move') {
      const drawn = new Set(this.#rendered.flatMap(({ cells }) => cells));
      this.#moveTo(drawnCell(action.cell, this.#cursor, drawn));
    } else if (action.kind === 'zoom') this.#zoomBy(action.part);
    else this.#chart.clearCrosshairPosition();
    if (action.kind === 'clear') this.#point(null);
  }

  /** Moves the cursor to a cell, and the view with it. */
  #moveTo(cell: number): void {
    const seen = this.#seen();
    const [first] = this.#rendered;
    if (seen === null || first === undefined) return;
    const past = Math.min(0, cell - seen.from) + Math.max(0, cell - seen.to);
    if (past !== 0) this.#see({ from: seen.from + past, to: seen.to + past });
    const near = cellUpTo(cell, first.cells) ?? cell;
    this.#chart.setCrosshairPosition(priceOf(first.placed.get(near)), this.#timeOf(cell), first.series);
    this.#point(cell, true);
    if (cell > 0 || !this.#hasOlder) return;
    this.#zoom ??= secondsOf(seen, this.#grid);
    this.#listener.onStart();
  }

  /** Shows a part less of what is visible; more if it is negative. */
  #zoomBy(part: number): void {
    const seen = this.#seen();
    if (seen === null) return;
    const less = ((seen.to - seen.from) * part) / 2;
    this.#see({ from: seen.from + less, to: seen.to - less });
  }

  /** The visible cells, once the library has drawn the last request. */
  #seen(): CellRange | null {
    return this.#requested ?? this.#chart.timeScale().getVisibleLogicalRange();
  }

  #see(range: CellRange): void {
    this.#requested = range;
    this.#settle();
    this.#chart.timeScale().setVisibleLogicalRange(range);
  }

  /** Until the zoom has rested, ranges are the user's; then the listener has the last one. */
  #settle(): void {
    clearTimeout(this.#zoomTimer);
    this.#zoomTimer = setTimeout(() => {
      this.#zoomTimer = undefined;
      this.#listener.onZoom(this.#zoom);
    }, ZOOM_RESTS_MS);
  }

  /** Ranges are the chart's again, and the listener hears of none. */
  #forgetZoom(): void {
    clearTimeout(this.#zoomTimer);
    this.#zoomTimer = undefined;
  }

  /** Tells the listener the values at a cell, or the last ones. */
  #point(cell: number | null, isByKey = false): void {
    this.#cursor = cell;
    const instant = cell === null ? null : this.#instant(this.#timeOf(cell));
    if (instant === null) delete this.#frame.dataset['cursor'];
    else this.#frame.dataset['cursor'] = String(instant.getTime() / 1_000);
    const at = instant && fullTime(instant, this.#zone);
    const span = instant && spanFrom(instant, this.#grid.stepSec);
    this.#listener.onReadout({ at, span, panes: readoutOf(this.#rendered, cell) }, isByKey);
  }

  /** Held, the view begins at the first cell or later. Its first label then stands clear of the edge, which would cut it. */
  #holdStart(isHeld: boolean): void {
    this.#chart.timeScale().applyOptions({ fixLeftEdge: isHeld });
  }

  #fit(): void {
    if (this.#zoom === null) this.#chart.timeScale().fitContent();
  }

  /** Puts layers into the existing series while they are of the same kinds, in the same panes. */
  #draw(layers: readonly Layer[], panes: readonly number[], colors: ChartColors): void {
    const isSame =
      layers.length === this.#rendered.length &&
      layers.every((layer, index) => {
        const before = this.#rendered[index]?.layer;
        return before?.kind === layer.kind && paneOf(before) === paneOf(layer);
      });
    if (!isSame) {
      for (const { series } of this.#rendered) this.#chart.removeSeries(series);
      this.#rendered = layers.map((layer) => this.#added(layer, colors));
      // Lines over a price or an equity share its axis.
      for (const { layer, series } of this.#rendered.toReversed())
        series.priceScale().applyOptions({ scaleMargins: marginsOf(layer) });
    }
    for (const [index, pane] of this.#chart.panes().entries()) pane.setStretchFactor(panes[index] ?? 1);
    for (const [index, layer] of layers.entries()) {
      const rendered = this.#rendered[index];
      if (!rendered) continue;
      rendered.layer = layer;
      rendered.series.applyOptions(optionsOf(layer, colors, (price) => this.#isClear(price, rendered)));
      rendered.placed = this.#placed(layer);
      rendered.cells = [...rendered.placed.keys()];
      const rows = this.#rowsOf(rendered, colors);
      rendered.series.setData(index === 0 ? this.#spaced(rows) : [...rows.values()]);
      rendered.cycles.show(this.#cycleLines(rendered), colors.text);
      drawLevels(rendered.series, layer, colors);
    }
    this.#frame.dataset['levels'] = this.#rendered.map(({ series }) => drawnLevels(series)).join('');
  }

  #cycleLines({ layer, cells }: RenderedLayer) {
    return cyclesOf(markersOf(layer)).map((cycle) =>
      cycle.map(({ at, price }) => ({ time: this.#timeOf(nearestCell(at, this.#grid, cells)), price })),
    );
  }

  #added(layer: Layer, colors: ChartColors): RenderedLayer {
    const series = this.#chart.addSeries(DEFINITIONS[layer.kind], optionsOf(layer, colors), paneOf(layer));
    const cycles = new CycleLines();
    series.attachPrimitive(cycles);
    return { layer, series, plugin: createSeriesMarkers(series, []), cycles, placed: new Map(), cells: [] };
  }

  /** Whether a price's label is whole: not cut by its pane, nor covered by a level or the newest value of its axis. */
  #isClear(price: number, { layer, series }: RenderedLayer): boolean {
    const at = series.priceToCoordinate(price);
    if (at === null) return true;
    const isWhole = at >= HALF_LABEL_PX && at <= series.getPane().getHeight() - HALF_LABEL_PX;
    const isCovered = (other: RenderedLayer) =>
      paneOf(other.layer) === paneOf(layer) &&
      other.series.priceLines().some((line) => {
        const label = series.priceToCoordinate(line.options().price);
        return label !== null && Math.abs(label - at) < LABEL_PX;
      });
    return isWhole && !this.#rendered.some(isCovered);
  }

  #placed(layer: Layer): Map<number, Point | Candle> {
    const placed: readonly { cell: number; row: Point | Candle }[] =
      'candles' in layer ? placeCandles(layer.candles, this.#grid) : placePoints(layer.points, this.#grid);
    return new Map(placed.map(({ cell, row }) => [cell, row]));
  }

  #rowsOf({ layer, placed }: RenderedLayer, colors: ChartColors): Map<number, Row> {
    const rowOf = (cell: number, row: Point | Candle): Row => {
      const time = this.#timeOf(cell);
      if ('value' in row) return { time, value: row.value, ...(row.isBeforeGap && GAP_COLORS) };
      const { open, high, low, close, volume } = row;
      if (layer.kind !== 'volume') return { time, open, high, low, close };
      return { time, value: volume ?? 0, color: volumeColorOf(row, colors) };
    };
    return new Map([...placed].map(([cell, row]) => [cell, rowOf(cell, row)]));
  }

  /** Every cell of the grid in order: the library gives each row the same width. */
  #spaced(rows: ReadonlyMap<number, Row>): Row[] {
    const cells = Math.max(this.#grid.cells, ...[...rows.keys()].map((cell) => cell + 1));
    return Array.from({ length: cells }, (_, cell) => rows.get(cell) ?? { time: this.#timeOf(cell) });
  }

  #visibleSec(): number {
    const visible = this.#chart.timeScale().getVisibleLogicalRange();
    return visible === null ? 0 : (visible.to - visible.from) * this.#grid.stepSec;
  }

  /** Writes the visible stretch of time on the frame, in epoch seconds, and groups markers by it. */
  #regroup(): void {
    const visible = this.#chart.timeScale().getVisibleLogicalRange();
    if (visible === null || this.#colors === null || this.#isDrawing) return;
    this.#frame.dataset['visible'] = secondsOf(visible, this.#grid).join(' ');
    const slot = slotSec(this.#visibleSec(), this.#chart.timeScale().width());
    if (slot === this.#clusterSec) return;
    this.#clusterSec = slot;
    const colors = this.#colors;
    for (const { plugin, layer, cells } of this.#rendered) {
      const clusters = clusterMarkers(
        cells.length === 0 ? [] : markersOf(layer),
        Math.max(slot, this.#grid.stepSec),
      );
      plugin.setMarkers(
        clusters.map((cluster) => ({
          time: this.#timeOf(nearestCell(cluster.at, this.#grid, cells)),
          ...markerOptionsOf(cluster, colors),
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
