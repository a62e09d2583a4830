/** Rows of a series from records of a Parquet file, checked as a venue's answer is. Pure. */
import type { Range } from './ranges.ts';
import type { SeriesRow } from './rows.ts';
import { SERIES_COLUMNS, type SeriesColumn, type SeriesKey, type SeriesRows } from './series.ts';

/** The file is no series that can be stored; the message names row and column. */
export class ParquetRefused extends Error {
  override readonly name = 'ParquetRefused';
}

/** A double holds each number of this many digits. */
const DIGITS_MAX = 15;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The four prices of a bar. The columns of a kind have them once, or for each side of the book. */
const BARS = [
  ['open', 'high', 'low', 'close'],
  ['bidOpen', 'bidHigh', 'bidLow', 'bidClose'],
  ['askOpen', 'askHigh', 'askLow', 'askClose'],
] as const;
/** Bid and ask of the same kind, which never cross. */
const SIDES = [
  ['bidOpen', 'askOpen'],
  ['bidHigh', 'askHigh'],
  ['bidLow', 'askLow'],
  ['bidClose', 'askClose'],
] as const;
const AMOUNTS: readonly SeriesColumn[] = ['volume', 'openInterest'];

/**
 * Returns a record as a row.
 *
 * @param index of the record in its file, for the message
 * @throws ParquetRefused if no venue could have sent it
 */
export function rowOf(key: SeriesKey, record: Readonly<Record<string, unknown>>, index: number): SeriesRow {
  const refuse = (problem: string): never => {
    throw new ParquetRefused(`Row ${index}: ${problem}.`);
  };
  const timeOf = (name: string): number => {
    const value = record[name];
    const timeMs = value instanceof Date ? value.getTime() : Number.NaN;
    return Number.isSafeInteger(timeMs) ? timeMs : refuse(`${name} is no timestamp`);
  };
  const numberOf = (name: SeriesColumn): number | null => {
    const value = record[name] ?? null;
    if (value === null) return key.kind === 'bid_ask' ? null : refuse(`${name} is missing`);
    if (typeof value !== 'number' || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      return refuse(`${name} is ${String(value)}, no number from 0`);
    }
    if (AMOUNTS.includes(name)) return Number(value.toPrecision(DIGITS_MAX));
    if (Number(value.toPrecision(DIGITS_MAX)) !== value) refuse(`${name} is ${value}, more than 15 digits`);
    if (key.kind !== 'candle' && value > 1) refuse(`${name} is ${value}, no price of a contract`);
    return value;
  };
  const [openTimeMs, closeTimeMs] = [timeOf('openTime'), timeOf('closeTime')];
  if (!isInterval(key, openTimeMs, closeTimeMs)) {
    refuse(`from ${isoOf(openTimeMs)} to ${isoOf(closeTimeMs)} is no interval of the series`);
  }
  const numbers: Partial<Record<SeriesColumn, number | null>> = Object.fromEntries(
    SERIES_COLUMNS[key.kind].map((name) => [name, numberOf(name)]),
  );
  for (const [open, high, low, close] of BARS) {
    const [top, bottom] = [numbers[high] ?? Infinity, numbers[low] ?? 0];
    const isPossible = [open, close].every((name) => {
      const price = numbers[name] ?? bottom;
      return price >= bottom && price <= top;
    });
    if (!isPossible) refuse(`${open} or ${close} is not between ${low} and ${high}`);
  }
  for (const [bid, ask] of SIDES) {
    if ((numbers[bid] ?? 0) > (numbers[ask] ?? 1)) refuse(`${bid} is above ${ask}`);
  }
  return { ...numbers, openTimeMs, closeTimeMs };
}

/** Whether a row has the length of its series and lies on its grid. Days of New York begin at any hour, and may differ by one. */
function isInterval({ kind, resolutionMs }: SeriesKey, openTimeMs: number, closeTimeMs: number): boolean {
  const lengthMs = closeTimeMs + 1 - openTimeMs;
  const isNewYorksDay = kind === 'bid_ask' && resolutionMs === DAY_MS;
  const gridMs = isNewYorksDay ? HOUR_MS : resolutionMs;
  const lengths = isNewYorksDay ? [DAY_MS - HOUR_MS, DAY_MS, DAY_MS + HOUR_MS] : [resolutionMs];
  return openTimeMs >= 0 && openTimeMs % gridMs === 0 && lengths.includes(lengthMs);
}

/** The ranges that rows cover without interruption. */
export function coveredRanges({ columns: { openTimeMs, closeTimeMs } }: SeriesRows): Range[] {
  const covered: { fromMs: number; toMs: number }[] = [];
  openTimeMs.forEach((fromMs, index) => {
    const toMs = (closeTimeMs[index] ?? fromMs) + 1;
    const last = covered.at(-1);
    if (last?.toMs === fromMs) last.toMs = toMs;
    else covered.push({ fromMs, toMs });
  });
  return covered;
}

const isoOf = (timeMs: number): string => {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
};
