import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/tables.ts';
import { type HistoryPage, type MarketData, pastTermsOf, VenueError } from '../../venues/port.ts';
import type { HistoryArchive } from './archived-bodies.ts';
import { chunksOf, gapsOf, type VenueAnswer } from './chunks.ts';
import { clipRanges, type Range, subtractRanges } from './ranges.ts';
import { rowsFrom, rowsOpening, type SeriesRow } from './rows.ts';
import type { SeriesKey } from './series.ts';
import { type Difference, storedRanges, writeHistory } from './store.ts';

/** The part of market data that an import needs: history, and the venue's clock. */
export type PastSource = Pick<MarketData, 'history' | 'now'>;

export type ImportProgress = {
  /** The chunk being imported. */
  readonly chunk: Range;
  /** 0 to 1. */
  readonly share: number;
  /** Rows and pages of this import so far. */
  readonly rows: number;
  readonly pages: number;
};

/** Rows and gaps that an import has written, and the share done. */
export type ImportedSoFar = { readonly rows: number; readonly gaps: number; readonly share: number };

export type ImportResult = {
  readonly rows: number;
  readonly pages: number;
  /** Sealed chunks for which the venue now reports other rows; the stored rows stay. */
  readonly differences: readonly Difference[];
  readonly gaps: number;
};

