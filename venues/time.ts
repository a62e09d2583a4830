/** Times of venues, converted to ISO 8601 in UTC with milliseconds. */
import { z } from 'zod';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
/** The last millisecond that four-digit years can name. */
const TIME_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Epoch ms as ISO 8601. */
export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/**
 * Parses `2026-07-18T14:00:00.801802Z`, `2026-05-28 05:29:05+00` and `2500-12-31`, with a fraction of any length; null if it is
 * none of these. No zone means UTC.
 */
export function parseTimestamp(text: string): string | null {
  const match = TIMESTAMP.exec(text.trim());
  if (match === null) return null;
  const [, date = '', time = '00:00:00', fraction = '', zone = 'Z'] = match;
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const timeMs = Date.parse(`${date}T${time}${fraction.slice(0, 4)}${offset}`);
  return Number.isNaN(timeMs) ? null : isoTime(timeMs);
}

const toTimestamp = (text: string, ctx: z.RefinementCtx): string => {
  const parsed = parseTimestamp(text);
  if (parsed !== null) return parsed;
  ctx.addIssue({ code: 'custom', message: 'not a timestamp' });
  return z.NEVER;
};

/** A timestamp that may be absent, null or "": null out. Present and malformed is an error. */
export const OptionalTimestamp = z
  .string()
  .nullish()
  .transform((text, ctx) => (text ? toTimestamp(text, ctx) : null));

/** Epoch seconds as a JSON number. */
export const EpochSeconds = z
  .int()
  .min(0)
  .max(TIME_MAX_MS / SECOND_MS);
/** Epoch milliseconds as a JSON number. */
export const EpochMs = z.int().min(0).max(TIME_MAX_MS);
