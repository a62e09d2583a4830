import type { OrderType } from '../../../../db/entities/order.ts';
import { type Mode, mayRest, type Side, type TimeInForce } from '../../../../db/vocabulary.ts';
import { endOfDayMs } from '../../../platform/clock/time-zone.ts';

/** Fields of an intent that decide how long its order may rest. */
type Lifetime = {
  type: OrderType;
  timeInForce: TimeInForce;
  expireAfterSec?: number;
  dayZone?: string;
  /** The wait of its intent for the decision; absent: none. */
  waitedMs?: number;
};

/**
 * Returns when to cancel an order; null for one that rests until it is filled or canceled. A day order ends with the day of its
 * intent by the orders' clock, which also cancels it. The feed's clock, by which graphs step, may be of another day.
 */
export function goodTillOf(
  { type, timeInForce, expireAfterSec, dayZone, waitedMs = 0 }: Lifetime,
  now: Date,
): Date | null {
  const rests = type === 'limit' && mayRest(timeInForce);
  if (rests && dayZone !== undefined) return new Date(endOfDayMs(now.getTime() - waitedMs, dayZone));
  return rests && expireAfterSec !== undefined ? new Date(now.getTime() + expireAfterSec * 1_000) : null;
}

/** Default lifetime of a resting live entry, so that a stopped process does not leave it at its venue forever. */
const LIVE_REST_MS = 10 * 60_000;

/**
 * Returns the default end of a resting live entry, counted from its clearing; null for any other order, which rests until it is
 * filled or canceled.
 */
export function defaultGoodTill(
  { mode, side, type, timeInForce }: Pick<Lifetime, 'type' | 'timeInForce'> & { mode: Mode; side: Side },
  clearedAt: Date,
): Date | null {
  const isLiveEntry = mode === 'live' && side === 'buy';
  return isLiveEntry && type === 'limit' && mayRest(timeInForce)
    ? new Date(clearedAt.getTime() + LIVE_REST_MS)
    : null;
}

/** Caps the end of a wait at the order's good-till time. */
export const noLaterThan = (goodTill: Date | string | null, end: Date): Date =>
  goodTill === null ? end : new Date(Math.min(end.getTime(), new Date(goodTill).getTime()));

export const isGoodTillPassed = (goodTill: string | null, now: Date): goodTill is string =>
  goodTill !== null && new Date(goodTill) <= now;

/** Builds the reason of an order that expired at its good-till time. */
export const goodTillPassed = (goodTill: string) => ({
  reasonCode: 'good_till_passed',
  reason: `It was good till ${new Date(goodTill).toISOString()}.`,
});
