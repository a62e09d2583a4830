import { decodeQuotes } from '../../history/quote-columns.ts';
import type { History } from '../../history/series.ts';
import type { BacktestInput, RecordedQuotes } from '../playback/input.ts';

/** Recorded quotes of a range, in the stored chunks. */
export type StoredQuotes = {
  readonly tokenId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bodies: readonly Uint8Array[];
};

/** Latest first quote of a run over quotes, after the beginning of its range. */
const FIRST_QUOTE_MAX_MS = 5 * 60_000;

/**
 * Reads the recorded quotes of each instrument that is priced by them. If an instrument's quotes begin later than its bars, the
 * bars are used: with quotes the run would have no price until then. A market that opened later has only quotes.
 */
export const readRecordedQuotes = (
  stored: readonly StoredQuotes[],
  { request, histories }: Pick<BacktestInput, 'request' | 'histories'>,
): RecordedQuotes[] =>
  stored.map(decodedQuotesOf).filter(({ tokenId, quotes: [first] }) => {
    if (first === undefined) return false;
    if (request.data.source === 'recorded') return true;
    const beginsMs = Math.max(Date.parse(request.from), firstBarMs(tokenId, histories));
    return first.atMs <= beginsMs + FIRST_QUOTE_MAX_MS;
  });

/** Returns the close of the first bar of an instrument; infinite without one. */
const firstBarMs = (tokenId: string, histories: readonly History[]): number =>
  Math.min(
    ...histories
      .filter(({ key, rows }) => key.tokenId === tokenId && rows.count > 0)
      .map(({ rows }) => rows.columns.closeTimeMs[0] as number),
    Number.POSITIVE_INFINITY,
  );

/** Yields quotes by time; of quotes recorded twice, because a clock was set back, the first. */
export function decodedQuotesOf({ tokenId, fromMs, toMs, bodies }: StoredQuotes): RecordedQuotes {
  let lastMs = fromMs - 1;
  const quotes = bodies.flatMap((body) =>
    decodeQuotes(Buffer.from(body)).filter(({ atMs }) => {
      const isNews = atMs > lastMs && atMs < toMs;
      if (isNews) lastMs = atMs;
      return isNews;
    }),
  );
  return { tokenId, quotes };
}
