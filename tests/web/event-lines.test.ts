import { expect, test } from 'vitest';
import { leadingRefs, withGaps } from '../../web/src/format/trading/event-lines.ts';

const at = (minute: number) => ({ at: new Date(minute * 60_000).toISOString(), value: 0.5 });

test('a line is broken where the next point is farther away than three usual steps, and only there', () => {
  const line = withGaps([0, 1, 2, 5, 6, 20, 21].map(at));
  expect(line.map(({ isBeforeGap }) => isBeforeGap ?? false)).toEqual([
    false,
    false,
    false,
    false,
    true,
    false,
    false,
  ]);
  for (const few of [[], [0], [0, 500]]) expect(withGaps(few.map(at))).toEqual(few.map(at));
});

test('the highest prices lead, the open market is among them, and a market without a price comes last', () => {
  const markets = [
    { ref: 'a', price: 0.1 },
    { ref: 'b', price: null },
    { ref: 'c', price: 0.6 },
    { ref: 'd', price: 0.3 },
  ];
  expect(leadingRefs(markets, 'c', 2)).toEqual(['c', 'd']);
  expect(leadingRefs(markets, 'b', 2)).toEqual(['c', 'b']);
  expect(leadingRefs(markets, 'b', 9)).toEqual(['c', 'd', 'a', 'b']);
  expect(leadingRefs(markets, 'gone', 2)).toEqual(['c', 'd']);
});
