/** Reads quotes and books: absent or stale data and closed markets are unknown values, each with its own reason. */
import type { Run } from '../run/run.ts';
import type { Book, GraphQuote, Unknown } from '../types.ts';
import { unknown } from '../values.ts';

/** Oldest quote on which orders are raised, equal to the limit at order entry. */
export const ACTION_QUOTE_MAX_AGE_SEC = 10;

export const CATCHING_UP = unknown(
  'catching_up',
  'Replaying candles that closed while this blueprint was not evaluated; quotes of that time are not stored.',
);

/** Returns the quote of an instrument if its market is open and the quote is recent, else the reason. */
export function quoteReader(tokenId: string, maxAgeSec: number): (run: Run) => GraphQuote | Unknown {
  const name = shortName(tokenId);
  const missing = unknown('no_data', `No quote of ${name} has arrived yet.`);
  const closed = unknown('market_closed', `The market of ${name} is not open.`);
  const stale = unknown('stale', `The quote of ${name} is older than ${maxAgeSec} s.`);
  const maxAgeMs = maxAgeSec * 1000;
  return (run) => {
    const quote = run.quote(tokenId);
    if (quote === undefined) return run.isLive ? missing : CATCHING_UP;
    if (quote.marketStatus !== 'open') return closed;
    return run.now - quote.asOf > maxAgeMs ? stale : quote;
  };
}

/** Returns the book of an instrument if it is recent, else the reason. */
export function bookReader(tokenId: string, maxAgeSec: number): (run: Run) => Book | Unknown {
  const name = shortName(tokenId);
  const missing = unknown('no_data', `No order book of ${name} has arrived yet.`);
  const stale = unknown('stale', `The order book of ${name} is older than ${maxAgeSec} s.`);
  const maxAgeMs = maxAgeSec * 1000;
  return (run) => {
    if (!run.isLive) return CATCHING_UP;
    const book = run.world.books.get(tokenId);
    if (book === undefined) return missing;
    return run.now - book.asOf > maxAgeMs ? stale : book;
  };
}

export function isMissing(read: GraphQuote | Book | Unknown): read is Unknown {
  return 'unknown' in read;
}

/** Token ids of Polymarket have up to 78 digits; sentences show their ends. */
export function shortName(tokenId: string): string {
  return tokenId.length <= 40 ? tokenId : `${tokenId.slice(0, 6)}…${tokenId.slice(-4)}`;
}
