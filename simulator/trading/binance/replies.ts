/** Binance's messages. */
import type { Decimal } from 'decimal.js';
import type { Reply } from '../../reply.ts';

export const refused = (code: number, msg: string, status = 400): Reply => ({ status, body: { code, msg } });

export const amount = (value: Decimal): string => value.toFixed(8);

export const missing = (name: string): Reply =>
  refused(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);

export const tooMuchWeight = (limit: number): Reply =>
  refused(
    -1003,
    `Too much request weight used; current limit is ${limit} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`,
    429,
  );

export const banned = (untilMs: number): Reply =>
  refused(
    -1003,
    `Way too much request weight used; IP banned until ${untilMs}. Please use WebSocket Streams for live updates to avoid bans.`,
    418,
  );

export const tooManyOrders = (limit: number): Reply =>
  refused(-1015, `Too many new orders; current limit is ${limit} orders per 10 SECOND.`, 429);
