import { serviceNow } from '../api/clock.ts';
import { t } from '../language/language.ts';
import { DIGITS, perLocale } from '../language/locale.ts';

export const ZONES = ['utc', 'local'] as const;
export type Zone = (typeof ZONES)[number];

const DAY_MS = 86_400_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The day before the month, also in English, where any other order can be misread. */
const DAY_FIRST = 'en-GB';
const inOrder = perLocale((locale) => (locale.startsWith('en') ? DAY_FIRST : locale));

export function formatter(
  zone: Zone,
  options: Intl.DateTimeFormatOptions,
  locale = inOrder(),
): Intl.DateTimeFormat {
  const key = `${locale}${zone}${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, {
    ...options,
    calendar: 'gregory',
    numberingSystem: DIGITS,
    hourCycle: 'h23',
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  });
  formatters.set(key, made);
  return made;
}

/** `UTC`, or the browser's own name for its zone: `CET`, `GMT+5:30`. */
export function zoneName(zone: Zone, at: Date = serviceNow()): string {
  if (zone === 'utc') return 'UTC';
  const parts = formatter(zone, { timeZoneName: 'short', hour: '2-digit' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local';
}

const MINUTES: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const CLOCK: Intl.DateTimeFormatOptions = { ...MINUTES, second: '2-digit' };

/** The day in front of a time, with the year for other years; nothing for today. */
export function dayPrefix(at: Date, zone: Zone, now: Date): string {
  const sameDay = formatter(zone, { dateStyle: 'short' });
  if (sameDay.format(at) === sameDay.format(now)) return '';
  const isThisYear = at.getUTCFullYear() === now.getUTCFullYear();
  return `${isThisYear ? formatter(zone, AXIS.day).format(at) : fullDay(at, zone)} `;
}

/** `12:04:31 UTC` for today, `18 Nov 12:04 UTC` for other days, with the year for other years. */
export function clockTime(at: Date, zone: Zone, now: Date = serviceNow()): string {
  const day = dayPrefix(at, zone, now);
  const time = formatter(zone, day === '' ? CLOCK : MINUTES);
  return `${day}${time.format(at)} ${zoneName(zone, at)}`;
}

/** The day with its year: `20 Nov 2026`. */
export const fullDay = (at: Date, zone: Zone): string =>
  formatter(zone, { day: 'numeric', month: 'short', year: 'numeric' }).format(at);

/** The whole instant in one zone: `20 Nov 2026 12:04:31 UTC`. */
export const fullTime = (at: Date, zone: Zone): string =>
  `${fullDay(at, zone)} ${formatter(zone, CLOCK).format(at)} ${zoneName(zone, at)}`;

/** To the minute, without the zone: `20 Nov 2026 12:04`. */
export const minuteOf = (at: Date, zone: Zone): string =>
  `${fullDay(at, zone)} ${formatter(zone, MINUTES).format(at)}`;

/** `4 s ago`, `in 11 min`, `3 d ago`. */
export function relativeTime(at: Date, now: Date = serviceNow()): string {
  const ms = at.getTime() - now.getTime();
  const text = duration(Math.abs(ms));
  // The page's clock ticks each second, so it lags behind events of this one.
  return ms >= 1_000 ? t('in {text}', { text }) : t('{text} ago', { text });
}

/**
 * `4 s ago`: never in the future. The browser's clock may be seconds behind the service's, and an event ahead of it has just
 * happened.
 */
export const age = (at: Date, now: Date = serviceNow()): string => relativeTime(at > now ? now : at, now);

/** `42 s`, `4 min`, `3 h`, `5 d`: the largest unit alone. */
export function duration(ms: number): string {
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / 3_600_000)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}

/** The meaning of a mark on an axis of time: the start of a year, month or day, or a time of day. */
export type AxisMark = 'year' | 'month' | 'day' | 'time' | 'second';

const AXIS: Record<AxisMark, Intl.DateTimeFormatOptions> = {
  year: { year: 'numeric' },
  month: { month: 'short' },
  day: { day: 'numeric', month: 'short' },
  time: MINUTES,
  second: CLOCK,
};

/** The label of an instant on an axis, in the chosen zone, without moving the data. */
export const axisTime = (at: Date, zone: Zone, mark: AxisMark): string =>
  formatter(zone, AXIS[mark]).format(at);

/** The offset of this zone from UTC at an instant, in seconds. */
export function offsetSec(at: Date, zone: Zone): number {
  return zone === 'utc' ? 0 : -at.getTimezoneOffset() * 60;
}

/**
 * The time of a book by the clock of `answeredAtMs`: its age at the response, by the feed's own clock. That clock may differ: in a
 * simulated world it can run ahead.
 */
export const readAtOf = ({ asOf, now }: { asOf: string; now: string }, answeredAtMs: number): string =>
  new Date(answeredAtMs - Math.max(0, Date.parse(now) - Date.parse(asOf))).toISOString();

const INSTANT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** A sentence of the server, with its instants written like all other times. */
export const withLocalTimes = (text: string, zone: Zone, now: Date = serviceNow()): string =>
  text.replace(INSTANT, (instant) => clockTime(new Date(instant), zone, now));
