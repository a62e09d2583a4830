/**
 * Days of the New York Stock Exchange and of the Federal Reserve, as they were published. Each publication states every day of its
 * range. A later one that covers a day replaces what was known about it.
 *
 * A publication counts from `knownSince`, 00:00 UTC, the day after it was released. Add new ones with a `knownSince` not before
 * the release of this service that ships them: then recorded steps replay alike.
 *
 * Sources: "NYSE Group Announces … Holiday and Early Closings Calendar" of 21 December 2022, 8 November 2024 and 23 December
 * 2025; the exchange's announcement of 30 December 2024 (National Day of Mourning); "Federal Open Market Committee announces its
 * tentative meeting schedule" of 9 August 2024 and 5 September 2025.
 */
const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday; the week begins on Monday. */
const EPOCH_WEEKDAY = 3;

export const CALENDAR_DAYS = ['nyseSession', 'nyseHoliday', 'nyseEarlyClose', 'fomcDecision'] as const;
export type CalendarDay = (typeof CALENDAR_DAYS)[number];

type Publication = {
  readonly knownSinceMs: number;
  /** Dates at 00:00 UTC, both included. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly days: ReadonlyMap<number, CalendarDay>;
};

/** By year and kind: month and day of each date. */
type Dates = Readonly<Record<number, Partial<Record<CalendarDay, string>>>>;

function publication(knownSince: string, from: string, until: string, dates: Dates): Publication {
  const days = new Map<number, CalendarDay>();
  for (const [year, kinds] of Object.entries(dates))
    for (const kind of CALENDAR_DAYS)
      for (const date of kinds[kind]?.split(' ') ?? []) days.set(Date.parse(`${year}-${date}`), kind);
  return {
    knownSinceMs: Date.parse(knownSince),
    fromMs: Date.parse(from),
    untilMs: Date.parse(until),
    days,
  };
}

/** In the order of publication. */
const NYSE: readonly Publication[] = [
  publication('2022-12-22', '2023-01-01', '2025-12-31', {
    2023: {
      nyseHoliday: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25',
      nyseEarlyClose: '07-03 11-24',
    },
    2024: {
      nyseHoliday: '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25',
      nyseEarlyClose: '07-03 11-29 12-24',
    },
    2025: {
      nyseHoliday: '01-01 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25',
      nyseEarlyClose: '07-03 11-28 12-24',
    },
  }),
  publication('2024-11-09', '2026-01-01', '2027-12-31', {
    2026: {
      nyseHoliday: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
      nyseEarlyClose: '11-27 12-24',
    },
    2027: {
      nyseHoliday: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24',
      nyseEarlyClose: '11-26',
    },
  }),
  publication('2024-12-31', '2025-01-09', '2025-01-09', { 2025: { nyseHoliday: '01-09' } }),
  publication('2025-12-24', '2028-01-01', '2028-12-31', {
    2028: {
      nyseHoliday: '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25',
      nyseEarlyClose: '07-03 11-24',
    },
  }),
];

const FOMC: readonly Publication[] = [
  publication('2024-08-10', '2025-01-01', '2027-01-27', {
    2025: { fomcDecision: '01-29 03-19 05-07 06-18 07-30 09-17 10-29 12-10' },
    2026: { fomcDecision: '01-28 03-18 04-29 06-17 07-29 09-16 10-28 12-09' },
    2027: { fomcDecision: '01-27' },
  }),
  publication('2025-09-06', '2027-01-28', '2028-01-26', {
    2027: { fomcDecision: '03-17 04-28 06-09 07-28 09-15 10-27 12-08' },
    2028: { fomcDecision: '01-26' },
  }),
];

const publicationsOf = (kind: CalendarDay): readonly Publication[] => (kind === 'fomcDecision' ? FOMC : NYSE);

/**
 * Whether a date is such a day, as known at an instant; `null` if no publication known by then covers it. Early closes are
 * sessions.
 *
 * @param dateMs the date's 00:00 as if in UTC
 */
export function isCalendarDay(kind: CalendarDay, dateMs: number, knownAtMs: number): boolean | null {
  const newest = publicationsOf(kind).findLast(
    ({ knownSinceMs, fromMs, untilMs }) => knownSinceMs <= knownAtMs && dateMs >= fromMs && dateMs <= untilMs,
  );
  if (newest === undefined) return null;
  const listed = newest.days.get(dateMs);
  if (kind !== 'nyseSession') return listed === kind;
  const weekday = (dateMs / DAY_MS + EPOCH_WEEKDAY) % 7;
  return weekday < 5 && listed !== 'nyseHoliday';
}

/** Returns the span of instants around `ms`, its end excluded, in which no further publication becomes known. */
export function samePublications(kind: CalendarDay, ms: number): { fromMs: number; toMs: number } {
  const instants = publicationsOf(kind).map(({ knownSinceMs }) => knownSinceMs);
  return {
    fromMs: instants.findLast((at) => at <= ms) ?? Number.NEGATIVE_INFINITY,
    toMs: instants.find((at) => at > ms) ?? Number.POSITIVE_INFINITY,
  };
}

/** The last date that the shipped publications cover, as `2028-12-31`. */
export const calendarEnd = (kind: CalendarDay): string =>
  new Date(Math.max(...publicationsOf(kind).map(({ untilMs }) => untilMs))).toISOString().slice(0, 10);
