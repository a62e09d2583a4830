/** Hours without notifications, in the user's time zone. `from` after `to`: over midnight. */
export type QuietHours = { readonly from: string; readonly to: string; readonly zone: string };

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** Clocks change by an hour at most, twice a year: the search for the end covers a little more than a day. */
const LOOK_AHEAD_MINUTES = DAY_MINUTES + 120;

export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

const clocks = new Map<string, Intl.DateTimeFormat>();
/** There are about six hundred names of zones. */
const CLOCKS_MAX = 1_000;

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (clocks.size < CLOCKS_MAX) clocks.set(zone, made);
  return made;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const minuteAt = (zone: string, at: Date): number => minutesOf(clockOf(zone).format(at));

function isQuietMinute(minute: number, { from, to }: QuietHours): boolean {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (start === end) return false;
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

/** Returns the end of the quiet hours that contain `at`, to the minute; null outside of them. Pure. */
export function quietUntil(quiet: QuietHours | null, at: Date): Date | null {
  if (quiet === null || !isQuietMinute(minuteAt(quiet.zone, at), quiet)) return null;
  const startMs = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  // Without a clock change this is the end; else the end is searched minute by minute.
  const leftMinutes =
    (minutesOf(quiet.to) - minuteAt(quiet.zone, at) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  for (let minutes = Math.max(1, leftMinutes - 120); minutes <= LOOK_AHEAD_MINUTES; minutes++) {
    const then = new Date(startMs + minutes * MINUTE_MS);
    if (!isQuietMinute(minuteAt(quiet.zone, then), quiet)) return then;
  }
  return null;
}
