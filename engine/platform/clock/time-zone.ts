/** Whether there is a time zone of this name, such as `Europe/Zurich`. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Reads what the clocks of a time zone show at an instant: the ms since 1970 at which clocks in UTC show the same. */
export type WallClock = (ms: number) => number;

/** Returns the clock of a time zone. Its offset may change at whole seconds only. */
export function wallClockOf(zone: string): WallClock {
  if (zone === 'UTC') return (ms) => ms;
  // Swedish dates are written as in ISO 8601.
  const { format } = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (ms) => Date.parse(`${format(ms).replace(' ', 'T')}Z`) + (ms % SECOND_MS);
}

/**
 * Returns the instant at which a clock shows a time: the first one if it is set back and shows it twice. A time that it skips
 * counts on as before, as in RFC 5545: where 02:00 is followed by 03:00, 02:30 is 03:30.
 */
export function instantOf(clock: WallClock, localMs: number): number {
  const before = localMs - offsetAt(clock, localMs - DAY_MS);
  const after = localMs - offsetAt(clock, localMs + DAY_MS);
  return clock(before) === localMs || clock(after) !== localMs ? before : after;
}

const offsetAt = (clock: WallClock, ms: number): number => clock(ms) - ms;

/** Returns the instant at which the day that contains `ms` ends in a time zone. */
export function endOfDayMs(ms: number, zone: string): number {
  const clock = wallClockOf(zone);
  return instantOf(clock, startOfDay(clock(ms)) + DAY_MS);
}

/** Returns midnight before a time that a clock shows. */
export const startOfDay = (localMs: number): number => Math.floor(localMs / DAY_MS) * DAY_MS;
