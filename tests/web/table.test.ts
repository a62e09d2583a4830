import fc from 'fast-check';
import { expect, test } from 'vitest';
import { browserWords } from '../../web/src/format/browser.ts';
import { bestNamed, filterSearchGroups } from '../../web/src/shell/filter-search-groups.ts';
import { dayRangeInstants } from '../../web/src/ui/table/day-range-instants.ts';
import { matchesWords } from '../../web/src/ui/table/matches-words.ts';
import { sorted, toggleSort } from '../../web/src/ui/table/sort.ts';

test('a table sorts numbers as numbers, unknown values last in both directions, and loses no row', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer())), fc.boolean(), (values, isDown) => {
      const found = sorted(values, (value) => value, { isDown });
      const known = values.filter((value) => value !== null).toSorted((a, b) => (isDown ? b - a : a - b));
      expect(found).toEqual([...known, ...values.filter((value) => value === null)]);
    }),
  );
});

test('a column pressed again reverses its order', () => {
  const once = toggleSort({ column: 'name', isDown: true }, 'size');
  expect(once).toEqual({ column: 'size', isDown: true });
  expect(toggleSort(once, 'size')).toEqual({ column: 'size', isDown: false });
});

test('a range of days includes both ends; an invalid day filters nothing', () => {
  expect(dayRangeInstants({ from: '2026-11-20', to: '2026-11-20' })).toEqual({
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-21T00:00:00.000Z',
  });
  for (const day of ['2026-13-01', 'yesterday', '', '2026-11-20T00:00'])
    expect(dayRangeInstants({ from: day, to: undefined })).toEqual({});
});

test('a browser has its own name, not the others that it claims', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
  expect(browserWords(chrome)).toBe('Chrome on Linux');
  expect(browserWords(chrome.replace('Safari', 'Edg/156 Safari'))).toBe('Edge on Linux');
  expect(browserWords('curl/8.0')).toBe('Unknown browser');
  expect(browserWords(null)).toBe('Unknown browser');
});

test('a row is found by any of its words, in any order and case; no words find every row', () => {
  const row = 'Momentum with a wide stop';
  for (const words of ['', ' ', 'STOP mom', 'wide']) expect(matchesWords(row, words)).toBe(true);
  for (const words of ['narrow', 'stop narrow']) expect(matchesWords(row, words)).toBe(false);
});

test('the search lists matching names first, and last the links that search on a page', () => {
  const groups = [
    { group: 'Pages', actions: [{ label: 'Orders' }] },
    { group: 'Markets', actions: [{ label: 'ETH/USDT', keywords: ['ethusdt'] }, { label: 'Bethusdtown' }] },
    { group: 'Search', actions: [{ label: 'Find “ethusdt” in markets' }] },
  ];
  const listed = (query: string) =>
    filterSearchGroups(query, groups, 'Search').flatMap(({ actions }) => actions.map(({ label }) => label));
  expect(listed('ethusdt')).toEqual(['Bethusdtown', 'ETH/USDT', 'Find “ethusdt” in markets']);
  expect(listed('order')).toEqual(['Orders']);
  expect(listed('')).toHaveLength(4);
});

test('of what a search finds, names with all words come first', () => {
  const found = ['Hike >25bps · Fed', 'Cut 25bps · Fed', 'Cut >25bps · Fed', 'Rate cut'];
  expect(bestNamed(found, 'fed cut', (name) => name)).toEqual([found[1], found[2], found[0], found[3]]);
  expect(bestNamed(found, '', (name) => name)).toEqual(found);
});
