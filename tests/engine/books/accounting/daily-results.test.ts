import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dailyResultsOf } from '../../../../engine/books/accounting/daily-results.ts';
import { exitReasonOf } from '../../../../engine/usecases/blueprints/record/trading-record.ts';

test('days are the differences of the totals at their ends, and with the start they sum to the whole', () => {
  const standings = [
    { day: '2026-11-20', made: '1.5' },
    { day: '2026-11-22', made: '-0.25' },
    { day: '2026-11-23', made: '-0.25' },
  ];
  expect(dailyResultsOf(standings, false)).toEqual({
    before: '0',
    days: [
      { day: '2026-11-20', pnl: '1.5' },
      { day: '2026-11-22', pnl: '-1.75' },
      { day: '2026-11-23', pnl: '0' },
    ],
  });
  expect(dailyResultsOf(standings, true)).toMatchObject({
    before: '1.5',
    days: [{ pnl: '-1.75' }, { pnl: '0' }],
  });
  const made = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2));
  fc.assert(
    fc.property(fc.array(made, { minLength: 1, maxLength: 30 }), fc.boolean(), (all, isCut) => {
      const { before, days } = dailyResultsOf(
        all.map((each, index) => ({ day: String(index), made: each })),
        isCut,
      );
      const sum = days.reduce((total, { pnl }) => total.plus(pnl), new Decimal(before));
      expect(sum.eq(all.at(-1) ?? 0)).toBe(true);
    }),
  );
});

test('a holding ended by its settlement, else by the last sale up to its end', () => {
  const sale = (at: string, origin: 'exit' | 'manual') => ({ at, origin, node_id: null, order_id: at });
  const sales = [sale('2026-11-20T10:00:00.000Z', 'exit'), sale('2026-11-20T11:00:00.000Z', 'manual')];
  const closedAtMs = Date.parse('2026-11-20T10:30:00.000Z');
  expect(exitReasonOf({ settledAt: null, closedAtMs }, sales)).toMatchObject({
    kind: 'sold',
    origin: 'exit',
  });
  expect(exitReasonOf({ settledAt: '1', closedAtMs }, sales)).toEqual({ kind: 'settled', value: '1' });
  expect(exitReasonOf({ settledAt: null, closedAtMs }, [])).toBeNull();
});
