import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Db } from '../../db/tables.ts';
import { rowsFrom, type SeriesRow } from '../../engine/history/rows.ts';
import type { SeriesKey, SeriesKind, SeriesRows } from '../../engine/history/series.ts';
import { writeHistory } from '../../engine/history/store.ts';

/** Seven hundred recorded bars of five minutes. */
export const BTC_5M = new URL('../fixtures/btcusdt-5m-2025-09-06.csv', import.meta.url);

/** Our names for columns of recorded series. Other columns keep their own name. */
const NAMES: Readonly<Record<string, string>> = {
  yes_bid_close: 'bidClose',
  yes_ask_close: 'askClose',
  open_interest: 'openInterest',
};

/**
 * Rows of a series that was recorded as CSV, gzipped or not. `ts_ms` is the open time of a row, an empty field is unknown,
 * lines with `#` are comments. Columns that the kind lacks are left out.
 */
export function seriesFromCsv(
  file: URL | string,
  resolutionMs: number,
  kind: SeriesKind = 'candle',
): SeriesRows {
  const bytes = readFileSync(file);
  const text = (String(file).endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const [head = '', ...lines] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const names = head.split(',').map((name) => NAMES[name] ?? name);
  const records = lines.map((line): SeriesRow => {
    const fields = line.split(',').map((field, index) => [names[index], field === '' ? null : Number(field)]);
    const { ts_ms: openTimeMs = 0, ...numbers } = Object.fromEntries(fields);
    return { ...numbers, openTimeMs, closeTimeMs: openTimeMs + resolutionMs - 1 };
  });
  return rowsFrom(kind, records);
}

/** Stores rows where a run reads its history, as if the import had fetched just these. */
export async function storeHistory(
  db: Db,
  key: SeriesKey,
  rows: SeriesRows,
  now = new Date(),
  source = 'recorded',
): Promise<void> {
  const { openTimeMs, closeTimeMs } = rows.columns;
  const held = { fromMs: openTimeMs[0] ?? 0, toMs: (closeTimeMs.at(-1) ?? 0) + 1 };
  await writeHistory(db, key, { rows, held, source }, now);
}
