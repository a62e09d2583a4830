import { utcDay } from '../utc-day.ts';
import type { AuditRow, Opening } from './rows.ts';

/**
 * Since when the account was tripped by the loss of the day as a decision at `decidedAt` may have seen it, by the audit
 * trail: ISO moments, or null. Within one millisecond the trail has no order, so each of its entries may be the last.
 */
export function tripsAt(
  { trips, ruleChanges }: Pick<Opening, 'trips' | 'ruleChanges'>,
  decidedAt: Date,
): (string | null)[] {
  const day = utcDay(decidedAt);
  const entries = [
    ...trips.map((trip) => ({ at: Date.parse(trip.at), trips: true })),
    ...ruleChanges.filter(changesDailyLoss).map((change) => ({ at: Date.parse(change.at), trips: false })),
  ].filter(({ at }) => at <= decidedAt.getTime());
  const stateAfter = ({ at, trips: isTrip }: (typeof entries)[number]) =>
    isTrip && utcDay(new Date(at)) === day ? new Date(at).toISOString() : null;
  const lastBefore = Math.max(...entries.map(({ at }) => at).filter((at) => at < decidedAt.getTime()));
  const before = entries.filter(({ at }) => at === lastBefore).map(stateAfter);
  const within = entries.filter(({ at }) => at === decidedAt.getTime()).map(stateAfter);
  return [...(before.length > 0 ? before : [null]), ...within];
}

function changesDailyLoss({ before, after }: AuditRow): boolean {
  const limitOf = (rules: unknown) => (rules as { maxDailyLoss?: string } | null)?.maxDailyLoss;
  return limitOf(before) !== limitOf(after);
}
