/**
 * A caller's parameters, checked before any request to a venue. The schemas serve the endpoints' own validation. The connectors
 * check again with {@link parseParam}, so that no caller can inject into a path or query.
 */
import { z } from 'zod';
import { VenueError } from './errors.ts';
import { CandleInterval, HistoryInterval } from './views.ts';

/** Venue A tickers: `KXFEDDECISION-26DEC-H0`, `KXBTC-26APR2717-T87749.99`. Lower case is accepted. */
export const Ticker = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/, 'a ticker is 1 to 100 letters, digits, dots and dashes')
  .transform((text) => text.toUpperCase());

/** Venue B token ids: an unsigned 256-bit integer in decimal. */
export const Token = z.string().regex(/^[1-9][0-9]{4,77}$/, 'a token id is 5 to 78 decimal digits');

/** Venue B slugs, of events and markets alike. */
export const Slug = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/,
    'a slug is 1 to 200 letters, digits, dots, dashes and underscores',
  );

/** `BTCUSDT`, and for reads also `BTC`, `btc-usdt`, `BTC/USDT`. */
export const SymbolText = z
  .string()
  .regex(
    /^[A-Za-z0-9]{1,20}([-/_][A-Za-z0-9]{1,20})?$/,
    'a symbol is letters and digits, such as BTCUSDT or BTC-USDT',
  );

export const SearchText = z
  .string()
  .trim()
  .min(1, 'a search is 1 to 200 characters')
  .max(200, 'a search is 1 to 200 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'a search has no control characters');

/** Number of rows, for all lists of venues A and B. */
export const ListCount = z.int().min(1, 'a count is 1 to 50').max(50, 'a count is 1 to 50');
/** Number of points or symbols, for crypto. */
export const CryptoCount = z.int().min(1, 'a count is 1 to 100').max(100, 'a count is 1 to 100');
/** Number of closed candles, for indicators. */
export const CandleCount = z.int().min(1, 'a count is 1 to 1000').max(1000, 'a count is 1 to 1000');

export { CandleInterval, HistoryInterval };

/** The value that the schema returns, or a `bad_request` that names the parameter. */
export function parseParam<T>(schema: z.ZodType<T>, name: string, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw VenueError.badRequest(`${name}: ${result.error.issues[0]?.message ?? 'not acceptable'}`);
}
