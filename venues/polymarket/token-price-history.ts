/** Price history of a Polymarket token. */
import type { Answers } from '../answers.ts';
import type { Deadline } from '../http/deadline.ts';
import type { Upstream } from '../http/upstream.ts';
import { HISTORY_TTL_MS } from '../parse/intervals.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../time.ts';
import type { HistoryInterval, Point } from '../views.ts';
import { HistoryAnswer, type WireLife, type WirePoint } from './wire.ts';

type ShortInterval = Exclude<HistoryInterval, 'all'>;

/** Minutes between points. `1m` is a month here, for which the venue has points of 10 minutes or more; for `1w` 5 or more. */
const FIDELITY_MIN: Record<ShortInterval, number> = { '1d': 5, '1w': 30, '1m': 180 };
const SPAN_MS: Record<ShortInterval, number> = { '1d': DAY_MS, '1w': 7 * DAY_MS, '1m': 31 * DAY_MS };

/** The longest window that the venue accepts: 1,296,000 s. */
const WINDOW_MS = 15 * DAY_MS;
/** Two and a half years. */
const WINDOWS_MAX = 60;
/** The venue's clock and ours may differ by this much. */
const TOLERANCE_MS = HOUR_MS;
/** A past window no longer changes. */
const PAST_WINDOW_TTL_MS = DAY_MS;

/** Used if a market does not state when it began. */
const DEFAULT_AGE_MS = 365 * DAY_MS;

type Window = {
  startMs: number;
  endMs: number;
};

/** Up to now, or up to the close of a closed market, no matter how long ago. */
function spanOf(market: WireLife, interval: HistoryInterval, nowMs: number): Window {
  const closedAt = market.closed === true ? (market.closedTime ?? market.endDate) : null;
  const endMs = closedAt === null ? nowMs : Math.min(nowMs, Date.parse(closedAt));
  if (interval !== 'all') return { startMs: endMs - SPAN_MS[interval], endMs };
  const [began] = [market.startDate, market.createdAt].filter((time) => time !== null).sort();
  return { startMs: began === undefined ? endMs - DEFAULT_AGE_MS : Date.parse(began), endMs };
}

/**
 * Prices of a token. The venue's own intervals serve trading markets. They reach back only a month and are empty once a market
 * is resolved. All other histories are chained from windows.
 */
export async function tokenPriceHistory(
  clob: Upstream,
  answers: Answers,
  input: { token: string; market: WireLife; interval: HistoryInterval; nowMs: number },
  deadline: Deadline,
): Promise<Point[]> {
  const { token, market, interval, nowMs } = input;
  const span = spanOf(market, interval, nowMs);
  if (interval !== 'all' && market.closed !== true) {
    return recentPoints(clob, token, interval, span, deadline);
  }
  const windows = windowsOf(span);
  const bucketMs = interval === 'all' ? bucketFor(windows.length) : FIDELITY_MIN[interval] * MINUTE_MS;
  const points = await chainedPoints(clob, answers, { token, windows, bucketMs }, deadline);
  return points.filter(({ t }) => Date.parse(t) >= span.startMs);
}

/** Points of one of the venue's own intervals. */
async function recentPoints(
  clob: Upstream,
  token: string,
  interval: ShortInterval,
  { startMs, endMs }: Window,
  deadline: Deadline,
): Promise<Point[]> {
  const { history } = await clob.request('prices-history', {
    schema: HistoryAnswer,
    query: { market: token, interval, fidelity: FIDELITY_MIN[interval] },
    deadline,
  });
  return pointsOf(history, startMs - TOLERANCE_MS, endMs + TOLERANCE_MS);
}

/** Points of windows, each thinned and cached separately: after a timeout, the next call has fewer windows left to request. */
async function chainedPoints(
  clob: Upstream,
  answers: Answers,
  { token, windows, bucketMs }: { token: string; windows: readonly Window[]; bucketMs: number },
  deadline: Deadline,
): Promise<Point[]> {
  const parts = await Promise.all(
    windows.map(async (window) => {
      const isWhole = window.endMs - window.startMs === WINDOW_MS;
      const { value } = await answers.get(
        `window:${token}:${window.startMs}:${bucketMs}`,
        { ttlMs: isWhole ? PAST_WINDOW_TTL_MS : HISTORY_TTL_MS.all, deadlineMs: deadline.remainingMs() },
        (limit) => windowPoints(clob, token, window, bucketMs, limit),
      );
      return value;
    }),
  );
  return parts.flat();
}

/** Windows on a fixed grid, so that two calls share them. */
function windowsOf({ startMs, endMs }: Window): Window[] {
  const earliestMs = Math.max(startMs, endMs - WINDOWS_MAX * WINDOW_MS);
  const windows: Window[] = [];
  for (let at = Math.floor(earliestMs / WINDOW_MS) * WINDOW_MS; at < endMs; at += WINDOW_MS) {
    windows.push({ startMs: at, endMs: Math.min(at + WINDOW_MS, endMs) });
  }
  return windows;
}

/** The distance between points: some hundreds of them, for a market of any age. */
function bucketFor(windows: number): number {
  if (windows <= 1) return HOUR_MS;
  return windows <= 4 ? 3 * HOUR_MS : 12 * HOUR_MS;
}

async function windowPoints(
  clob: Upstream,
  token: string,
  { startMs, endMs }: Window,
  bucketMs: number,
  deadline: Deadline,
): Promise<Point[]> {
  const { history } = await clob.request('prices-history', {
    schema: HistoryAnswer,
    query: {
      market: token,
      startTs: Math.floor(startMs / SECOND_MS),
      endTs: Math.floor(endMs / SECOND_MS),
      fidelity: 1,
    },
    deadline,
  });
  return lastOfBuckets(pointsOf(history, startMs, endMs), bucketMs);
}

/**
 * Ascending points within the window, one per time. A live market's reply ends with a point stamped now, which may be outside.
 * Times are jittered and may repeat; the later point counts.
 */
export function pointsOf(history: readonly WirePoint[], startMs: number, endMs: number): Point[] {
  const byTime = new Map<number, number>();
  for (const { t, p } of history) {
    const timeMs = t * SECOND_MS;
    if (timeMs >= startMs && timeMs <= endMs) byTime.set(timeMs, p);
  }
  return [...byTime].sort(([a], [b]) => a - b).map(([timeMs, p]) => ({ t: isoTime(timeMs), p }));
}

/** The last point of each bucket. */
function lastOfBuckets(points: readonly Point[], bucketMs: number): Point[] {
  const buckets = new Map<number, Point>();
  for (const point of points) buckets.set(Math.floor(Date.parse(point.t) / bucketMs), point);
  return [...buckets.values()];
}
