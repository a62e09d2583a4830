/**
 * The middle prices of a Polymarket token over any span: as fine as the venue still stores them, never coarser than requested.
 */
import { pastTermsOf } from '../catalogue.ts';
import type { FeedClock } from '../clock.ts';
import { VenueError } from '../errors.ts';
import {
  type HistoryPage,
  type HistoryRange,
  type HistorySeriesKey,
  type MidpointRow,
  POLYMARKET_POINTS_PER_REQUEST,
  POLYMARKET_WINDOW_MS,
  rowsOfPage,
} from '../history-source.ts';
import { pageDeadline, RequestPacer } from '../http/request-pacer.ts';
import type { Upstream } from '../http/upstream.ts';
import type { RecordParser } from '../parse/record-parser.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { Midpoint, PricePoint, PricesPage, UnreadHistoryAnswer, type WireLife } from './wire.ts';

export type TokenSeries = HistorySeriesKey & { readonly market: WireLife };

/** The most pages of one window: a list that does not end is refused. */
const PAGES_MAX = 50;
/** The largest distance of two points, in resolutions; points further apart have a coarser resolution. */
const COARSEST = 1.5;

type Point = { readonly timeMs: number; readonly price: number };

/**
 * Converts points of a resolution to rows that end at the point's time. Times are jittered, may repeat and may be the current
 * time. The last point of each interval counts. Pure.
 */
export function midpointRows(
  points: readonly Point[],
  resolutionMs: number,
  span: HistoryRange,
): MidpointRow[] {
  const byInterval = new Map<number, Point>();
  for (const point of points.toSorted((a, b) => a.timeMs - b.timeMs)) {
    // The point at the start of an interval belongs to the previous one, whose end it is.
    byInterval.set(Math.ceil(point.timeMs / resolutionMs), point);
  }
  const rows = [...byInterval].map(([index, { price }]) => ({
    openTimeMs: (index - 1) * resolutionMs,
    closeTimeMs: index * resolutionMs - 1,
    price,
  }));
  return rowsOfPage(rows, span).rows;
}

export class MidpointHistory {
  readonly #apis: { readonly clob: Upstream; readonly data: Upstream };
  readonly #clock: FeedClock;
  readonly #reader: RecordParser;
  readonly #pace: RequestPacer;

  constructor(apis: { clob: Upstream; data: Upstream }, clock: FeedClock, reader: RecordParser) {
    this.#apis = apis;
    this.#clock = clock;
    this.#reader = reader;
    this.#pace = new RequestPacer(Math.min(apis.data.backgroundRate(), apis.clob.backgroundRate()));
  }

  async *pages(series: TokenSeries, span: HistoryRange, signal: AbortSignal): AsyncIterable<HistoryPage> {
    const { resolutionMs, market } = series;
    if (pastTermsOf('venue-b', series) === null) throw VenueError.badRequest('venue B has no such series');
    const began = [market.startDate, market.createdAt].filter((time) => time !== null).sort()[0];
    const beganMs = began === undefined ? 0 : Math.floor(Date.parse(began) / resolutionMs) * resolutionMs;
    for (let fromMs = span.fromMs; fromMs < span.toMs; ) {
      const hasBegun = fromMs >= beganMs;
      const toMs = Math.min(span.toMs, hasBegun ? fromMs + POLYMARKET_WINDOW_MS - resolutionMs : beganMs);
      const coveredRange = { fromMs, toMs };
      yield { rows: hasBegun ? await this.#window(series, coveredRange, signal) : [], coveredRange };
      fromMs = toMs;
    }
  }

  /** Uses the route that states the resolution of each point; if that has no points, the older route. */
  async #window(series: TokenSeries, span: HistoryRange, signal: AbortSignal): Promise<MidpointRow[]> {
    const { resolutionMs } = series;
    const nowMs = this.#clock.now();
    const rowsOf = (points: readonly Point[]) =>
      midpointRows(points, resolutionMs, span).filter(({ closeTimeMs }) => closeTimeMs < nowMs);
    const rows = rowsOf(await this.#fine(series, span, signal));
    if (rows.length > 0 || resolutionMs > HOUR_MS) return rows;
    return rowsOf(await this.#windowed(series, span, signal));
  }

  /** Data v2; points coarser than requested are left out. */
  async #fine(
    { tokenId, resolutionMs }: TokenSeries,
    span: HistoryRange,
    signal: AbortSignal,
  ): Promise<Point[]> {
    const window = {
      start: Math.floor(span.fromMs / SECOND_MS),
      end: Math.ceil((span.toMs + resolutionMs) / SECOND_MS),
    };
    const query = {
      token_id: tokenId,
      ...window,
      bucket_seconds: resolutionMs / SECOND_MS,
      limit: POLYMARKET_POINTS_PER_REQUEST,
    };
    const points: Point[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; seen.size < PAGES_MAX; ) {
      await this.#pace.waitForSlot(signal);
      using deadline = pageDeadline(signal);
      const page = await this.#apis.data.request('v2/prices-history', {
        schema: PricesPage,
        query: { ...query, cursor },
        deadline,
        priority: 'background',
      });
      const readings = this.#reader.all(PricePoint, page.data ?? [], 'timestamp');
      for (const point of this.#reader.someOf([readings])) {
        if (point.resolutionMs <= resolutionMs) points.push(point);
      }
      const next = page.pagination?.next_cursor ?? undefined;
      if (next === undefined || next === '') return points;
      if (seen.has(next)) break;
      seen.add(next);
      cursor = next;
    }
    throw VenueError.unavailable('venue B sent a price history that does not end');
  }

  /** The CLOB, which states no resolution: points that lie too far apart have a coarser one. */
  async #windowed(
    { tokenId, resolutionMs }: TokenSeries,
    span: HistoryRange,
    signal: AbortSignal,
  ): Promise<Point[]> {
    await this.#pace.waitForSlot(signal);
    using deadline = pageDeadline(signal);
    const { history } = await this.#apis.clob.request('prices-history', {
      schema: UnreadHistoryAnswer,
      query: {
        market: tokenId,
        startTs: Math.floor(span.fromMs / SECOND_MS),
        endTs: Math.ceil(span.toMs / SECOND_MS),
        fidelity: resolutionMs / MINUTE_MS,
      },
      deadline,
      priority: 'background',
    });
    const points = this.#reader.someOf([this.#reader.all(Midpoint, history, 't')]);
    const inside = points.filter(({ timeMs }) => timeMs >= span.fromMs && timeMs <= span.toMs + resolutionMs);
    return medianDistance(inside) <= COARSEST * resolutionMs ? inside : [];
  }
}

function medianDistance(points: readonly Point[]): number {
  const times = points.map(({ timeMs }) => timeMs).sort((a, b) => a - b);
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 0;
}
