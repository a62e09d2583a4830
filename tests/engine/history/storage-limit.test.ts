import { expect, test } from 'vitest';
import { fullHistoryReason } from '../../../engine/history/storage-limit.ts';

const MB = 1_048_576;
const full = (own: number, total: number) =>
  fullHistoryReason({ own: own * MB, total: total * MB }, 100 * MB);

test('an account may take three quarters of an empty service, and leaves the last quarter to others', () => {
  expect(full(74, 74)).toBeNull();
  expect(full(75, 75)).toBe(
    'History that this account imported takes 75 MB. Beyond 25 MB the last 25 MB of HISTORY_MAX_MB are kept for other accounts. Ask the operator to raise it.',
  );
});

test('below its quarter an account imports until everything is full', () => {
  expect(full(0, 99)).toBeNull();
  expect(full(24, 99)).toBeNull();
  expect(full(25, 99)).toContain('kept for other accounts');
  expect(full(0, 100)).toBe(
    'Stored history has reached its limit of 100 MB (HISTORY_MAX_MB): nothing more is imported.',
  );
});
