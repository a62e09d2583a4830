import type { RecordedQuotes } from '../backtest/input.ts';
import type { BacktestRequest } from '../backtest/request.ts';
import { decodeQuotes } from '../history/quote-columns.ts';

/** Recorded quotes of a stretch of time, in the chunks they are stored in. */
export type StoredQuotes = {
  readonly tokenId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bodies: readonly Uint8Array[];
};

/** How long after its beginning a run may have its first quote, and be one over quotes. */
const FIRST_QUOTE_MAX_MS = 5 * 60_000;

/**
 * What was recorded of each instrument that is priced by it. Quotes that begin late are left out where bars do instead: a run
 * over them would see no price until then.
 */
export const recordedOf = (
  stored: readonly StoredQuotes[],
  { data, from }: BacktestRequest,
): RecordedQuotes[] =>
  stored.map(quotesOf).filter(({ quotes: [first] }) => {
    if (first === undefined) return false;
    return data.source === 'recorded' || first.atMs <= Date.parse(from) + FIRST_QUOTE_MAX_MS;
  });

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
