import type { Db } from '../../db/tables.ts';
import { pastTermsOf } from '../../venues/port.ts';
import { importableRanges } from './import.ts';
import { clipRanges, type Range, subtractRanges, unionOfRanges } from './ranges.ts';
import type { SeriesKey } from './series.ts';
import { coarserThan, type ImportEffort, importEffortOf, intervalName } from './series-intervals.ts';
import { storedRangeSummary } from './store.ts';

/** Coverage of a series in a range: stored rows, gaps at the venue, ranges still importable and ranges unavailable. */
export type SeriesCoverage = {
  readonly held: readonly Range[];
  readonly gaps: readonly Range[];
  /** Ranges that the venue can still deliver. */
  readonly importable: readonly Range[];
  /** Ranges that the venue no longer delivers, or does not deliver yet. */
  readonly unavailable: readonly Range[];
  readonly effort: ImportEffort;
  readonly rows: number;
  readonly sizeBytes: number;
  readonly source: string | null;
  /** Coarser intervals that the venue still has for the unavailable ranges. */
  readonly coarser: readonly string[];
};

/** Returned gaps and ranges are limited to this number, the newest first to stay. */
const RANGES_MAX = 500;

export async function coverageOf(
  db: Db,
  key: SeriesKey,
  range: Range,
  nowMs: number,
): Promise<SeriesCoverage> {
  const facts = await storedRangeSummary(db, key, range);
  const held = clipRanges(unionOfRanges(facts.held), range);
  const missing = subtractRanges([range], held);
  const askableNow = importableRanges(key, range, nowMs);
  const importable = missing.flatMap((part) => clipRanges(askableNow, part));
  const unavailable = subtractRanges(missing, importable);
  const terms = pastTermsOf(key.venue, key);
  const isGone =
    terms?.lookbackMs != null && unavailable.some(({ fromMs }) => fromMs < nowMs - (terms.lookbackMs ?? 0));
  return {
    held: held.slice(-RANGES_MAX),
    gaps: clipRanges(unionOfRanges(facts.gaps), range).slice(-RANGES_MAX),
    importable: importable.slice(-RANGES_MAX),
    unavailable: unavailable.slice(-RANGES_MAX),
    effort: importEffortOf(key, importable),
    rows: facts.rows,
    sizeBytes: facts.sizeBytes,
    source: facts.source,
    coarser: isGone
      ? coarserThan(terms, key.venue).map(({ resolutionMs }) => intervalName(resolutionMs))
      : [],
  };
}
