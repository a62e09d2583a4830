/** Kalshi's messages: its three shapes of errors, and its formats of numbers and times. */
import type { Decimal } from 'decimal.js';
import type { Reply } from '../../reply.ts';

const words = (code: string): string => code.replaceAll('_', ' ');

/** A refusal by the matching engine. */
export const refused = (status: number, code: string, details?: string): Reply => ({
  status,
  body: {
    error: {
      code,
      message: words(code),
      ...(details === undefined ? { service: 'exchange' } : { details }),
    },
  },
});

/** A refusal by the gateway because it cannot parse the request: flat, without `error`. */
export const unreadable = (details: string): Reply => ({
  status: 400,
  body: { code: 'bad_request', message: 'bad request', details },
});

export const unauthorized = (details: string): Reply => ({
  status: 401,
  body: { error: { code: 'authentication_error', message: 'authentication_error', details } },
});

export const notFound = (): Reply => refused(404, 'not_found');

/** Sent when a member exceeds the rate limit: a text, without a time to wait. */
export const tooMany = (): Reply => ({ status: 429, body: { error: 'too many requests' } });

export const dollars = (value: Decimal, decimals = 4): string => value.toFixed(decimals);
export const count = (value: Decimal): string => value.toFixed(2);
export const time = (timeMs: number): string => new Date(timeMs).toISOString().replace('Z', '000Z');

/** A page; the cursor is the start of the next one, "" at the end. */
export function paged<T>(items: readonly T[], query: URLSearchParams): { page: T[]; cursor: string } | null {
  const limit = Number(query.get('limit') ?? 100);
  const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || 0);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 1_000 && Number.isInteger(start))) return null;
  const next = start + limit;
  const cursor = next < items.length ? Buffer.from(String(next)).toString('base64') : '';
  return { page: items.slice(start, next), cursor };
}
