import { expect, test } from 'vitest';
import { exposureWords } from '../../web/src/format/trading/exposure.ts';
import { failedByError } from '../../web/src/format/trading/failed-strategies.ts';

test('what is held has its share of the equity, and an account without equity has no share', () => {
  expect(exposureWords(250, 1_000)).toBe('$250.00 · 25% of equity');
  for (const equity of [0, -12]) expect(exposureWords(0, equity)).toBe('$0.00');
});

test('strategies in error are one row for each error, in the order of the list', () => {
  const of = (name: string, status: string, error: string | null) => ({ name, status, error });
  const rows = failedByError([
    of('A', 'error', 'No step.'),
    of('B', 'running', null),
    of('C', 'error', 'No price.'),
    of('D', 'error', 'No step.'),
    of('E', 'draft', 'No step.'),
    of('F', 'error', null),
  ]);
  expect(rows.map(([error, same]) => [error, same.map(({ name }) => name)])).toEqual([
    ['No step.', ['A', 'D']],
    ['No price.', ['C']],
    ['', ['F']],
  ]);
});
