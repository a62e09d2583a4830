import { decodeQuotes } from '../../history/quote-columns.ts';
import type { History } from '../../history/series.ts';
import type { BacktestInput, RecordedQuotes } from '../playback/input.ts';

/** Recorded quotes of a stretch of time, in the chunks they are stored in. */
export type StoredQuotes = {
  readonly tokenId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bodies: readonly Uint8Array[];
};

/** How long after the beginning of what it is run over a run may have its first quote, and be one over quotes. */
const FIRST_QUOTE_MAX_MS = 5 * 60_000;

/**
 * What was recorded of each instrument that is priced by it. Quotes that begin later than bars of the instrument are left out
 * for those: a run over them would see no price until then. Of a market that opened later nothing else is there.
 */
export const recordedOf = (
  stored: readonly StoredQuotes[],
  { request, histories }: Pick<BacktestInput, 'request' | 'histories'>,
): RecordedQuotes[] =>
  stored.map(quotesOf).filter(({ tokenId, quotes: [first] }) => {
    if (first === undefined) return false;
    if (request.data.source === 'recorded') return true;
    const beginsMs = Math.max(Date.parse(request.from), firstBarMs(tokenId, histories));
    return first.atMs <= beginsMs + FIRST_QUOTE_MAX_MS;
  });

/** When the first bar of an instrument closed; never where there is none. */
const firstBarMs = (tokenId: string, histories: readonly History[]): number =>
  Math.min(
    ...histories
      .filter(({ key, rows }) => key.tokenId === tokenId && rows.count > 0)
      .map(({ rows }) => rows.columns.closeTimeMs[0] as number),
    Number.POSITIVE_INFINITY,
  );

/** The quotes by time; of what was recorded twice, because a clock went back, the first. */
export function quotesOf({ tokenId, fromMs, toMs, bodies }: StoredQuotes): RecordedQuotes {
  let told = fromMs - 1;
  const quotes = bodies.flatMap((body) =>
    decodeQuotes(Buffer.from(body)).filter(({ atMs }) => {
      const isNews = atMs > told && atMs < toMs;
      if (isNews) told = atMs;
      return isNews;
    }),
  );
  return { tokenId, quotes };
}
