/**
 * Caches closed candles in memory per (symbol, interval). Indicators need the same ones in every tick; we request them from the
 * venue once per closed candle.
 */
import { LRUCache } from 'lru-cache';
import type { FeedClock } from '../clock.ts';
import { ANSWER_DEADLINE_MS, type Deadline, deadlineIn } from '../http/deadline.ts';
import { nextCandleClose } from '../parse/intervals.ts';
import type { Candle, CandleQuery } from '../reads.ts';
import { SECOND_MS } from '../time.ts';
import type { CandleInterval } from '../views.ts';

/**
 * Candles that opened at `startTime` or later, or the last ones up to `endTime` (epoch ms). They may include the open candle.
 */
export type CandleRange = Partial<Record<'startTime' | 'endTime', number>> & {
  limit: number;
};

export type FetchCandles = (
  symbol: string,
  interval: CandleInterval,
  range: CandleRange,
  deadline: Deadline,
) => Promise<Candle[]>;

/** The venue's own limit per call. */
const CANDLES_MAX = 1_000;
/** All series together, about 8 MB; the least recently used are evicted first. */
const CACHED_MAX = 60_000;
/**
 * A candle is closed once the venue sends the next one. Without trades there may be no next one for a while. Then it counts as
 * closed this long after its end by our clock. That clock may be ahead of the venue's by as much.
 */
const NO_SUCCESSOR_MS = 30 * SECOND_MS;
/** Interval of requests while the venue has not sent a candle that must have closed. */
const RETRY_MS = SECOND_MS;

type Series = {
  candles: Candle[];
  /** The venue has no older candles. */
  complete: boolean;
  /** Time of the last request, by the monotonic clock: a pause does not grow when the wall clock goes back. */
  requestedAtMs: number;
};

type Wanted = {
  symbol: string;
  interval: CandleInterval;
  limit: number;
  deadline: Deadline;
};

const EMPTY: Series = { candles: [], complete: false, requestedAtMs: Number.NEGATIVE_INFINITY };

export class ClosedCandles {
  readonly #fetch: FetchCandles;
  readonly #clock: FeedClock;
  readonly #series = new LRUCache<string, Series>({
    maxSize: CACHED_MAX,
    sizeCalculation: ({ candles }) => candles.length + 1,
  });
  readonly #refreshing = new Map<string, Promise<Series>>();

  constructor(fetch: FetchCandles, clock: FeedClock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * The last `limit` candles that closed at or before `endTime`, ascending. `deadlineMs` covers all the calls that they take.
   */
  async get(
    symbol: string,
    interval: CandleInterval,
    { limit, endTime }: CandleQuery,
    deadlineMs = ANSWER_DEADLINE_MS,
  ): Promise<Candle[]> {
    using deadline = deadlineIn(deadlineMs);
    const wanted = { symbol, interval, limit, deadline };
    const endMs = Math.min(endTime ?? Number.POSITIVE_INFINITY, this.#clock.now());
    const series = await this.#current(wanted, endMs);
    const upToEnd = series.candles.filter(({ closeTimeMs }) => closeTimeMs < endMs);
    if (upToEnd.length >= limit || series.complete) return upToEnd.slice(-limit);
    return await this.#past(wanted, endMs, series.candles.at(-1)?.closeTimeMs ?? 0);
  }

  /** Candles older than the cached ones, up to the last one known to be closed. They are requested and not stored. */
  async #past(
    { symbol, interval, limit, deadline }: Wanted,
    endMs: number,
    closedMs: number,
  ): Promise<Candle[]> {
    const range = { limit: Math.min(limit + 1, CANDLES_MAX), endTime: endMs - 1 };
    const candles = await this.#fetch(symbol, interval, range, deadline);
    return candles.filter(({ closeTimeMs }) => closeTimeMs < endMs && closeTimeMs <= closedMs).slice(-limit);
  }

  /** The series, current for `endMs` and at least `limit` long, refreshed once for all concurrent callers. */
  async #current(wanted: Wanted, endMs: number): Promise<Series> {
    const { symbol, interval, limit } = wanted;
    const key = `${symbol}:${interval}`;
    const cached = this.#series.get(key) ?? EMPTY;
    if (isLongEnough(cached, limit) && !this.#mayHaveNext(cached, interval, endMs)) return cached;
    const running = this.#refreshing.get(key);
    if (running !== undefined) {
      await running;
      return this.#current(wanted, endMs);
    }
    const refresh = this.#refreshed(cached, wanted);
    this.#refreshing.set(key, refresh);
    try {
      const series = await refresh;
      this.#series.set(key, series);
      return series;
    } finally {
      this.#refreshing.delete(key);
    }
  }

  #mayHaveNext({ candles, requestedAtMs }: Series, interval: CandleInterval, endMs: number): boolean {
    const last = candles.at(-1);
    if (last !== undefined && nextCandleClose(interval, last.closeTimeMs) > endMs) return false;
    const { speed } = this.#clock;
    return speed === 0 || (performance.now() - requestedAtMs) * speed >= RETRY_MS;
  }

  async #refreshed(cached: Series, wanted: Wanted): Promise<Series> {
    const { symbol, interval, limit, deadline } = wanted;
    const last = cached.candles.at(-1);
    const requested = last === undefined ? Math.min(limit + 1, CANDLES_MAX) : CANDLES_MAX;
    // Reads the last stored candle again: if it was taken for closed too early, this corrects it.
    const range = last === undefined ? {} : { startTime: last.openTimeMs };
    const fetched = await this.#fetch(symbol, interval, { limit: requested, ...range }, deadline);
    // A full page after the last stored candle: the gap is too large to continue from it.
    if (last !== undefined && fetched.length === requested) return this.#refreshed(EMPTY, wanted);
    const closed = closedOf(fetched, this.#clock.now());
    const before = cached.candles.filter(
      ({ openTimeMs }) => openTimeMs < (closed[0]?.openTimeMs ?? Number.POSITIVE_INFINITY),
    );
    const candles = [...before, ...closed].slice(-CANDLES_MAX);
    const complete = last === undefined ? fetched.length < requested : cached.complete;
    const series = { candles, complete, requestedAtMs: performance.now() };
    return isLongEnough(series, limit) ? series : this.#lengthened(series, wanted);
  }

  /** Prepends older candles, up to `limit` in all. */
  async #lengthened(series: Series, { symbol, interval, limit, deadline }: Wanted): Promise<Series> {
    const [first] = series.candles;
    if (first === undefined) return series;
    const missing = limit - series.candles.length;
    const range = { limit: missing, endTime: first.openTimeMs - 1 };
    const older = await this.#fetch(symbol, interval, range, deadline);
    return { ...series, candles: [...older, ...series.candles], complete: older.length < missing };
  }
}

const isLongEnough = ({ candles, complete }: Series, limit: number): boolean =>
  complete || candles.length >= limit;

/** The closed candles: all that have a successor, and the last one long after its end. */
const closedOf = (candles: readonly Candle[], nowMs: number): Candle[] =>
  candles.filter(
    ({ closeTimeMs }, index) => index < candles.length - 1 || closeTimeMs + NO_SUCCESSOR_MS < nowMs,
  );
