import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/tables.ts';
import { type MarketData, type PastPage, pastTermsOf, VenueError } from '../../venues/port.ts';
import { type Answered, chunksOf, gapsOf } from './chunks.ts';
import { type Range, within, without } from './ranges.ts';
import { rowsFrom, rowsOpening, type SeriesRow } from './rows.ts';
import type { SeriesKey } from './series.ts';
import { type Difference, heldRanges, writeHistory } from './store.ts';

/** The past as a venue reports it, and its clock. */
export type PastSource = Pick<MarketData, 'history' | 'now'>;

export type ImportProgress = {
  /** The chunk that is worked on. */
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
  /** Sealed chunks that the venue now tells otherwise; what is kept stays. */
  readonly differences: readonly Difference[];
  readonly gaps: number;
};

export type ImportOptions = {
  /** Whose rows they are: `binance`, `simulator` … */
  readonly source: string;
  readonly signal: AbortSignal;
  readonly progress?: (progress: ImportProgress) => void | Promise<void>;
  /** The account whose share the rows take; the service by default. */
  readonly paidBy?: string | null;
  /** Called before each chunk is fetched; what it throws ends the import. */
  readonly beforeChunk?: (soFar: ImportedSoFar) => Promise<void>;
  /** Asks again for what is held, to compare it. */
  readonly isAgain?: boolean;
  /** Waits before a failed page is asked for again; tests do not. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A row counts as closed this long after its end, by the venue's clock. */
const SETTLED_AFTER_MS = 60_000;
/** Failures of one page in a row, after which the import gives up; with the waits some ten minutes. */
const TRIES_MAX = 12;
const WAIT_MAX_MS = 60_000;
/** More gaps than this are not probed one by one: all of it is asked for again. */
const PROBES_MAX = 20;

/** What of a range an import would ask its venue for: not what is held, nor what the venue has forgotten or not yet seen. */
export async function toImport(db: Db, key: SeriesKey, range: Range, nowMs: number): Promise<Range[]> {
  return without(askable(key, range, nowMs), await heldRanges(db, key));
}

/** Whole chunks, so that they can be sealed, as far as the venue has them and they have happened. */
export function askable(key: SeriesKey, range: Range, nowMs: number): Range[] {
  const terms = pastTermsOf(key.venue, key);
  if (terms === null) throw VenueError.badRequest('the venue has no such series');
  const { resolutionMs } = key;
  const closedMs = Math.floor((nowMs - SETTLED_AFTER_MS) / resolutionMs) * resolutionMs;
  const reachesMs = terms.reachesMs === null ? 0 : nowMs - terms.reachesMs;
  const fromMs = Math.ceil(reachesMs / resolutionMs) * resolutionMs;
  return within(chunksOf(resolutionMs, range), { fromMs, toMs: closedMs });
}

/**
 * Asks a venue for what is missing of a series, one chunk after the other, and keeps each as soon as it is there: an import
 * that dies goes on at the chunk it died in, and a second one asks for nothing. Where the venue has nothing it is asked
 * twice; that is kept as a gap. Nothing is ever filled in.
 *
 * @throws VenueError where the venue refuses, or fails too often in a row; the signal's reason, or what `beforeChunk` throws, where that ends it.
 */
export async function importSeries(
  db: Db,
  market: PastSource,
  key: SeriesKey,
  range: Range,
  options: ImportOptions,
): Promise<ImportResult> {
  const nowMs = market.now();
  const wanted = options.isAgain ? askable(key, range, nowMs) : await toImport(db, key, range, nowMs);
  const totalMs = wanted.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const differences: Difference[] = [];
  let [doneMs, rows, pages, gaps] = [0, 0, 0, 0];
  for (const part of wanted) {
    for (const chunk of chunksOf(key.resolutionMs, part)) {
      await options.beforeChunk?.({ rows, gaps, share: doneMs / totalMs });
      for (const held of within([part], chunk)) {
        const paged = async (page: PastPage) => {
          rows += page.rows.length;
          pages += 1;
          const passedMs = Math.min(page.answered.toMs, held.toMs) - held.fromMs;
          await options.progress?.({ chunk, share: (doneMs + passedMs) / totalMs, rows, pages });
        };
        const answered = await fetchTwice(market, key, held, { ...options, paged });
        differences.push(...(await writeHistory(db, key, answered, new Date(nowMs), options.paidBy)));
        gaps += gapsOf(answered.rows, [held], key.resolutionMs).length;
        doneMs += held.toMs - held.fromMs;
      }
    }
  }
  return { rows, pages, differences, gaps };
}

type Fetching = ImportOptions & { readonly paged: (page: PastPage) => Promise<void> };

/** All rows of a stretch; where there are none the venue is asked once more. */
async function fetchTwice(
  market: PastSource,
  key: SeriesKey,
  held: Range,
  options: Fetching,
): Promise<Answered> {
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

/** Adds the rows of a stretch. A page that fails is asked for again, from where the one before ended. */
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
        at = page.answered.toMs;
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

/** An import leaves its venue to others after this long, before its next chunk. */
export const TURN_MS = 10_000;

/** Ends the turn of an import: a later turn continues where it is. */
export class GaveWay extends Error {
  override readonly name = 'GaveWay';
  readonly soFar: ImportedSoFar;

  constructor(soFar: ImportedSoFar) {
    super('The turn of the import is over.');
    this.soFar = soFar;
  }
}

const waitFor = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });
