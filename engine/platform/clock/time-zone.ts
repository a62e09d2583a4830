/** Whether there is a time zone of this name, such as `Europe/Zurich`. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const MINUTE_MS = 60_000;
/** Minutes of the longest day: one whose clocks go back by two hours. */
const DAY_MINUTES_MAX = 26 * 60;

/** Returns the instant at which the day that contains `ms` ends in a time zone: the first minute of another date. Pure. */
export function endOfDayMs(ms: number, zone: string): number {
  const { format } = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const minute = Math.floor(ms / MINUTE_MS);
  const today = format(ms);
  let [before, after] = [minute, minute + DAY_MINUTES_MAX];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (format(middle * MINUTE_MS) === today) before = middle;
    else after = middle;
  }
  return after * MINUTE_MS;
}
