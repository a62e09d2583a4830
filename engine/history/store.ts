import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../db/tables.ts';
import type { Venue } from '../../db/vocabulary.ts';
import { VENUES } from '../../venues/port.ts';
import { type HistoryArchive, readBody, STORED_BODY, type StoredBody } from './archived-bodies.ts';
import {
  type Chunk,
  chunkAt,
  hashWithin,
  isChunkComplete,
  mergeIntoChunk,
  sourcesOf,
  splitByChunk,
  type VenueAnswer,
} from './chunks.ts';
import { decodeRows, encodeRows } from './codec.ts';
import { clipRanges, type Range, subtractRanges, unionOfRanges } from './ranges.ts';
import { hashOf, joinRows, rowsWithin } from './rows.ts';
import type { History, SeriesKey, SeriesRows } from './series.ts';

/** Stored rows do not match what was written: no run may start on them. */
export class HistoryDamaged extends Error {
  override readonly name = 'HistoryDamaged';
  readonly code = 'no_history';
}

/** A sealed chunk for which the venue now reports other rows. The stored chunk stays. */
export type Difference = {
  readonly chunk: Range;
  readonly storedHash: string;
  readonly offeredHash: string;
};

/** Selects the histories of the current price source; nothing of another source is read or written. */
const CURRENT_PRICES = sql<'simulator' | 'live'>`coalesce(
  (select source from price_period order by since desc limit 1), 'live')`;

const Ranges = z
  .array(z.tuple([z.number(), z.number()]))
  .transform((pairs) => pairs.map(([fromMs, toMs]) => ({ fromMs, toMs })));
export const rangesOf = (json: unknown): Range[] => Ranges.parse(json);
const pairsOf = (ranges: readonly Range[]): string =>
  JSON.stringify(ranges.map(({ fromMs, toMs }) => [fromMs, toMs]));

export type WriteOptions = {
  /** The account whose storage share new chunks count in; the service by default. */
  readonly paidBy?: string | null;
  /** Has the bodies of old sealed chunks; needed where an answer overlaps one. */
  readonly archive?: HistoryArchive | null;
};

/**
 * Stores a venue's answer chunk by chunk, each in its own transaction. A sealed chunk stays as it is.
 *
 * @returns the sealed chunks from which the answer differs.
 * @throws DomainError `archived_unavailable` if a sealed chunk cannot be compared
 */
export async function writeHistory(
  db: Db,
  key: SeriesKey,
  answered: VenueAnswer,
  now: Date,
  options: WriteOptions = {},
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const { chunk, ...part } of splitByChunk(answered, key.resolutionMs)) {
    const difference = await writeChunk(db, key, part, now, options);
    if (difference !== null) differences.push({ chunk, ...difference });
  }
  return differences;
}

/** Does {@link writeHistory} for rows within one chunk. */
export async function writeChunk(
  db: Db,
  key: SeriesKey,
  answered: VenueAnswer,
  now: Date,
  { paidBy = null, archive = null }: WriteOptions = {},
): Promise<Omit<Difference, 'chunk'> | null> {
  const chunk = chunkAt(key.resolutionMs, answered.held.fromMs);
  if (answered.held.toMs > chunk.toMs) throw new RangeError('That is more than one chunk.');
  const seriesId = await seriesOf(db, key);
  const sealed = await db.transaction().execute(async (tx) => {
    // Locks the series for one writer, also while it has no row that could be locked.
    await sql`select pg_advisory_xact_lock(hashtextextended('history', ${seriesId}))`.execute(tx);
    const stored = await tx
      .selectFrom('history_chunk')
      .select(['held', 'gaps', 'is_sealed', 'hash', 'source', ...STORED_BODY])
      .where('series_id', '=', seriesId)
      .where('from_at', '=', new Date(chunk.fromMs).toISOString())
      .executeTakeFirst();
    if (stored?.is_sealed === true) return stored;
    const before = stored === undefined ? null : await chunkOf(key, stored, null);
    const next = mergeIntoChunk(before, answered, key.resolutionMs);
    const row = rowOf(next, isChunkComplete(chunk, next.held, now.getTime()), now);
    await tx
      .insertInto('history_chunk')
      .values({ series_id: seriesId, from_at: new Date(chunk.fromMs), paid_by: paidBy, ...row })
      .onConflict((conflict) => conflict.columns(['series_id', 'from_at']).doUpdateSet(row))
      .execute();
    return null;
  });
  // It never changes again. Its body may have to be fetched, which no transaction waits for.
  return sealed && differenceOf((await chunkOf(key, sealed, archive)).rows, answered);
}

function differenceOf(stored: SeriesRows, { rows, held }: VenueAnswer): Omit<Difference, 'chunk'> | null {
  const [storedHash, offeredHash] = [hashWithin(stored, held), hashWithin(rows, held)];
  return storedHash === offeredHash ? null : { storedHash, offeredHash };
}

function rowOf({ rows, held, gaps, source }: Chunk, is_sealed: boolean, now: Date) {
  const body = encodeRows(rows);
  const [first, last] = [rows.columns.openTimeMs[0], rows.columns.closeTimeMs.at(-1)];
  return {
    rows: rows.count,
    first_at: first === undefined ? null : new Date(first),
    last_at: last === undefined ? null : new Date(last + 1),
    held: pairsOf(held),
    gaps: pairsOf(gaps),
    is_sealed,
    hash: hashOf(rows),
    source,
    fetched_at: now,
    size_bytes: body.length,
    body,
  };
}

async function seriesOf(db: Db, key: SeriesKey): Promise<number> {
  const found = await findSeries(db, key);
  if (found !== null) return found;
  await sql`insert into history_series (venue, token_id, kind, resolution_ms, prices)
    values (${key.venue}, ${key.tokenId}, ${key.kind}, ${key.resolutionMs}, ${CURRENT_PRICES})
    on conflict do nothing`.execute(db);
  const made = await findSeries(db, key);
  if (made === null) throw new Error('The prices changed to another source meanwhile.');
  return made;
}

export async function findSeries(db: Db, key: SeriesKey): Promise<number | null> {
  const row = await db
    .selectFrom('history_series')
    .select('id')
    .where('venue', '=', key.venue)
    .where('token_id', '=', key.tokenId)
    .where('kind', '=', key.kind)
    .where('resolution_ms', '=', key.resolutionMs)
    .where('prices', '=', CURRENT_PRICES)
    .executeTakeFirst();
  return row?.id ?? null;
}

type StoredChunk = StoredBody & {
  readonly held: unknown;
  readonly gaps: unknown;
  readonly hash: string;
  readonly source: string;
};

/** Decodes a stored chunk. @throws HistoryDamaged if its body does not match its hash; also the errors of `readBody`. */
async function chunkOf(
  { kind, tokenId }: SeriesKey,
  stored: StoredChunk,
  archive: HistoryArchive | null,
): Promise<Chunk> {
  const { held, gaps, hash, source } = stored;
  const rows = readable(tokenId, await readBody(archive, 'history', stored));
  if (rows.kind !== kind || hashOf(rows) !== hash) {
    throw new HistoryDamaged(`The stored history of ${tokenId} is not what was written: ${hash}.`);
  }
  return { rows, held: rangesOf(held), gaps: rangesOf(gaps), source };
}

function readable(tokenId: string, body: Uint8Array): SeriesRows {
  try {
    return decodeRows(Buffer.from(body));
  } catch (cause) {
    throw new HistoryDamaged(`The stored history of ${tokenId} cannot be read.`, { cause });
  }
}

export type ReadOptions = {
  readonly isShared?: boolean;
  readonly archive?: HistoryArchive | null;
  readonly signal?: AbortSignal;
};

/**
 * Reads the rows of a series in `[fromMs, toMs)`, into shared memory if asked; null if there are none. Chunks are read one
 * after the other, and each is compared with its hash.
 *
 * @throws HistoryDamaged if a chunk is not what was written: no part of it is returned.
 * @throws DomainError `archived_unavailable` if an old chunk cannot be read from the archive: no part of it is returned.
 * @throws the signal's reason on abort, before the next chunk.
 */
export async function readHistory(
  db: Db,
  key: SeriesKey,
  range: Range,
  { isShared = false, archive = null, signal }: ReadOptions = {},
): Promise<History | null> {
  const seriesId = await findSeries(db, key);
  if (seriesId === null) return null;
  const chunks: Chunk[] = [];
  let fromMs = chunkAt(key.resolutionMs, range.fromMs).fromMs - 1;
  for (;;) {
    signal?.throwIfAborted();
    const stored = await db
      .selectFrom('history_chunk')
      .select(['from_at', 'held', 'gaps', 'hash', 'source', ...STORED_BODY])
      .where('series_id', '=', seriesId)
      .where('from_at', '>', new Date(fromMs).toISOString())
      .where('from_at', '<', new Date(range.toMs).toISOString())
      .orderBy('from_at')
      .limit(1)
      .executeTakeFirst();
    if (stored === undefined) break;
    const chunk = await chunkOf(key, stored, archive);
    chunks.push({ ...chunk, rows: rowsWithin(chunk.rows, range) });
    fromMs = Date.parse(stored.from_at);
  }
  const rows = joinRows(
    key.kind,
    chunks.map((chunk) => chunk.rows),
    isShared,
  );
  if (rows.count === 0) return null;
  const all = (of: (chunk: Chunk) => readonly Range[]) =>
    clipRanges(unionOfRanges(chunks.flatMap(of)), range);
  return {
    key,
    rows,
    gaps: all(({ gaps }) => gaps),
    missing: subtractRanges(
      [range],
      all(({ held }) => held),
    ),
    hash: hashOf(rows),
    source: sourcesOf(chunks.map(({ source }) => source)),
  };
}

/** Returns the ranges of a series that were fetched from its venue. */
export async function storedRanges(db: Db, key: SeriesKey): Promise<Range[]> {
  const seriesId = await findSeries(db, key);
  if (seriesId === null) return [];
  const chunks = await db
    .selectFrom('history_chunk')
    .select('held')
    .where('series_id', '=', seriesId)
    .execute();
  return unionOfRanges(chunks.flatMap(({ held }) => rangesOf(held)));
}

/** Returns facts about a series in a range, by its chunks. */
export async function storedRangeSummary(
  db: Db,
  key: SeriesKey,
  { fromMs, toMs }: Range,
): Promise<{ held: Range[]; gaps: Range[]; rows: number; sizeBytes: number; source: string | null }> {
  const seriesId = (await findSeries(db, key)) ?? 0;
  const chunks = await db
    .selectFrom('history_chunk')
    .select(['held', 'gaps', 'rows', 'size_bytes', 'source'])
    .where('series_id', '=', seriesId)
    .where('from_at', '>=', new Date(chunkAt(key.resolutionMs, fromMs).fromMs).toISOString())
    .where('from_at', '<', new Date(toMs).toISOString())
    .execute();
  return {
    held: chunks.flatMap(({ held }) => rangesOf(held)),
    gaps: chunks.flatMap(({ gaps }) => rangesOf(gaps)),
    rows: chunks.reduce((sum, { rows }) => sum + rows, 0),
    sizeBytes: chunks.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    source: chunks.length === 0 ? null : sourcesOf(chunks.map(({ source }) => source)),
  };
}

/** Returns the current source of a venue's history, as `History.source` names it. */
export async function currentHistorySource(db: Db, venue: Venue): Promise<string> {
  const { rows } = await sql<{ prices: 'simulator' | 'live' }>`select ${CURRENT_PRICES} as prices`.execute(
    db,
  );
  return rows[0]?.prices === 'simulator' ? 'simulator' : VENUES[venue].source;
}
