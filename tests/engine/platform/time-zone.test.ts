import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfDayMs, instantOf, startOfDay, wallClockOf } from '../../../engine/platform/clock/time-zone.ts';

const HOUR_MS = 3_600_000;
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Zurich',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
];
const iso = (ms: number) => new Date(ms).toISOString();
const NEW_YORK = wallClockOf('America/New_York');

test('law: a clock shows at the instant of a time that time, or the skipped one later by what was skipped', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: Date.UTC(2020, 0, 1) / 60_000, max: Date.UTC(2030, 0, 1) / 60_000 }),
      (zone, minute) => {
        const clock = wallClockOf(zone);
        const localMs = minute * 60_000;
        const instant = instantOf(clock, localMs);
        const seen = clock(instant);
        expect([0, HOUR_MS / 2, HOUR_MS]).toContain(seen - localMs);
        // The first instant that shows it.
        expect(clock(instant - HOUR_MS) === localMs || clock(instant - HOUR_MS / 2) === localMs).toBe(false);
        if (seen !== localMs) expect(clock(instant - (seen - localMs)) < localMs).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['in winter', [2026, 0, 5, 9, 30], '2026-01-05T14:30:00.000Z'],
  ['in summer', [2026, 6, 6, 9, 30], '2026-07-06T13:30:00.000Z'],
  ['skipped', [2026, 2, 8, 2, 30], '2026-03-08T07:30:00.000Z'],
  ['localMs twice: the first', [2026, 10, 1, 1, 30], '2026-11-01T05:30:00.000Z'],
] as const)('half past in New York, %s', (_, [year, month, day, hour, minute], expected) => {
  expect(iso(instantOf(NEW_YORK, Date.UTC(year, month, day, hour, minute)))).toBe(expected);
});

test('a clock shows milliseconds, too', () => {
  expect(iso(NEW_YORK(Date.UTC(2026, 0, 5, 14, 30, 1, 234)))).toBe('2026-01-05T09:30:01.234Z');
});

test('law: a day ends within 26 hours, when the date changes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES, 'America/Santiago'),
      fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }),
      (zone, ms) => {
        const clock = wallClockOf(zone);
        const end = endOfDayMs(ms, zone);
        expect(end - ms > 0 && end - ms <= 26 * HOUR_MS).toBe(true);
        expect(startOfDay(clock(end - 1))).toBe(startOfDay(clock(ms)));
        expect(startOfDay(clock(end)) > startOfDay(clock(ms))).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
