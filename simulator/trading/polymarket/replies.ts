/** Venue B's refusals, and its format of amounts. */
import type { Decimal } from 'decimal.js';
import type { Reply } from '../../reply.ts';

export const failure = (status: number, error: string, more: object = {}): Reply => ({
  status,
  body: { error, ...more },
});

export const UNAUTHORIZED = failure(401, 'Unauthorized/Invalid api key');
export const TOO_MANY = failure(429, 'Too Many Requests');

/** The state of the venue when it does not trade as usual. */
export type Mode = 'restarting' | 'post-only' | 'cancel-only' | 'disabled';

export const VENUE_MODE_REPLIES: Readonly<Record<Mode, Reply>> = {
  restarting: failure(425, 'service is restarting'),
  'post-only': failure(503, 'post-only mode: only post-only orders and cancels are allowed', {
    code: 'post_only_mode',
    retry_after_seconds: 120,
  }),
  'cancel-only': failure(
    503,
    'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.',
  ),
  disabled: failure(503, 'Trading is currently disabled. Check polymarket.com for updates'),
};

const UNITS = 1_000_000;
export const unitsOf = (amount: Decimal): string => amount.times(UNITS).toFixed(0);
export const secondsOf = (timeMs: number): number => Math.floor(timeMs / 1_000);
