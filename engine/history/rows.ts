/** Rows of a series as values: created, sliced, joined, hashed. Pure. */
import { createHash } from 'node:crypto';
import type { Range } from './ranges.ts';
import { SERIES_COLUMNS, type SeriesColumn, type SeriesKind, type SeriesRows } from './series.ts';

export type Columns = SeriesRows['columns'];
/** One row by column name. An absent column was not stated by the venue. */
export type SeriesRow = Readonly<
  { openTimeMs: number; closeTimeMs: number } & Partial<Record<SeriesColumn, number | null>>
>;

/** All columns of a kind, in the order in which they are written and hashed. */
export const columnsOf = (kind: SeriesKind): readonly SeriesColumn[] => [
  'openTimeMs',
  'closeTimeMs',
  ...SERIES_COLUMNS[kind],
];

/** Allocates rows to be filled, in shared memory if `isShared`. */
export function emptyRows(kind: SeriesKind, count: number, isShared = false): SeriesRows {
  const bytes = count * Float64Array.BYTES_PER_ELEMENT;
  const columns = Object.fromEntries(
    columnsOf(kind).map((name) => [
      name,
      isShared ? new Float64Array(new SharedArrayBuffer(bytes)) : new Float64Array(count),
    ]),
  );
  return { kind, count, columns: columns as Columns };
}

/** Rows from records, ascending. */
export function rowsFrom(kind: SeriesKind, records: readonly SeriesRow[]): SeriesRows {
  const rows = emptyRows(kind, records.length);
  for (const name of columnsOf(kind)) {
    const column = rows.columns[name];
    records.forEach((record, index) => {
      column[index] = record[name] ?? Number.NaN;
    });
  }
  return checkedRows(rows);
}

/** Rows from `start` to before `end`, over the same memory. */
export function sliceRows({ kind, columns }: SeriesRows, start: number, end: number): SeriesRows {
  const cut = columnsOf(kind).map((name) => [name, columns[name].subarray(start, end)]);
  return { kind, count: Math.max(0, end - start), columns: Object.fromEntries(cut) as Columns };
}

/** Rows that open at or after `fromMs` and end by `toMs`. */
export function rowsWithin(rows: SeriesRows, { fromMs, toMs }: Range): SeriesRows {
  const start = firstFrom(rows.columns.openTimeMs, fromMs);
  const end = firstFrom(rows.columns.closeTimeMs, toMs);
  return sliceRows(rows, start, Math.max(start, end));
}

/** Rows that open within. */
export function rowsOpening(rows: SeriesRows, { fromMs, toMs }: Range): SeriesRows {
  const { openTimeMs } = rows.columns;
  return sliceRows(rows, firstFrom(openTimeMs, fromMs), firstFrom(openTimeMs, toMs));
}

/** Returns the index of the first of these ascending times at or after `timeMs`. */
function firstFrom(times: Float64Array, timeMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Concatenates rows, into shared memory if `isShared`. */
export function joinRows(kind: SeriesKind, parts: readonly SeriesRows[], isShared = false): SeriesRows {
  const rows = emptyRows(
    kind,
    parts.reduce((count, part) => count + part.count, 0),
    isShared,
  );
  let at = 0;
  for (const part of parts) {
    for (const name of columnsOf(kind)) rows.columns[name].set(part.columns[name], at);
    at += part.count;
  }
  return rows;
}

/**
 * Returns the rows if they are valid: times are whole, rows ascend and end after they begin, and every other number is finite
 * or NaN.
 *
 * @throws RangeError that names the invalid row.
 */
export function checkedRows(rows: SeriesRows): SeriesRows {
  const { openTimeMs, closeTimeMs } = rows.columns;
  let opened = Number.NEGATIVE_INFINITY;
  let closed = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < rows.count; index++) {
    const open = openTimeMs[index] ?? Number.NaN;
    const close = closeTimeMs[index] ?? Number.NaN;
    const isTime = Number.isSafeInteger(open) && Number.isSafeInteger(close);
    if (!isTime || open <= opened || close <= closed || close < open) {
      throw new RangeError(`Row ${index}, from ${open} to ${close}, does not follow the row before it.`);
    }
    opened = open;
    closed = close;
  }
  for (const name of SERIES_COLUMNS[rows.kind]) {
    if (rows.columns[name as SeriesColumn].some((value) => value === Infinity || value === -Infinity)) {
      throw new RangeError(`A row has no finite ${name}.`);
    }
  }
  return rows;
}

/** SHA-256 over all columns in their order, hex: doubles, little-endian, one form of NaN. */
export function hashOf(rows: SeriesRows): string {
  const hash = createHash('sha256');
  for (const name of columnsOf(rows.kind)) hash.update(bytesOf(rows.columns[name]));
  return hash.digest('hex');
}

/** Returns the bytes of a column to store; a number that is not stated always has the same bits. */
export function bytesOf(column: Float64Array): Uint8Array {
  const plain = new Float64Array(column.length);
  for (let index = 0; index < column.length; index++) {
    const value = column[index] ?? Number.NaN;
    plain[index] = Number.isNaN(value) ? Number.NaN : value;
  }
  return new Uint8Array(plain.buffer);
}
