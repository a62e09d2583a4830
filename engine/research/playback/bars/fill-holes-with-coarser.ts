import type { History, SeriesRows } from '../../../history/series.ts';

type Candles = SeriesRows<'candle'>;
/** Part of the rows of one series. */
type Piece = { readonly rows: Candles; readonly from: number; readonly to: number };

/**
 * Joins candles of several lengths into one tape, using the finest for each range. A coarser candle is used if it lies within a
 * hole of all finer ones. Null without any. Pure.
 *
 * @param histories of candles of one instrument.
 * @param fromMs before it nothing is added.
 */
export function fillHolesWithCoarser(
  histories: readonly History[],
  fromMs: number,
): { history: History; coarsestMs: number } | null {
  const [finest, ...coarser] = histories.toSorted((a, b) => a.key.resolutionMs - b.key.resolutionMs);
  if (finest === undefined) return null;
  let rows = candlesOf(finest);
  let coarsestMs = finest.key.resolutionMs;
  for (const each of coarser) {
    const pieces = piecesOf(rows, candlesOf(each), fromMs);
    if (pieces === null) continue;
    rows = joined(pieces);
    coarsestMs = each.key.resolutionMs;
  }
  return { history: { ...finest, rows: rows as unknown as History['rows'] }, coarsestMs };
}

/** Returns the rows of the finer series with rows of the coarser one in its holes; null if none fits. */
function piecesOf(fine: Candles, coarse: Candles, fromMs: number): Piece[] | null {
  const pieces: Piece[] = [];
  let at = 0;
  let begun = 0;
  for (let row = 0; row <= fine.count; row++) {
    const holeFrom = Math.max(fromMs, row === 0 ? fromMs : closedMs(fine, row - 1));
    const holeTo = row === fine.count ? Number.POSITIVE_INFINITY : openedMs(fine, row);
    if (holeTo <= holeFrom) continue;
    while (at < coarse.count && openedMs(coarse, at) < holeFrom) at++;
    const from = at;
    while (at < coarse.count && closedMs(coarse, at) <= holeTo) at++;
    if (at === from) continue;
    pieces.push({ rows: fine, from: begun, to: row }, { rows: coarse, from, to: at });
    begun = row;
  }
  return pieces.length === 0 ? null : [...pieces, { rows: fine, from: begun, to: fine.count }];
}

const candlesOf = ({ rows }: History): Candles => rows as unknown as Candles;
const openedMs = ({ columns }: Candles, row: number): number => columns.openTimeMs[row] as number;
const closedMs = ({ columns }: Candles, row: number): number => (columns.closeTimeMs[row] as number) + 1;

function joined(pieces: readonly Piece[]): Candles {
  const count = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
  const join = (name: keyof Candles['columns']): Float64Array => {
    const column = new Float64Array(count);
    let at = 0;
    for (const { rows, from, to } of pieces) {
      column.set(rows.columns[name].subarray(from, to), at);
      at += to - from;
    }
    return column;
  };
  const columns = {
    openTimeMs: join('openTimeMs'),
    closeTimeMs: join('closeTimeMs'),
    open: join('open'),
    high: join('high'),
    low: join('low'),
    close: join('close'),
    volume: join('volume'),
  };
  return { kind: 'candle', count, columns };
}
