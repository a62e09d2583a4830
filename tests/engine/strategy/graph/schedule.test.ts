/** Daily windows in time zones: each is one interval of instants, also where clocks are set. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wallClockOf } from '../../../../engine/platform/clock/time-zone.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { draw, Player, world } from './graph-fixtures.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Window = { from: string; to: string; zone?: string; days?: string[] };

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
  const zone = 'America/New_York';
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

test('a zone that does not exist is refused with an example', () => {
  const { issues } = compile(drawn({ from: '09:30', to: '16:00', zone: 'Mars/Olympus' }));
  expect(issues.map(({ message }) => message).join()).toContain(
    'Write a time zone as in Europe/Zurich or UTC.',
  );
});
