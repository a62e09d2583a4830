import { z } from 'zod';
import {
  CALENDAR_DAYS,
  calendarEnd,
  isCalendarDay,
  samePublications,
} from '../../../../platform/clock/market-calendar.ts';
import { instantOf, startOfDay, wallClockOf } from '../../../../platform/clock/time-zone.ts';
import type { Run } from '../../run/run.ts';
import { reason, unknown } from '../../values.ts';
import { type Behavior, defineNode, output, type RawSettings, type Wiring, type Words } from '../node.ts';
import { CATCHING_UP } from '../quote-readers.ts';
import { timeZone } from '../shared-settings.ts';
import { monthDayRule, monthDays } from './month-days.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A beat that is over 60 s late is skipped, like any late action. */
const LATE_MS = 60_000;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4;

const clockTime = (description: string) =>
  z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'A time of day is written HH:MM, from 00:00 to 23:59.')
    .meta({ description, examples: ['13:30'] });

const settings = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('every').meta({ description: 'A beat: true for one step every N seconds.' }),
    everySec: z.int().min(10).max(31_536_000).meta({
      description:
        'Seconds between beats, counted from 1 January 1970, 00:00 UTC, a Thursday: what divides a day beats at midnight too.',
    }),
  }),
  z.strictObject({
    mode: z.literal('daily').meta({ description: 'A window of the day: true as long as it lasts.' }),
    from: clockTime('Start of the window.'),
    to: clockTime('End of the window, exclusive; before `from` it runs over midnight.'),
    days: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .max(7)
      .default([...WEEKDAYS])
      .meta({ description: 'Weekdays on which the window starts.' }),
    monthDays: monthDays.optional(),
    calendar: z.enum(CALENDAR_DAYS).optional().meta({
      description:
        'Dates on which the window starts, as published by then: on which the New York Stock Exchange trades (early closes too), observes a holiday, or closes early at 13:00; or on which the Federal Open Market Committee announces its decision.',
    }),
    zone: timeZone.default('UTC').meta({
      description: 'Time zone of the window, its weekdays and dates, with its summer time.',
      examples: ['America/New_York'],
    }),
  }),
]);
type Settings = z.output<typeof settings>;
type Daily = Extract<Settings, { mode: 'daily' }>;
type BeatMemory = { slot: number };

export const schedule = defineNode({
  type: 'schedule',
  group: 'source',
  title: 'Schedule',
  help: 'Time as a condition: a beat every N seconds, or a daily window in a time zone, on some weekdays, month days or dates of a calendar.',
  phrase: timed,
  laws: {
    unknown:
      'While missed candles are stepped; during a window on a date that no `calendar` published by then covers.',
    gap: 'A beat that comes due over 60 seconds before it can be given is skipped.',
  },
  outputs: [output('boolean', 'True at the beat, or within the window.')],
  config: settings,
  bind: (config) => ({
    moves: 'tick',
    build: (wiring) => (config.mode === 'every' ? beat(config.everySec, wiring) : window(config)),
  }),
});

/** True in the first evaluation of each grid slot. The slot of the deploy is skipped: it has begun already. */
function beat(everySec: number, { slot }: Wiring): Behavior {
  const everyMs = everySec * SECOND_MS;
  const late = reason(
    'too_late',
    'The beat came due over 60 s ago, while nothing was evaluated. It was skipped.',
  );
  return {
    compute(run) {
      if (!run.isLive) return CATCHING_UP;
      const current = Math.floor(run.now / everyMs);
      const memory = run.recall<BeatMemory>(slot);
      run.distances[slot] = ((current + 1) * everyMs - run.now) / SECOND_MS;
      if (memory?.slot === current) return false;
      run.remember(slot, { slot: current });
      if (memory === undefined) return false;
      const inTime = run.now - current * everyMs <= LATE_MS;
      if (!inTime) run.mark(slot, 'missed', late);
      return inTime;
    },
    asOf: now,
  };
}

type Interval = { readonly fromMs: number; readonly toMs: number };
/** `isSure`: its date is known to be one of the calendar. */
type Window = Interval & { readonly isSure: boolean };

/** Each window is one interval of instants: it opens once and closes once, also where clocks are set back or forward within it. */
function window({ from, to, days, monthDays, calendar, zone }: Daily): Behavior {
  const clock = wallClockOf(zone);
  const start = minutesOf(from) * MINUTE_MS;
  const length = (minutesOf(to) * MINUTE_MS - start + DAY_MS) % DAY_MS || DAY_MS;
  const opening = WEEKDAYS.map((day) => days.includes(day));
  const isMonthDay = monthDays === undefined ? () => true : monthDayRule(monthDays);
  const isListed = (date: number, at: number) =>
    calendar === undefined ? true : isCalendarDay(calendar, date, at);
  const notPublished = unknown(
    'no_data',
    `No calendar known by now covers this date. Those of this version end on ${calendar === undefined ? '' : calendarEnd(calendar)}.`,
  );
  const startingOn = (date: number, at: number): Window[] => {
    if (opening[(date / DAY_MS + EPOCH_WEEKDAY) % 7] !== true || !isMonthDay(date)) return [];
    const listed = isListed(date, at);
    if (listed === false) return [];
    const interval = {
      fromMs: instantOf(clock, date + start),
      toMs: instantOf(clock, date + start + length),
    };
    return [{ ...interval, isSure: listed === true }];
  };
  // Looking up a zone takes far longer than comparing instants: once a day is enough, and whenever a calendar is published.
  let day: Interval = { fromMs: 0, toMs: 0 };
  let windows: readonly Window[] = [];
  const isWithin = (ms: number) => (interval: Interval) => ms >= interval.fromMs && ms < interval.toMs;
  return {
    compute(run) {
      if (!run.isLive) return CATCHING_UP;
      if (!isWithin(run.now)(day)) {
        const date = startOfDay(clock(run.now));
        const known = calendar === undefined ? ALWAYS : samePublications(calendar, run.now);
        day = {
          fromMs: Math.max(instantOf(clock, date), known.fromMs),
          toMs: Math.min(instantOf(clock, date + DAY_MS), known.toMs),
        };
        windows = [date - DAY_MS, date, date + DAY_MS].flatMap((each) => startingOn(each, run.now));
      }
      const open = windows.filter(isWithin(run.now));
      return open.length === 0 ? false : open.some(({ isSure }) => isSure) || notPublished;
    },
    asOf: now,
  };
}

const ALWAYS: Interval = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };

const now = (run: Run): number => run.now;

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

const Days = z.array(z.string());

function timed(
  { mode, everySec, days: sent, monthDays: inMonth, calendar, from, to, zone = 'UTC' }: RawSettings,
  { span, text, word }: Words,
): string {
  if (mode === 'every') return `every ${span(everySec, true)}`;
  const days = Days.safeParse(sent);
  const on = days.success && days.data.length < 7 ? ` on ${days.data.join(', ')}` : '';
  const ofMonth = inMonth === undefined ? '' : ` on month days ${text(inMonth)}`;
  const dates = calendar === undefined ? '' : ` on ${word(calendar)}`;
  return `from ${text(from)} to ${text(to)} ${text(zone)}${on}${ofMonth}${dates}`;
}
