import { describe, expect, test } from 'vitest';
import { feeScheduleOf, knownSchedule } from '../../../../engine/platform/instruments/fee-schedule.ts';

const STORED = {
  formula: 'probability' as const,
  takerRate: '0.07',
  makerRate: '0.0175',
  exponent: 1,
  roundUpTo: '0.0001',
};

describe('a stored fee', () => {
  test('is read as it is, with or without rounding', () => {
    expect(feeScheduleOf({ ...STORED })).toEqual(STORED);
    const whole = { ...STORED, formula: 'notional', takerRate: '12', roundUpTo: null };
    expect(feeScheduleOf(whole)).toEqual(whole);
    expect(feeScheduleOf(null)).toBeNull();
  });

  test.each([
    {},
    { ...STORED, takerRate: 0.07 },
    { ...STORED, takerRate: '-1' },
    { ...STORED, takerRate: '0.07%' },
    { ...STORED, takerRate: '%0.07' },
    { ...STORED, makerRate: '.5' },
    { ...STORED, formula: 'flat' },
    { ...STORED, exponent: 11 },
    { ...STORED, exponent: -1 },
    { ...STORED, roundUpTo: '0.' },
  ])('is refused if it is unknown: %j', (broken) => {
    expect(() => feeScheduleOf(broken)).toThrow();
  });

  test('has to be known to trade: it is never guessed', () => {
    expect(knownSchedule({ token_id: 'A', fee_schedule: STORED })).toBe(STORED);
    expect(() => knownSchedule({ token_id: 'A', fee_schedule: null })).toThrow('The fee of A is not known.');
  });
});
