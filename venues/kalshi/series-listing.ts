/** The markets of a Kalshi series. */
import type { FeedClock } from '../clock.ts';
import type { Deadline } from '../http/deadline.ts';
import type { Upstream } from '../http/upstream.ts';
import type { RecordParser } from '../parse/record-parser.ts';
import type { SeriesQuery } from '../reads.ts';
import { DAY_MS, SECOND_MS } from '../time.ts';
import { MarketsPage, WireTerms } from './wire.ts';

const PAGE_SIZE = 1_000;
const PAGES_MAX = 4;
/** Markets settled about three months ago move to an archive, which cannot be listed by series. */
const LISTED_FOR_MS = 60 * DAY_MS;

/**
 * Lists the markets of a series that closed after the first instant and opened by the last. Null if that is too long ago, or
 * there are more pages than one call may take.
 *
 * @throws VenueError also if one record cannot be parsed: a list without it would not be complete.
 */
export async function listSeries(
  { api, clock, reader }: { api: Upstream; clock: FeedClock; reader: RecordParser },
  { series, firstMs, lastMs }: SeriesQuery,
  deadline: Deadline,
): Promise<WireTerms[] | null> {
  if (clock.now() - firstMs > LISTED_FOR_MS) return null;
  const found: WireTerms[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    // The venue takes bounds of one kind of time: the opening is compared here.
    const query = {
      series_ticker: series,
      min_close_ts: Math.floor(firstMs / SECOND_MS),
      limit: PAGE_SIZE,
      cursor,
    };
    const answer = await api.request('markets', { schema: MarketsPage, query, deadline });
    const { read, unread } = reader.all(WireTerms, answer.markets, 'ticker');
    if (unread > 0) throw reader.unreadable();
    found.push(...read.filter(({ open_time: opens }) => opens === null || Date.parse(opens) <= lastMs));
    if (!answer.cursor) return found;
    cursor = answer.cursor;
  }
  return null;
}
