import type { OrderType } from '../../../db/entities/order.ts';
import type { TimeInForce } from '../../../db/vocabulary.ts';

/** What of a wish decides how long its order may rest. */
type Lifetime = { type: OrderType; timeInForce: TimeInForce; expireAfterSec?: number };

/** The moment from which on an order is taken back; null for one that rests until it is filled or canceled. */
export function goodTillOf({ type, timeInForce, expireAfterSec }: Lifetime, now: Date): Date | null {
  const mayRest = type === 'limit' && timeInForce === 'gtc';
  return mayRest && expireAfterSec !== undefined ? new Date(now.getTime() + expireAfterSec * 1_000) : null;
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
