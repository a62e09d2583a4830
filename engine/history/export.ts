import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/tables.ts';
import { type ParquetPage, type ParquetValue, parquetFile } from '../platform/parquet.ts';
import type { HistoryArchive } from './archived-bodies.ts';
import { chunksOf } from './chunks.ts';
import { clipRanges, type Range } from './ranges.ts';
import { sliceRows } from './rows.ts';
import { SERIES_COLUMNS, type SeriesKey } from './series.ts';
import { readHistory, storedRanges } from './store.ts';

/** More rows at once would delay other requests. */
const PAGE_ROWS = 5_000;

/**
 * Exports the stored rows of a series in a range as Parquet, oldest first. One chunk is in memory at a time.
 *
 * @throws HistoryDamaged, DomainError `archived_unavailable`, also while the file is written: it has no footer then
 */
export function exportHistory(
  db: Db,
  archive: HistoryArchive | null,
  key: SeriesKey,
  range: Range,
): AsyncGenerator<Uint8Array> {
  const doubles = SERIES_COLUMNS[key.kind].map((name) => [name, 'double'] as const);
  const columns = { openTime: 'instant', closeTime: 'instant', ...Object.fromEntries(doubles) } as const;
  return parquetFile(columns, pagesOf(db, archive, key, range));
}

async function* pagesOf(
  db: Db,
  archive: HistoryArchive | null,
  key: SeriesKey,
  range: Range,
): AsyncGenerator<ParquetPage> {
  const held = clipRanges(await storedRanges(db, key), range);
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined) return;
  const stored = { fromMs: first.fromMs, toMs: last.toMs };
  for (const part of chunksOf(key.resolutionMs, stored).flatMap((chunk) => clipRanges([stored], chunk))) {
    const { rows } = (await readHistory(db, key, part, { archive })) ?? {};
    for (let start = 0; rows !== undefined && start < rows.count; start += PAGE_ROWS) {
      const { columns } = sliceRows(rows, start, Math.min(start + PAGE_ROWS, rows.count));
      yield {
        openTime: Array.from(columns.openTimeMs, BigInt),
        closeTime: Array.from(columns.closeTimeMs, BigInt),
        ...Object.fromEntries(
          Object.entries(columns).map(([name, values]) => [name, Array.from(values, statedOrNull)]),
        ),
      };
      await setImmediate();
    }
  }
}

const statedOrNull = (value: number): ParquetValue => (Number.isNaN(value) ? null : value);
