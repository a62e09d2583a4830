/** Daily windows in time zones: each is one interval of instants, also where clocks are set. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CalendarDay,
  isCalendarDay as isCalendarDate,
} from '../../../../engine/platform/clock/market-calendar.ts';
import { wallClockOf } from '../../../../engine/platform/clock/time-zone.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { draw, Player, world } from './graph-fixtures.ts';

const MINUTE_MS = 60_000;
const zone = 'America/New_York';
const DAY_MINUTES = 1_440;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Window = {
  from: string;
  to: string;
  zone?: string;
  days?: string[];
  monthDays?: string;
  calendar?: string;
};

const drawn = (window: Window) => draw({ node: ['schedule', { mode: 'daily', ...window }] });
const timeOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** The instants at which a window opens and closes, looked at each minute. */
function changesOf(window: Window, fromMs: number, toMs: number): string[] {
  const player = new Player(drawn(window));
  const changes: string[] = [];
  let isOpen = player.state('node', fromMs - MINUTE_MS, world()).value;
  for (let ms = fromMs; ms < toMs; ms += MINUTE_MS) {
    const { value } = player.state('node', ms, world());
    if (value !== isOpen)
      changes.push(`${value ? 'opens' : 'closes'} ${new Date(ms).toISOString().slice(0, 16)}`);
    isOpen = value;
  }
  return changes;
}

describe('a window in New York', () => {
  test.each([
    [
      'follows winter time',
      { from: '09:30', to: '16:00', zone },
      '2026-01-05',
      ['opens 2026-01-05T14:30', 'closes 2026-01-05T21:00'],
    ],
    [
      'follows summer time',
      { from: '09:30', to: '16:00', zone },
      '2026-07-06',
      ['opens 2026-07-06T13:30', 'closes 2026-07-06T20:00'],
    ],
    [
      'opens once where clocks show its start twice',
      { from: '01:30', to: '03:00', zone },
      '2026-11-01',
      ['opens 2026-11-01T05:30', 'closes 2026-11-01T08:00'],
    ],
    [
      'opens later where clocks skip its start',
      { from: '02:30', to: '04:00', zone },
      '2026-03-08',
      ['opens 2026-03-08T07:30', 'closes 2026-03-08T08:00'],
    ],
    [
      'has the weekday of New York',
      { from: '20:00', to: '22:00', zone, days: ['mon'] },
      '2026-07-07',
      ['opens 2026-07-07T00:00', 'closes 2026-07-07T02:00'],
    ],
  ] as const)('%s', (_, window, date, changes) => {
    const fromMs = Date.parse(date);
    expect(changesOf({ ...window } as Window, fromMs, fromMs + DAY_MINUTES * MINUTE_MS)).toEqual(changes);
  });
});

test('law: away from changes of clocks a window is open exactly while its zone shows a time within it', () => {
  // January has no change of clocks in these zones.
  const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Sydney', 'Pacific/Kiritimati'];
  const minutes = fc.integer({ min: 0, max: DAY_MINUTES - 1 });
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.record({ from: minutes, to: minutes }),
      fc.subarray([...WEEKDAYS], { minLength: 1 }),
      fc.array(fc.integer({ min: Date.UTC(2026, 0, 3), max: Date.UTC(2026, 0, 29) }), {
        minLength: 1,
        maxLength: 20,
      }),
      (zone, { from, to }, days, instants) => {
        const player = new Player(drawn({ from: timeOf(from), to: timeOf(to), zone, days }));
        const clock = wallClockOf(zone);
        for (const ms of instants) {
          const local = new Date(clock(ms));
          const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
          const startsToday = minute >= from && (from >= to || minute < to);
          const startedYesterday = from >= to && minute < to;
          const weekday = (local.getUTCDay() + (startedYesterday ? 6 : 0)) % 7;
          const expected = (startsToday || startedYesterday) && days.includes(WEEKDAYS[weekday] ?? 'sun');
          expect(player.state('node', ms, world()).value).toBe(expected);
        }
      },
    ),
  );
});

test('law: instants in any order have the value that each has alone', () => {
  const window = { from: '22:15', to: '03:45', zone: 'Europe/Zurich', days: ['sat'] };
  const around = fc.integer({ min: Date.UTC(2026, 2, 26), max: Date.UTC(2026, 3, 2) });
  fc.assert(
    fc.property(fc.array(around, { maxLength: 20 }), (instants) => {
      const plan = new Player(drawn(window));
      for (const ms of instants) {
        const alone = new Player(drawn(window)).state('node', ms, world()).value;
        expect(plan.state('node', ms, world()).value).toBe(alone);
      }
    }),
  );
});

