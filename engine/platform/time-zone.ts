/** Whether there is a time zone of this name, such as `Europe/Zurich`. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns the instant at which the day that contains `ms` ends in a time zone. Pure. */
export const endOfDayMs = (ms: number, zone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).add({ days: 1 }).startOfDay()
    .epochMilliseconds;
