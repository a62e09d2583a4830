import type { RecordedQuotes } from '../backtest/input.ts';
import { decodeQuotes } from '../history/quote-columns.ts';

/** Recorded quotes of a stretch of time, in the chunks they are stored in. */
export type StoredQuotes = {
  readonly tokenId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bodies: readonly Uint8Array[];
};

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
