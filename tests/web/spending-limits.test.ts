import { expect, test } from 'vitest';
import {
  enteredSpendingLimits,
  NO_SPENDING_LIMITS,
  spendingLimitsFault,
  spendingLimitsWords,
} from '../../web/src/format/trading/spending-limits.ts';

const BLUEPRINT = '0198a7c2-0000-7000-8000-000000000001';

test('what is left empty bounds nothing, and nothing of it is sent', () => {
  expect(enteredSpendingLimits(NO_SPENDING_LIMITS)).toEqual({});
  expect(spendingLimitsWords({})).toBe('');
  expect(spendingLimitsWords(null)).toBe('');
});

test('what is typed is what is sent, and reads back', () => {
  const envelope = enteredSpendingLimits({
    maxOrder: ' 20 ',
    maxDay: '100.5',
    blueprintIds: [BLUEPRINT],
    alwaysApprove: true,
    allowsUntried: true,
  });
  expect(envelope).toEqual({
    maxOrder: 20,
    maxDay: 100.5,
    blueprintIds: [BLUEPRINT],
    alwaysApprove: true,
    allowsUntried: true,
  });
  expect(spendingLimitsWords(envelope)).toBe(
    'buys to $20.00, $100.50 a day, 1 strategy, always approved, also what was not on paper',
  );
});

test('real money needs a largest buy, and no amount is 0, below it or a word', () => {
  expect(spendingLimitsFault(NO_SPENDING_LIMITS, false)).toBeNull();
  expect(spendingLimitsFault(NO_SPENDING_LIMITS, true)).toMatch(/largest buy/);
  for (const typed of ['0', '-1', 'a lot', 'NaN']) {
    expect(spendingLimitsFault({ ...NO_SPENDING_LIMITS, maxOrder: typed }, true), typed).not.toBeNull();
    expect(spendingLimitsFault({ ...NO_SPENDING_LIMITS, maxDay: typed }, false), typed).not.toBeNull();
  }
  expect(spendingLimitsFault({ ...NO_SPENDING_LIMITS, maxOrder: '0.5' }, true)).toBeNull();
});
