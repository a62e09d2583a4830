/** The markets of a Polymarket series, by its slug. */
import type { Deadline } from '../http/deadline.ts';
import type { Upstream } from '../http/upstream.ts';
import type { RecordParser } from '../parse/record-parser.ts';
import type { InstrumentInfo, SeriesQuery } from '../reads.ts';
import { instrumentOf } from './instrument.ts';
import { isBinary, isPlaceholder } from './normalize.ts';
import { EventsPage, SeriesAnswer, WireSeriesEvent, WireTerms } from './wire.ts';

const PAGE_SIZE = 100;
const PAGES_MAX = 4;
/** Closed events are returned only on request. */
const OPEN_AND_CLOSED = [false, true];

/**
 * Lists both sides of the markets of a series that ended after the first instant and opened by the last. Empty for an unknown
 * series, null if there are more pages than one call may take.
 *
 * @throws VenueError also if one record cannot be parsed: a list without it would not be complete.
 */
export async function listSeries(
  { gamma, reader }: { gamma: Upstream; reader: RecordParser },
  { series, firstMs, lastMs }: SeriesQuery,
  deadline: Deadline,
): Promise<InstrumentInfo[] | null> {
  const answer = await gamma.request('series', { schema: SeriesAnswer, query: { slug: series }, deadline });
  const known = answer.find(({ slug }) => slug === series);
  if (known === undefined) return [];
  const found: WireTerms[] = [];
  for (const closed of OPEN_AND_CLOSED) {
    const query = {
      series_id: known.id,
      closed,
      ...(closed && { end_date_min: new Date(firstMs).toISOString() }),
    };
    const records = await pagesOf(gamma, query, deadline);
    if (records === null) return null;
    for (const { markets } of complete(reader, WireSeriesEvent, records, 'slug'))
      found.push(...complete(reader, WireTerms, markets ?? [], 'slug'));
  }
  return found
    .filter((market) => isBinary(market) && !isPlaceholder(market))
    .filter(({ orderPriceMinTickSize: tick }) => tick !== null && Number(tick) > 0)
    .filter(({ startDate: opens }) => opens === null || Date.parse(opens) <= lastMs)
    .flatMap((market) => market.clobTokenIds.map((tokenId) => instrumentOf(tokenId, market, series)));
}

async function pagesOf(
  gamma: Upstream,
  query: Readonly<Record<string, string | boolean>>,
  deadline: Deadline,
): Promise<unknown[] | null> {
  const records: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await gamma.request('events/keyset', {
      schema: EventsPage,
      query: { ...query, limit: PAGE_SIZE, after_cursor: cursor },
      deadline,
    });
    records.push(...answer.events);
    if (!answer.next_cursor) return records;
    cursor = answer.next_cursor;
  }
  return null;
}

function complete<T>(
  reader: RecordParser,
  schema: Parameters<typeof reader.all<T>>[0],
  records: readonly unknown[],
  nameKey: string,
): T[] {
  const { read, unread } = reader.all(schema, records, nameKey);
  if (unread > 0) throw reader.unreadable();
  return read;
}
