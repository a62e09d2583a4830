import type { OrderType } from '../../../../db/entities/order.ts';
import type { Mode, Side, TimeInForce } from '../../../../db/vocabulary.ts';

/** What of a wish decides how long its order may rest. */
type Lifetime = { type: OrderType; timeInForce: TimeInForce; expireAfterSec?: number };

/** The moment from which on an order is taken back; null for one that rests until it is filled or canceled. */
export function goodTillOf({ type, timeInForce, expireAfterSec }: Lifetime, now: Date): Date | null {
  const mayRest = type === 'limit' && timeInForce === 'gtc';
  return mayRest && expireAfterSec !== undefined ? new Date(now.getTime() + expireAfterSec * 1_000) : null;
}

/** The longest that an entry with real money rests where nobody said how long: no dead process leaves it at its venue for good. */
const LIVE_REST_MS = 10 * 60_000;

/**
 * The end of what would rest without one, from the moment on at which it is cleared: of an entry with real money; null for any
 * other, which rests until it is filled or canceled.
 */
export function restOf(
  { mode, side, type, timeInForce }: Pick<Lifetime, 'type' | 'timeInForce'> & { mode: Mode; side: Side },
  clearedAt: Date,
): Date | null {
  const isLiveEntry = mode === 'live' && side === 'buy';
  const mayRest = type === 'limit' && timeInForce === 'gtc';
  return isLiveEntry && mayRest ? new Date(clearedAt.getTime() + LIVE_REST_MS) : null;
}

/** The end of a wait, which never outlasts the order itself. */
export const noLaterThan = (goodTill: Date | string | null, end: Date): Date =>
  goodTill === null ? end : new Date(Math.min(end.getTime(), new Date(goodTill).getTime()));

export const isGoodTillPassed = (goodTill: string | null, now: Date): goodTill is string =>
  goodTill !== null && new Date(goodTill) <= now;

/** Why an order has expired that was good till this moment. */
export const goodTillPassed = (goodTill: string) => ({
  reasonCode: 'good_till_passed',
  reason: `It was good till ${new Date(goodTill).toISOString()}.`,
});
