import { expect, test } from 'vitest';
import { dotted } from '../../web/src/ui/dotted.ts';

test('facts are joined by dots, and one that is missing leaves none', () => {
  expect(dotted(['$42.00', 'Momentum', '4 s ago']).join('')).toBe('$42.00 · Momentum · 4 s ago');
  expect(dotted([null, 'Momentum', '4 s ago']).join('')).toBe('Momentum · 4 s ago');
  expect(dotted(['Momentum', '', '4 s ago']).join('')).toBe('Momentum · 4 s ago');
  expect(dotted([null])).toEqual([]);
});
