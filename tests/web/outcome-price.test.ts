import { expect, test } from 'vitest';
import { centsOf, displayedPrice } from '../../web/src/format/trading/outcome-price.ts';

test('a price is the middle of a narrow book, to the half tick, else the last trade, and says which', () => {
  const narrow = displayedPrice({ bid: 0.76, ask: 0.77, price: 0.78 });
  expect(narrow).toEqual({ price: 0.765, kind: 'mid' });
  expect(centsOf(narrow, 0.01)).toBe('76.5¢');
  for (const [bid, ask] of [
    [0.4, 0.6],
    [null, 0.77],
    [0.76, null],
  ] as const)
    expect(displayedPrice({ bid, ask, price: 0.78 })).toEqual({ price: 0.78, kind: 'last' });
  expect(centsOf({ price: null, kind: 'last' }, 0.01)).toBe('—');
});
