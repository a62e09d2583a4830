import { t } from '../language/language.ts';
import type { Candle, Layer, LineTone, Point } from './layers.ts';
import { cellUpTo } from './time-grid.ts';

/** The colour of a layer in the legend; null where it has none of its own. */
export type ReadoutTone = LineTone | 'up' | 'down' | 'result' | null;
export type ReadoutRow = { name: string; tone: ReadoutTone; words: string };
/** The legend of one pane. */
export type ReadoutPane = { pane: number; isAtBottom: boolean; rows: readonly ReadoutRow[] };
/** The stretch of time of a cell. */
export type CursorSpan = { readonly from: string; readonly to: string };
/** The values at one instant, by pane. */
export type Readout = {
  /** The cell under the cursor; null: no cursor. */
  span: CursorSpan | null;
  /** The instant of the cursor in words; null: no cursor, the values are the last ones. */
  at: string | null;
  panes: readonly ReadoutPane[];
};

export type PlacedLayer = {
  readonly layer: Layer;
  /** The drawn rows, by cell. */
  readonly placed: ReadonlyMap<number, Point | Candle>;
  /** The cells with data, ascending. */
  readonly cells: readonly number[];
};

export const spanFrom = (start: Date, stepSec: number): CursorSpan => ({
  from: start.toISOString(),
  to: new Date(start.getTime() + stepSec * 1_000).toISOString(),
});

const NOTHING = '—';

/** The legend at a cell, or at the end. A candle counts in its own cell only, a curve until its next point. */
export function readoutOf(layers: readonly PlacedLayer[], cell: number | null): readonly ReadoutPane[] {
  const named = layers.filter(({ layer }) => layer.name !== undefined);
  return [...Map.groupBy(named, ({ layer }) => layer.pane ?? 0)].map(([pane, ofIt]) => ({
    pane,
    isAtBottom: ofIt.some(({ layer }) => layer.kind === 'below'),
    rows: ofIt.map((each) => rowOf(each, cell)),
  }));
}

function rowOf({ layer, placed, cells }: PlacedLayer, cell: number | null): ReadoutRow {
  const last = cells.at(-1);
  const isCandle = 'candles' in layer;
  const isPast = cell !== null && last !== undefined && cell > last;
  const found = cell === null ? last : isCandle ? cell : isPast ? undefined : cellUpTo(cell, cells);
  const at = found === undefined ? undefined : placed.get(found);
  const isInGap = at !== undefined && 'isBeforeGap' in at && cell !== null && cell !== found;
  const row = isInGap ? undefined : at;
  return { name: layer.name ?? '', tone: toneOf(layer, row), words: row ? wordsOf(layer, row) : NOTHING };
}

function toneOf(layer: Layer, row: Point | Candle | undefined): ReadoutTone {
  switch (layer.kind) {
    case 'line':
      return layer.tone;
    case 'area':
      return 'accent';
    case 'baseline':
      return 'result';
    case 'below':
      return 'down';
    case 'volume':
      return null;
    case 'candles':
      return row && 'close' in row ? (row.close >= row.open ? 'up' : 'down') : null;
  }
}

function wordsOf({ kind, write }: Layer, row: Point | Candle): string {
  if ('value' in row) return write(row.value);
  if (kind === 'volume') return row.volume === undefined ? NOTHING : write(row.volume);
  return t('O\u00a0{open} H\u00a0{high} L\u00a0{low} C\u00a0{close}', {
    open: write(row.open),
    high: write(row.high),
    low: write(row.low),
    close: write(row.close),
  });
}