const NOON = { from: '12:00', to: '14:00', zone };

const isCalendarDay = (calendar: string, date: string, knownAt: string) =>
  isCalendarDate(calendar as CalendarDay, Date.parse(date), Date.parse(knownAt));

/** The state within a window around noon in New York, as evaluated on that day. */
const atNoon = (date: string, window: Partial<Window>) =>
  new Player(drawn({ ...NOON, ...window })).state('node', Date.parse(`${date}T17:30Z`), world());

describe('days of the month', () => {
  test.each([
    ['1, 15', ['2026-02-01', '2026-02-15'], ['2026-02-02', '2026-02-28']],
    ['last', ['2026-02-28', '2024-02-29', '2026-12-31'], ['2024-02-28', '2026-12-30', '2026-01-01']],
    ['last 7', ['2026-02-22', '2026-01-25'], ['2026-02-21', '2026-01-24']],
    ['31', ['2026-01-31'], ['2026-02-28', '2026-04-30']],
    ['15-21', ['2026-02-15', '2026-02-21'], ['2026-02-14', '2026-02-22']],
  ])('%s', (monthDays, within, without) => {
    for (const date of within) expect(atNoon(date, { monthDays }).value, date).toBe(true);
    for (const date of without) expect(atNoon(date, { monthDays }).value, date).toBe(false);
  });

  test('with a weekday they are the third Friday of a month, and its last', () => {
    const fridays = (monthDays: string) =>
      Array.from({ length: 59 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10))
        .filter((date) => atNoon(date, { days: ['fri'], monthDays }).value === true)
        .join();
    expect(fridays('15-21')).toBe('2026-01-16,2026-02-20');
    expect(fridays('last 7')).toBe('2026-01-30,2026-02-27');
  });

  test.each(['0', '32', '21-15', 'first', '1,', 'last 40', '-1', '1-', 'last7'])(
    '%s is refused',
    (monthDays) => {
      const { issues } = compile(drawn({ ...NOON, monthDays }));
      expect(issues.map(({ message }) => message).join()).toContain('1, 15-21, last, last 7');
    },
  );

  test('law: each date is judged as by the calendar of JavaScript', () => {
    const day = fc.integer({ min: 1, max: 31 });
    const part = fc.oneof(
      day.map((first) => ({ text: `${first}`, has: (date: number) => date === first })),
      fc.tuple(day, day).map(([a, b]) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        return { text: `${from}-${to}`, has: (date: number) => date >= from && date <= to };
      }),
      day.map((count) => ({
        text: `last ${count}`,
        has: (date: number, length: number) => date > length - count,
      })),
    );
    const parts = fc.array(part, { minLength: 1, maxLength: 4 });
    const instant = fc.integer({ min: Date.UTC(2023, 0, 1), max: Date.UTC(2030, 0, 1) });
    fc.assert(
      fc.property(parts, instant, (chosen, ms) => {
        const window = { from: '00:00', to: '00:00', monthDays: chosen.map(({ text }) => text).join(', ') };
        const at = new Date(ms);
        const length = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
        const { value } = new Player(drawn(window)).state('node', ms, world());
        expect(value).toBe(chosen.some(({ has }) => has(at.getUTCDate(), length)));
      }),
    );
  });
});

