import { expect, test } from 'vitest';
import { share } from '../../web/src/format/number.ts';
import { allocationOf, marketValueOf } from '../../web/src/format/trading/exposure.ts';

const held = (tokenId: string, amount: number, markPrice: number | null) => ({
  tokenId,
  title: tokenId,
  amount,
  markPrice,
});
const written = (...args: Parameters<typeof allocationOf>) =>
  allocationOf(...args).map((part) => `${part.name} ${share(part.share)}`);

test('the parts of the bar are those of the equity, as the weights of the table', () => {
  // Equity counts a position without a mark as 0, and won settlements that are not paid out yet.
  const positions = [held('A', 2, 1_000), held('B', 1, 500), held('A', 1, 1_000), held('C', 9, null)];
  expect(written(positions, { cash: 6_000, equity: 10_000 })).toEqual([
    'A 30%',
    'B 5%',
    'Others 5%',
    'Cash 60%',
  ]);
  expect(positions.map((row) => marketValueOf(row))).toEqual([2_000, 500, 1_000, null]);
});

test('instruments beyond the fifth are one part, and what rounding leaves is none', () => {
  const seven = Array.from({ length: 7 }, (_, index) => held(`T${index}`, 1, 0.1));
  expect(written(seven, { cash: 0.3, equity: 1 })).toEqual([
    ...['T0', 'T1', 'T2', 'T3', 'T4'].map((name) => `${name} 10%`),
    'Others 20%',
    'Cash 30%',
  ]);
  expect(written(seven.slice(0, 3), { cash: 0.7, equity: 1 }).at(-1)).toBe('Cash 70%');
  expect(written(seven.slice(0, 3), { cash: 0.7, equity: 1 })).toHaveLength(4);
});
