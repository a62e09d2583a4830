import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { Db } from '../../db/tables.ts';
import { coveredRanges, ParquetRefused, rowOf } from './parquet-rows.ts';
import { subtractRanges } from './ranges.ts';
import { joinRows, rowsFrom, rowsOpening } from './rows.ts';
import { SERIES_COLUMNS, type SeriesKey, type SeriesRows } from './series.ts';
import { storedRanges, writeHistory } from './store.ts';

/** Rows of a file, and those of them that were stored: the others lie in ranges that were stored before. */
export type ParquetImport = { readonly rows: number; readonly stored: number };

/** Nine years of minutes: 270 MB in memory. */
const ROWS_MAX = 5_000_000;
/** A file with more interruptions has rows of another interval. */
const RANGES_MAX = 10_000;
const READ_AT_ONCE = 50_000;

/**
 * Stores the rows of a Parquet file that has the columns of an export. Stored ranges stay as they are. Where
 * the file has no rows the history stays missing, so that it can be fetched. The source of the rows is `file`.
 *
 * @param beforeWrite called before each range is written; its error ends the import, and ranges before it stay
 * @throws ParquetRefused if a row is impossible, does not follow the one before it, or is not over by `now`: nothing is stored
 */
export async function importParquet(
  db: Db,
  key: SeriesKey,
  file: AsyncBuffer,
  now: Date,
  beforeWrite: () => Promise<void>,
): Promise<ParquetImport> {
  const rows = await readRows(key, file);
  const covered = coveredRanges(rows);
  const end = new Date(covered.at(-1)?.toMs ?? 0);
  if (end > now)
    throw new ParquetRefused(`The last row ends at ${end.toISOString()}, which is not over yet.`);
  if (covered.length > RANGES_MAX) {
    throw new ParquetRefused(
      `The rows have ${covered.length - 1} interruptions: they are of another interval.`,
    );
  }
  let stored = 0;
  for (const held of subtractRanges(covered, await storedRanges(db, key))) {
    await beforeWrite();
    const added = rowsOpening(rows, held);
    await writeHistory(db, key, { held, rows: added, source: 'file' }, now);
    stored += added.count;
  }
  return { rows: rows.count, stored };
}

async function readRows(key: SeriesKey, file: AsyncBuffer): Promise<SeriesRows> {
  const metadata = await parquetMetadataAsync(file);
  const count = Number(metadata.num_rows);
  const grouped = metadata.row_groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0);
  if (count !== grouped) {
    throw new ParquetRefused(`The file states ${count} rows, and has ${grouped}.`);
  }
  if (!(count > 0 && count <= ROWS_MAX)) {
    throw new ParquetRefused(`The file has ${count} rows instead of 1 to ${ROWS_MAX.toLocaleString('en')}.`);
  }
  const columns = ['openTime', 'closeTime', ...SERIES_COLUMNS[key.kind]];
  const named = new Set(metadata.schema.map(({ name }) => name));
  const missing = columns.filter((name) => !named.has(name));
  if (missing.length > 0) throw new ParquetRefused(`The file has no column ${missing.join(', ')}.`);
  const parts: SeriesRows[] = [];
  let closedMs = Number.NEGATIVE_INFINITY;
  for (let rowStart = 0; rowStart < count; rowStart += READ_AT_ONCE) {
    const rowEnd = Math.min(count, rowStart + READ_AT_ONCE);
    const records = await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd });
    const rows = records.map((record, at) => {
      const row = rowOf(key, record, rowStart + at);
      if (row.openTimeMs <= closedMs) {
        throw new ParquetRefused(
          `Row ${rowStart + at} begins before the row above it ends: sort by openTime.`,
        );
      }
      closedMs = row.closeTimeMs;
      return row;
    });
    parts.push(rowsFrom(key.kind, rows));
  }
  return joinRows(key.kind, parts);
}
