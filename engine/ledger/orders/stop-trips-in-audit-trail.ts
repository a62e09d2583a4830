import { utcDay } from '../../platform/clock/utc-day.ts';
import type { AuditRow, Report, StoredBooks } from '../rows.ts';

type Latch = {
  readonly trips: readonly AuditRow[];
  /** Changes of the rule that lift the latch. */
  readonly lifts: readonly AuditRow[];
  readonly holdsUntil: (tripAt: Date, decidedAt: Date) => boolean;
};

/**
 * The trip times of the daily loss that a decision at `decidedAt` may have seen, by the audit trail: ISO moments, or null.
 * Within one millisecond the trail has no order, so each of its entries may be the last.
 */
export const lossTripTimesSeenAt = (
  { trips, ruleChanges }: Pick<StoredBooks, 'trips' | 'ruleChanges'>,
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

/** The same for the drawdown stop, which no day ends. */
export const drawdownTripTimesSeenAt = (
  { stops, ruleChanges }: Pick<StoredBooks, 'stops' | 'ruleChanges'>,
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

/** The possible trip times by the loss of a day, whichever day it was. */
const lastTrips = ({ trips, ruleChanges }: Pick<StoredBooks, 'trips' | 'ruleChanges'>): (string | null)[] =>
  latchedAt(
    {
      trips,
      lifts: ruleChanges.filter((change) => changes(change, 'maxDailyLoss')),
      holdsUntil: () => true,
    },
    END_OF_TIME,
  );

const END_OF_TIME = new Date(8.64e15);

/** Compares the latch of the daily loss with the trail: a trip sets it, a change of the rule lifts it. */
export function compareDailyLossTrip(
  opening: Pick<StoredBooks, 'accountId' | 'tradingAccount' | 'trips' | 'ruleChanges' | 'timeOrder'>,
  report: Report,
): void {
  const { accountId, tradingAccount, trips, timeOrder } = opening;
  const actual =
    tradingAccount.tripped_at === null ? null : new Date(tradingAccount.tripped_at).toISOString();
  // Where the clock went back, times do not show which of them came last.
  const possible = timeOrder.isMonotonic
    ? lastTrips(opening)
    : [null, ...trips.map(({ at }) => new Date(at).toISOString())];
  if (possible.includes(actual)) return;
  const expected = possible.map((at) => at ?? 'none').join(' or ');
  report('trading_account', accountId, 'trippedAt', expected, actual ?? 'none');
}

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