export type ImportOptions = {
  /** Source of the rows: `binance`, `simulator` … */
  readonly source: string;
  readonly signal: AbortSignal;
  readonly progress?: (progress: ImportProgress) => void | Promise<void>;
  /** The account whose storage share the rows count in; the service by default. */
  readonly paidBy?: string | null;
  /** Has the bodies of old chunks, to compare them. */
  readonly archive?: HistoryArchive | null;
  /** Called before each chunk is fetched; an error from it ends the import. */
  readonly beforeChunk?: (soFar: ImportedSoFar) => Promise<void>;
  /** Fetches stored ranges again, to compare them. */
  readonly isAgain?: boolean;
  /** Waits before a failed page is fetched again; replaced in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A row counts as closed this long after its end, by the venue's clock. */
const SETTLED_AFTER_MS = 60_000;
/** Consecutive failures of one page after which the import gives up. With the pauses this takes about ten minutes. */
const TRIES_MAX = 12;
const WAIT_MAX_MS = 60_000;
/** With more gaps than this they are not fetched one by one: the whole range is fetched again. */
const PROBES_MAX = 20;

/** Returns the ranges to fetch from the venue: without stored ones, and without those it no longer or not yet has. */
export async function missingRanges(db: Db, key: SeriesKey, range: Range, nowMs: number): Promise<Range[]> {
  return subtractRanges(importableRanges(key, range, nowMs), await storedRanges(db, key));
}

/** Returns whole chunks, which can be sealed, limited to what the venue has and to the past. */
export function importableRanges(key: SeriesKey, range: Range, nowMs: number): Range[] {
  const terms = pastTermsOf(key.venue, key);
  if (terms === null) throw VenueError.badRequest('the venue has no such series');
  const { resolutionMs } = key;
  const closedMs = Math.floor((nowMs - SETTLED_AFTER_MS) / resolutionMs) * resolutionMs;
  const lookbackMs = terms.lookbackMs === null ? 0 : nowMs - terms.lookbackMs;
  const fromMs = Math.ceil(lookbackMs / resolutionMs) * resolutionMs;
  return clipRanges(chunksOf(resolutionMs, range), { fromMs, toMs: closedMs });
}

/**
 * Fetches the missing ranges of a series from its venue, chunk by chunk. Each chunk is stored as soon as it arrives. An import
 * that dies resumes at its current chunk, and a second one fetches nothing. An empty range is fetched twice, then stored as a
 * gap. Nothing is ever filled in.
 *
 * @throws VenueError if the venue refuses, or fails too often in a row; also the signal's reason on abort; the error of
 * `beforeChunk`.
 */
export async function importSeries(
  db: Db,
  market: PastSource,
  key: SeriesKey,
  range: Range,
  options: ImportOptions,
): Promise<ImportResult> {
  const nowMs = market.now();
  const wanted = options.isAgain
    ? importableRanges(key, range, nowMs)
    : await missingRanges(db, key, range, nowMs);
  const totalMs = wanted.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const differences: Difference[] = [];
  let [doneMs, rows, pages, gaps] = [0, 0, 0, 0];
  for (const part of wanted) {
    for (const chunk of chunksOf(key.resolutionMs, part)) {
      await options.beforeChunk?.({ rows, gaps, share: doneMs / totalMs });
      for (const held of clipRanges([part], chunk)) {
        const paged = async (page: HistoryPage) => {
          rows += page.rows.length;
          pages += 1;
          const passedMs = Math.min(page.coveredRange.toMs, held.toMs) - held.fromMs;
          await options.progress?.({ chunk, share: (doneMs + passedMs) / totalMs, rows, pages });
        };
        const answered = await fetchTwice(market, key, held, { ...options, paged });
        differences.push(...(await writeHistory(db, key, answered, new Date(nowMs), options)));
        gaps += gapsOf(answered.rows, [held], key.resolutionMs).length;
        doneMs += held.toMs - held.fromMs;
      }
    }
  }
  return { rows, pages, differences, gaps };
}

type Fetching = ImportOptions & { readonly paged: (page: HistoryPage) => Promise<void> };

/** Fetches all rows of a range; an empty result is fetched once more. */
async function fetchTwice(
  market: PastSource,
  key: SeriesKey,
  held: Range,
  options: Fetching,
): Promise<VenueAnswer> {
  const records = new Map<number, SeriesRow>();
  await fetchInto(records, market, key, held, options);
  const rowsNow = () =>
    rowsFrom(
      key.kind,
      [...records.values()].sort((a, b) => a.openTimeMs - b.openTimeMs),
    );
  const holes = gapsOf(rowsNow(), [held], key.resolutionMs);
  for (const hole of holes.length > PROBES_MAX ? [held] : holes) {
    await fetchInto(records, market, key, hole, options);
  }
  return { held, rows: rowsOpening(rowsNow(), held), source: options.source };
}

/** Adds the rows of a range. A page that fails is fetched again, from the end of the page before. */
async function fetchInto(
  records: Map<number, SeriesRow>,
  market: PastSource,
  { kind, tokenId, resolutionMs }: SeriesKey,
  { fromMs, toMs }: Range,
  { signal, paged, wait = waitFor }: Fetching,
): Promise<void> {
  let at = fromMs;
  for (let failures = 0; at < toMs; ) {
    try {
      for await (const page of market.history(
        { kind, tokenId, resolutionMs },
        { fromMs: at, toMs },
        signal,
      )) {
        signal.throwIfAborted();
        for (const row of page.rows) records.set(row.openTimeMs, row);
        await paged(page);
        at = page.coveredRange.toMs;
        failures = 0;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      const isPassing = error instanceof VenueError && error.kind === 'unavailable';
      failures += 1;
      if (!isPassing || failures >= TRIES_MAX) throw error;
      await wait(
        Math.min(WAIT_MAX_MS, Math.max((error.retryAfterSec ?? 1) * 1_000, 2 ** failures * 500)),
        signal,
      );
    }
  }
}

/** After this long an import yields its venue to others, before its next chunk. */
export const IMPORT_TURN_MS = 10_000;

/** Ends the turn of an import: a later turn resumes it. */
export class ImportTurnOver extends Error {
  override readonly name = 'GaveWay';
  readonly soFar: ImportedSoFar;

  constructor(soFar: ImportedSoFar) {
    super('The turn of the import is over.');
    this.soFar = soFar;
  }
}

const waitFor = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });
