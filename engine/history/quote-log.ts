import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { CHUNK_ROWS_MAX, decodeQuotes, encodeQuotes, type RecordedQuote } from './quote-columns.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Late quotes are still added to a finished hour for this long. */
const LATE_MS = 5 * 60_000;
/** Limit of hours merged or deleted in one round. */
export const HOURS_PER_ROUND = 50;

/** Quotes of one instrument, in order of time. */
export type QuoteBatch = { readonly tokenId: string; readonly quotes: readonly RecordedQuote[] };

/** Appends recorded quotes. Stored ones stay as they are: a repeat adds nothing. */
export async function appendQuotes(db: Db, batches: readonly QuoteBatch[]): Promise<void> {
  const rows = batches.flatMap(({ tokenId, quotes }) =>
    quotes.length === 0 ? [] : [rowOf(tokenId, quotes, false)],
  );
  if (rows.length === 0) return;
  await db
    .insertInto('quote_chunk')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function rowOf(token_id: string, quotes: readonly RecordedQuote[], is_sealed: boolean) {
  const body = encodeQuotes(quotes);
  return {
    token_id,
    from_at: new Date(quotes[0]?.atMs ?? 0),
    until_at: new Date(quotes.at(-1)?.atMs ?? 0),
    quotes: quotes.length,
    size_bytes: body.length,
    is_sealed,
    body,
  };
}

/** A range in which an instrument was recorded: consecutive chunks at most `GAP_MS` apart are one range. */
export type RecordedRange = { readonly from: string; readonly until: string; readonly quotes: number };

/** Quotes are confirmed every two seconds: a longer distance than this counts as not recorded. */
export const GAP_MS = 30_000;
/** Limit of returned ranges, the newest. */
const RANGES_MAX = 500;

/** Returns the ranges in which an instrument was recorded, oldest first, and their size. */
export async function recordedRanges(
  db: Db,
  tokenId: string,
): Promise<{ ranges: RecordedRange[]; sizeBytes: number }> {
  const { rows } = await sql<{ from_at: string; until_at: string; quotes: string; size_bytes: string }>`
    with chunk as (
      select from_at, until_at, quotes, size_bytes, from_at > ${sql.lit(`${GAP_MS} ms`)}::interval
        + max(until_at) over (order by from_at rows between unbounded preceding and 1 preceding) as is_apart
      from quote_chunk where token_id = ${tokenId}
    ), numbered as (select chunk.*, count(*) filter (where is_apart) over (order by from_at) as range from chunk)
    select min(from_at) as from_at, max(until_at) as until_at, sum(quotes) as quotes, sum(size_bytes) as size_bytes
    from numbered group by range order by range desc limit ${RANGES_MAX}`.execute(db);
  return {
    ranges: rows
      .map(({ from_at, until_at, quotes }) => ({
        from: new Date(from_at).toISOString(),
        until: new Date(until_at).toISOString(),
        quotes: Number(quotes),
      }))
      .reverse(),
    sizeBytes: rows.reduce((total, { size_bytes }) => total + Number(size_bytes), 0),
  };
}

/**
 * Merges the chunks of finished hours, one hour of one instrument per transaction; at most `HOURS_PER_ROUND`.
 *
 * @returns the number of merged hours.
 */
export async function sealHours(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const until = new Date(Math.floor((now.getTime() - LATE_MS) / HOUR_MS) * HOUR_MS);
  const { rows } = await sql<{ token_id: string; hour: string }>`
    select distinct token_id, date_trunc('hour', from_at, 'UTC') as hour from quote_chunk
    where not is_sealed and from_at < ${until} limit ${HOURS_PER_ROUND}`.execute(db);
  for (const { token_id, hour } of rows) {
    if (signal?.aborted) break;
    await sealHour(db, token_id, new Date(hour));
  }
  return rows.length;
}

async function sealHour(db: Db, tokenId: string, hour: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const chunks = await tx
      .deleteFrom('quote_chunk')
      .where('token_id', '=', tokenId)
      .where('from_at', '>=', hour.toISOString())
      .where('from_at', '<', new Date(hour.getTime() + HOUR_MS).toISOString())
      // One that is archived stays as it is; quotes that come so late are a chunk beside it.
      .where('body', 'is not', null)
      .returning(['from_at', 'body'])
      .execute();
    const quotes = chunks
      .toSorted((a, b) => Date.parse(a.from_at) - Date.parse(b.from_at))
      .flatMap(({ body }) => decodeQuotes(Buffer.from(body ?? [])));
    const rising = risingOf(quotes).slice(0, CHUNK_ROWS_MAX);
    if (rising.length > 0)
      await tx
        .insertInto('quote_chunk')
        .values(rowOf(tokenId, rising, true))
        .execute();
  });
}

/** Drops quotes that were recorded again after a clock was set back. */
function risingOf(quotes: readonly RecordedQuote[]): RecordedQuote[] {
  let lastMs = Number.NEGATIVE_INFINITY;
  return quotes.filter(({ atMs }) => {
    const isNews = atMs > lastMs;
    if (isNews) lastMs = atMs;
    return isNews;
  });
}

export type Retention = { readonly days: number; readonly maxBytes: number };

/**
 * Deletes quotes past their retention, then the oldest of the rest above the size limit. Limited to a number of chunks a round.
 *
 * @returns the number of deleted chunks.
 */
export async function purgeQuotes(db: Db, now: Date, { days, maxBytes }: Retention): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    with counted as (
      select ctid, until_at, sum(size_bytes) over (order by until_at desc, token_id) as newer_bytes from quote_chunk
    ), gone as (
      delete from quote_chunk where ctid = any(array(select ctid from counted
        where until_at < ${new Date(now.getTime() - days * DAY_MS)} or newer_bytes > ${maxBytes} order by until_at limit 1000))
      returning 1
    ) select count(*)::int as gone from gone`.execute(db);
  return rows[0]?.gone ?? 0;
}
