import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';

test("a timestamp in PostgreSQL's format is the same instant in ISO 8601", () => {
  const aThousandYears = { min: new Date('1500-01-01'), max: new Date('2500-01-01'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(aThousandYears), (date) => {
      const iso = date.toISOString();
      const asPostgresWrites = iso.replace('T', ' ').replace(/\.?0*Z$/, '+00');
      expect(toIso(asPostgresWrites)).toBe(iso);
      expect(toIso(iso)).toBe(iso);
      expect(toIso(date)).toBe(iso);
    }),
  );
});

test.each([
  ['2026-11-20 10:54:37+00', '2026-11-20T10:54:37.000Z'],
  ['2026-11-20 10:54:37.1+00', '2026-11-20T10:54:37.100Z'],
  ['2026-11-20 12:54:37.123+02', '2026-11-20T10:54:37.123Z'],
  ['2026-11-20 16:24:37.123+05:30', '2026-11-20T10:54:37.123Z'],
])('%s is %s, whatever zone the session is in', (text, iso) => {
  expect(toIso(text)).toBe(iso);
});

test('a missing time stays missing', () => {
  expect(toIsoOrNull(null)).toBeNull();
  expect(toIsoOrNull('2026-11-20 10:54:37+00')).toBe('2026-11-20T10:54:37.000Z');
});
