import { expect, test } from 'vitest';
import { resultsAtMarks } from '../../web/src/live/marks.ts';

const row = (blueprintId: string, realizedPnl: number, unrealizedPnl: number) => ({
  blueprintId,
  realizedPnl,
  unrealizedPnl,
  totalPnl: realizedPnl + unrealizedPnl,
});
const mark = (blueprintId: string, tokenId: string, unrealizedPnl: number | null) => ({
  blueprintId,
  tokenId,
  markPrice: 1,
  unrealizedPnl,
});

test('profit by strategy sums to the account’s total at each new mark', () => {
  const rows = [row('a', -2, 5), row('b', 1, 0), row('sold', 4, 0)];
  const marks = [mark('a', 'BTC', 0.25), mark('a', 'ETH', -1), mark('b', 'BTC', 0.5)];
  const made = resultsAtMarks(rows, marks) ?? [];
  const [realized, unrealized] = [-2 + 1 + 4, 0.25 - 1 + 0.5];
  expect(made.reduce((sum, { totalPnl }) => sum + totalPnl, 0)).toBe(realized + unrealized);
  expect(made.map(({ totalPnl }) => totalPnl)).toEqual([-2.75, 1.5, 4]);
});

test('without a mark, or with an unlisted strategy, profit is read again instead of guessed', () => {
  expect(resultsAtMarks([row('a', 1, 0)], [mark('a', 'BTC', null)])).toBeNull();
  expect(resultsAtMarks([row('a', 1, 0)], [mark('new', 'BTC', 1)])).toBeNull();
});