describe('dates of a calendar', () => {
  test.each([
    ['nyseSession', ['2026-11-25', '2026-11-27', '2028-12-29'], ['2026-11-26', '2026-11-28', '2026-07-03']],
    ['nyseHoliday', ['2026-11-26', '2026-07-03', '2027-12-24', '2028-04-14'], ['2026-11-28', '2027-12-31']],
    ['nyseEarlyClose', ['2026-11-27', '2026-12-24', '2028-07-03'], ['2027-12-24', '2026-07-02']],
    ['fomcDecision', ['2026-12-09', '2027-01-27', '2027-03-17'], ['2026-12-08', '2027-01-26']],
  ])('%s', (calendar, within, without) => {
    for (const date of within) expect(atNoon(date, { calendar }).value, date).toBe(true);
    for (const date of without) expect(atNoon(date, { calendar }).value, date).toBe(false);
  });

  test('beyond its last publication a date is unknown, never without a holiday', () => {
    for (const calendar of ['nyseSession', 'nyseHoliday', 'nyseEarlyClose', 'fomcDecision'])
      for (const date of ['2022-12-30', '2029-01-02', '2035-06-05'])
        expect(atNoon(date, { calendar }), `${calendar} ${date}`).toMatchObject({
          value: null,
          status: 'waiting',
          reason: { code: 'no_data', message: expect.stringMatching(/end on 2028-/) },
        });
    // No window is open: nothing depends on the calendar.
    expect(atNoon('2035-06-05', { calendar: 'nyseSession', from: '15:00', to: '16:00' }).value).toBe(false);
  });

  test('a date is a holiday only from its announcement on: the day of mourning in January 2025', () => {
    const value = (calendar: string, at: string) => isCalendarDay(calendar, '2025-01-09', at);
    expect(value('nyseSession', '2024-12-30T23:59:59.999Z')).toBe(true);
    expect(value('nyseHoliday', '2024-12-30T23:59:59.999Z')).toBe(false);
    expect(value('nyseSession', '2024-12-31T00:00Z')).toBe(false);
    expect(value('nyseHoliday', '2024-12-31T00:00Z')).toBe(true);
    expect(atNoon('2025-01-09', { calendar: 'nyseHoliday' }).value).toBe(true);
    expect(value('nyseSession', '2022-12-21T23:59Z')).toBe(null);
    expect(value('fomcDecision', '2024-08-09T23:59Z')).toBe(null);
  });

  test('a publication within a window counts at once', () => {
    const publishedAt = Date.parse('2025-12-24');
    const days = { from: '00:00', to: '23:59', calendar: 'nyseSession', zone: 'UTC' };
    const player = new Player(drawn(days));
    expect(player.state('node', publishedAt - 60_001, world()).value).toBe(true);
    expect(player.state('node', publishedAt + 1, world()).value).toBe(true);
    // 23 December 2025 knew nothing of 2028.
    expect(isCalendarDay('nyseSession', '2028-07-05', '2025-12-23T23:59Z')).toBe(null);
    expect(isCalendarDay('nyseSession', '2028-07-05', '2025-12-24T00:00Z')).toBe(true);
  });

  test('law: instants in any order, over all publications, have the value that each has alone', () => {
    const instant = fc.oneof(
      fc.integer({ min: Date.UTC(2022, 11, 1), max: Date.UTC(2029, 1, 1) }),
      ...['2022-12-22', '2024-08-10', '2024-12-31', '2025-01-09', '2028-01-26', '2029-01-01'].map((date) =>
        fc.integer({ min: Date.parse(date) - 90_000_000, max: Date.parse(date) + 90_000_000 }),
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('nyseSession', 'nyseHoliday', 'nyseEarlyClose', 'fomcDecision'),
        fc.array(instant, { maxLength: 15 }),
        (calendar, instants) => {
          const window = { from: '22:15', to: '21:45', zone, calendar };
          const player = new Player(drawn(window));
          for (const ms of instants) {
            const alone = new Player(drawn(window)).state('node', ms, world());
            expect(player.state('node', ms, world())).toEqual(alone);
          }
        },
      ),
    );
  });

  test('every holiday and decision is a weekday, and an early close a session', () => {
    const all = Array.from({ length: 6 * 366 }, (_, day) =>
      new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10),
    ).filter((date) => date < '2029');
    const on = (calendar: string) =>
      all.filter((date) => isCalendarDay(calendar, date, '2029-01-01') === true);
    const weekend = (date: string) => [0, 6].includes(new Date(date).getUTCDay());
    for (const calendar of ['nyseHoliday', 'nyseEarlyClose', 'fomcDecision'])
      expect(on(calendar).filter(weekend)).toEqual([]);
    const sessions = new Set(on('nyseSession'));
    expect(on('nyseEarlyClose').filter((date) => !sessions.has(date))).toEqual([]);
    const perYear = (calendar: string) =>
      [...Map.groupBy(on(calendar), (date) => date.slice(0, 4)).values()].map(({ length }) => length).join();
    expect(perYear('nyseHoliday')).toBe('10,10,11,10,10,9');
    expect(perYear('nyseSession')).toBe('250,252,250,251,251,251');
    expect(perYear('nyseEarlyClose')).toBe('2,3,3,2,1,2');
    expect(perYear('fomcDecision')).toBe('8,8,8,1');
  });
});

test('a zone that does not exist is refused with an example', () => {
  const { issues } = compile(drawn({ from: '09:30', to: '16:00', zone: 'Mars/Olympus' }));
  expect(issues.map(({ message }) => message).join()).toContain(
    'Write a time zone as in Europe/Zurich or UTC.',
  );
});
