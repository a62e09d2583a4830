import { expect, test } from 'vitest';
import { shortValue } from '../../web/src/format/node-value-words.ts';

test('a value on an edge is a plain decimal, however small', () => {
  expect([0.00053, -0.00026, 0.0000012, 0].map(shortValue)).toEqual([
    '0.00053',
    '−0.00026',
    '0.0000012',
    '0',
  ]);
  expect([76_600, 0.5].map(shortValue)).toEqual(['76.6K', '0.5']);
});
