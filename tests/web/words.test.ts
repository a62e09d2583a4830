import { expect, test } from 'vitest';
import { issueWords, settingWords, titleOf } from '../../web/src/editor/drawing/words.ts';
import { withTimes } from '../../web/src/format/time.ts';

test('settings are named in words, and lists of choices as people write them', () => {
  expect(titleOf('maxAgeSec')).toBe('Ignore quotes older than (s)');
  expect(titleOf('ifTrueAtDeploy')).toBe('If already true at deploy');
  expect(titleOf('takeProfit')).toBe('Take profit');
  expect(settingWords('op', 'gt')).toBe('>');
});

test('a summary says what its number is', () => {
  expect(settingWords('maxSpread', 50)).toBe('spread ≤ 50');
  expect(settingWords('takeProfit', 0.03)).toBe('profit 3%');
  expect(settingWords('notional', 40)).toBe('40 USD');
  expect(settingWords('period', 21)).toBe('period 21');
  expect(settingWords('seconds', 3_600)).toBe('1 h');
  expect(settingWords('seconds', 5_400)).toBe('90 min');
});

test('what is missing is said in the words of the form', () => {
  const issue = { code: 'missing_setting', path: '/nodes/1/data/config/op' };
  const choices = '“op” is missing. Choose gt, gte, lt, lte, between, crossesAbove or crossesBelow.';
  expect(issueWords({ ...issue, message: choices })).toBe('Choose a comparison.');
  expect(issueWords({ ...issue, path: '/config/takeProfit', message: 'x' })).toBe(
    '“Take profit” is missing.',
  );
});

test('an instant in a sentence of the server is written as every other time', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  expect(withTimes('last loss at 2026-11-22T02:04:05.678Z', 'utc', now)).toBe('last loss at 02:04:05 UTC');
  expect(withTimes('no loss yet', 'utc', now)).toBe('no loss yet');
});
