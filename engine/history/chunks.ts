/** Cuts a series into chunks, and merges fetched rows into a chunk. Pure. */
import { clipRanges, type Range, subtractRanges, unionOfRanges } from './ranges.ts';
import { hashOf, joinRows, rowsOpening } from './rows.ts';
import type { SeriesRows } from './series.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A venue may still correct a month for this long after its end. */
export const CORRECTED_FOR_MS = 48 * 3_600_000;

/** A venue's answer for a range: all rows that open within it. */
export type VenueAnswer = { readonly held: Range; readonly rows: SeriesRows; readonly source: string };

export type Chunk = {
  readonly rows: SeriesRows;
  readonly held: readonly Range[];
  readonly gaps: readonly Range[];
  readonly source: string;
};

/** Returns the chunk of a row that opens at `atMs`: its month, or its day if rows are less than a minute apart. */
export function chunkAt(resolutionMs: number, atMs: number): Range {
  if (resolutionMs < MINUTE_MS) {
    const fromMs = Math.floor(atMs / DAY_MS) * DAY_MS;
    return { fromMs, toMs: fromMs + DAY_MS };
  }
  const date = new Date(atMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { fromMs: Date.UTC(year, month, 1), toMs: Date.UTC(year, month + 1, 1) };
}

/** Returns the chunks that overlap a range. */
export function chunksOf(resolutionMs: number, { fromMs, toMs }: Range): Range[] {
  const chunks: Range[] = [];
  for (let at = fromMs; at < toMs; ) {
    const chunk = chunkAt(resolutionMs, at);
    chunks.push(chunk);
    at = chunk.toMs;
  }
  return chunks;
}

/** Returns the spans without rows: between rows, before the first and after the last. A gap is at least one row long. */
export function gapsOf(rows: SeriesRows, held: readonly Range[], resolutionMs: number): Range[] {
  const { openTimeMs, closeTimeMs } = rows.columns;
  const covered: Range[] = [];
  for (let index = 0; index < rows.count; index++) {
    const fromMs = openTimeMs[index] ?? 0;
    const toMs = (closeTimeMs[index] ?? 0) + 1;
    const last = covered.at(-1);
    if (last !== undefined && fromMs - last.toMs < resolutionMs) {
      covered[covered.length - 1] = { fromMs: last.fromMs, toMs };
    } else covered.push({ fromMs, toMs });
  }
  return subtractRanges(held, covered).filter(({ fromMs, toMs }) => toMs - fromMs >= resolutionMs);
}

/** Merges an answer into a chunk: within the answer's range its rows replace the chunk's, outside they stay. */
export function mergeIntoChunk(
  chunk: Chunk | null,
  { held, rows, source }: VenueAnswer,
  resolutionMs: number,
): Chunk {
  const before = chunk === null ? [] : [rowsOpening(chunk.rows, { fromMs: 0, toMs: held.fromMs })];
  const after =
    chunk === null ? [] : [rowsOpening(chunk.rows, { fromMs: held.toMs, toMs: Number.MAX_SAFE_INTEGER })];
  const all = joinRows(rows.kind, [...before, rowsOpening(rows, held), ...after]);
  const heldNow = unionOfRanges([...(chunk?.held ?? []), held]);
  return {
    rows: all,
    held: heldNow,
    gaps: gapsOf(all, heldNow, resolutionMs),
    source: sourcesOf([chunk?.source, source]),
  };
}

/** Joins the names of sources with `+`, each once. */
export const sourcesOf = (sources: readonly (string | undefined)[]): string =>
  [...new Set(sources.flatMap((source) => source?.split('+') ?? []))].sort().join('+');

/** Whether a chunk is complete, so that nothing in it can change. */
export const isChunkComplete = (chunk: Range, held: readonly Range[], nowMs: number): boolean =>
  nowMs >= chunk.toMs + CORRECTED_FOR_MS && subtractRanges([chunk], held).length === 0;

/** Hashes the rows of a chunk within a range, to compare them with an answer. */
export const hashWithin = (rows: SeriesRows, held: Range): string => hashOf(rowsOpening(rows, held));

/** Splits an answer by chunk. */
export function splitByChunk(
  answered: VenueAnswer,
  resolutionMs: number,
): (VenueAnswer & { chunk: Range })[] {
  return chunksOf(resolutionMs, answered.held).flatMap((chunk) =>
    clipRanges([answered.held], chunk).map((held) => ({
      chunk,
      held,
      rows: rowsOpening(answered.rows, held),
      source: answered.source,
    })),
  );
}
