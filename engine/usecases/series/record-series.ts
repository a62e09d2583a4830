import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { InstrumentInfo, MarketData } from '../../../venues/port.ts';
import type { SeriesRule } from '../../strategy/graph/series-lists.ts';
import { storeInstrument } from '../../trading/orders/terms/instruments.ts';
import type { Span } from './members-of.ts';

export type SeriesKey = Pick<SeriesRule, 'venue' | 'series'>;

/** Markets of one listing that are stored; a series with more cannot be a list anyway. */
const MARKETS_MAX = 500;

/** A listing this young answers the next caller too. */
const FRESH_MS = 5_000;
/** Markets that closed this long ago are asked for again: their venue may have settled them since. */
const SETTLES_WITHIN_MS = 3_600_000;
/** After a longer pause, the markets in between are not asked for. */
const PAUSE_MAX_MS = 86_400_000;

/**
 * Brings the stored markets of a series up to now. It asks for those since the last time, so that what is recorded has no gap.
 * Returns why it could not, or null.
 *
 * @throws VenueError while the venue is unavailable, and the errors of `admit`.
 */
export async function recordUntilNow(
  db: Db,
  market: MarketData,
  key: SeriesKey,
  admit: () => Promise<void>,
): Promise<string | null> {
  const nowMs = market.now();
  const row = await db
    .selectFrom('series_coverage')
    .select('until_at')
    .where('venue', '=', key.venue)
    .where('series', '=', key.series)
    .orderBy('until_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const agoMs = row === undefined ? PAUSE_MAX_MS : nowMs - Date.parse(row.until_at);
  if (Math.abs(agoMs) < FRESH_MS) return null;
  await admit();
  const hasPaused = agoMs < 0 || agoMs >= PAUSE_MAX_MS;
  const firstMs = hasPaused ? nowMs : nowMs - agoMs - SETTLES_WITHIN_MS;
  return recordSeries(db, market, key, { firstMs, lastMs: nowMs });
}

/** Whether every market of a series that was open in a span is stored. */
export async function isRecorded(
  db: Db,
  { venue, series }: SeriesKey,
  { firstMs, lastMs }: Span,
): Promise<boolean> {
  const row = await db
    .selectFrom('series_coverage')
    .select('from_at')
    .where('venue', '=', venue)
    .where('series', '=', series)
    .where('from_at', '<=', isoOf(firstMs))
    .where('until_at', '>=', isoOf(lastMs))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Asks the venue for the markets of a series in a span, and stores them with their facts. Returns why it could not, or null.
 *
 * @throws VenueError while the venue is unavailable. Nothing then counts as recorded.
 */
export async function recordSeries(
  db: Db,
  market: MarketData,
  { venue, series }: SeriesKey,
  span: Span,
): Promise<string | null> {
  const infos = await market.at(venue).seriesMarkets({ series, ...span });
  if (infos === null)
    return `${venue} does not list the markets of the series “${series}” since ${isoOf(span.firstMs)}, and they were not recorded. Begin later.`;
  if (infos.length > 2 * MARKETS_MAX)
    return `The series “${series}” had ${infos.length / 2} markets; at most ${MARKETS_MAX} are read. Choose a shorter range or a smaller series.`;
  for (const info of await unknownOf(db, infos)) await storeInstrument(db, info);
  await openUnquoted(db, infos);
  // A series without any market may be misspelled: that nothing was open is no fact about it.
  if (infos.length > 0) await extendCoverage(db, { venue, series }, span);
  return null;
}

/** Returns those that are not stored, or whose stored state differs. */
async function unknownOf(db: Db, infos: readonly InstrumentInfo[]): Promise<InstrumentInfo[]> {
  const rows = await db
    .selectFrom('instrument')
    .select(['token_id', 'series', 'status', 'closes_at', 'settlement_value'])
    .where('token_id', '=', sql<string>`any(${infos.map(({ tokenId }) => tokenId)}::text[])`)
    .execute();
  const known = new Map(rows.map((row) => [row.token_id, row]));
  return infos.filter((info) => {
    const row = known.get(info.tokenId);
    return (
      row === undefined ||
      row.series !== info.series ||
      row.status !== info.status ||
      msOf(row.closes_at) !== msOf(info.closesAt) ||
      (row.settlement_value === null) !== (info.settlementValue === null)
    );
  });
}

/**
 * Opens stored markets that paused when they were first read. Else only a quote opens a market, and nothing may poll theirs: a
 * backtest would not trade them.
 */
async function openUnquoted(db: Db, infos: readonly InstrumentInfo[]): Promise<void> {
  const open = infos.filter(({ status }) => status === 'open').map(({ tokenId }) => tokenId);
  await sql`
    with unquoted as (
      select token_id from instrument i
      where token_id = any(${open}::text[]) and status = 'paused' and settlement_value is null and not exists (
        select from quote q where q.token_id = i.token_id and q.as_of > clock_timestamp() - interval '1 minute')
      for update skip locked
    )
    update instrument set status = 'open', updated_at = clock_timestamp()
    where token_id in (select token_id from unquoted)`.execute(db);
}

/** Adds a span to those in which a series is known. Spans that touch it become one with it. */
async function extendCoverage(
  db: Db,
  { venue, series }: SeriesKey,
  { firstMs, lastMs }: Span,
): Promise<void> {
  await sql`
    with gone as (
      delete from series_coverage
      where venue = ${venue} and series = ${series}
        and from_at <= ${isoOf(lastMs)}::timestamptz and until_at >= ${isoOf(firstMs)}::timestamptz
      returning from_at, until_at
    )
    insert into series_coverage (venue, series, from_at, until_at)
    select ${venue}, ${series}, least(${isoOf(firstMs)}::timestamptz, min(from_at)),
      greatest(${isoOf(lastMs)}::timestamptz, max(until_at)) from gone
    on conflict (venue, series, from_at) do update set until_at = greatest(series_coverage.until_at, excluded.until_at)`.execute(
    db,
  );
}

export const isoOf = (ms: number): string => new Date(ms).toISOString();
const msOf = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));
