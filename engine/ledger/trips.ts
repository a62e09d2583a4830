import { utcDay } from '../utc-day.ts';
import type { AuditRow, Opening } from './rows.ts';

type Latch = {
  readonly trips: readonly AuditRow[];
  /** Changes of the rule that lift it. */
  readonly lifts: readonly AuditRow[];
  readonly holdsUntil: (tripAt: Date, decidedAt: Date) => boolean;
};

/**
 * Since when the account was tripped by the loss of the day as a decision at `decidedAt` may have seen it, by the audit
 * trail: ISO moments, or null. Within one millisecond the trail has no order, so each of its entries may be the last.
 */
export const tripsAt = (
  { trips, ruleChanges }: Pick<Opening, 'trips' | 'ruleChanges'>,
  decidedAt: Date,
): (string | null)[] =>
  latchedAt(
    {
      trips,
      lifts: ruleChanges.filter((change) => changes(change, 'maxDailyLoss')),
      holdsUntil: (tripAt, at) => utcDay(tripAt) === utcDay(at),
    },
    decidedAt,
  );

/** The same of the drawdown stop, which no day ends. */
export const stopsAt = (
  { stops, ruleChanges }: Pick<Opening, 'stops' | 'ruleChanges'>,
  decidedAt: Date,
): (string | null)[] =>
  latchedAt(
    {
      trips: stops,
      lifts: ruleChanges.filter((change) => changes(change, 'maxDrawdown')),
      holdsUntil: () => true,
    },
    decidedAt,
  );

function latchedAt({ trips, lifts, holdsUntil }: Latch, decidedAt: Date): (string | null)[] {
  const entries = [
    ...trips.map((trip) => ({ at: Date.parse(trip.at), trips: true })),
    ...lifts.map((change) => ({ at: Date.parse(change.at), trips: false })),
  ];
  const stateAfter = ({ at, trips: isTrip }: (typeof entries)[number]) =>
    isTrip && holdsUntil(new Date(at), decidedAt) ? new Date(at).toISOString() : null;
  const lastBefore = Math.max(...entries.map(({ at }) => at).filter((at) => at < decidedAt.getTime()));
  const before = entries.filter(({ at }) => at === lastBefore).map(stateAfter);
  const within = entries.filter(({ at }) => at === decidedAt.getTime()).map(stateAfter);
  return [...(before.length > 0 ? before : [null]), ...within];
}

function changes({ before, after }: AuditRow, rule: 'maxDailyLoss' | 'maxDrawdown'): boolean {
  const limitOf = (rules: unknown) => (rules as { [name in typeof rule]?: string } | null)?.[rule];
  return limitOf(before) !== limitOf(after);
}
