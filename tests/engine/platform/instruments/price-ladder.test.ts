import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  isOnLadder,
  ladderOf,
  type PriceLadder,
  probabilityPriceBounds,
  roundToLadder,
  tickOf,
} from '../../../../engine/platform/instruments/price-ladder.ts';
import { TAPERED_LADDER } from '../../price-ladders.ts';

const tapered: PriceLadder = { tickSize: '0.01', priceRanges: TAPERED_LADDER };
const ladders: PriceLadder[] = [
  { tickSize: '0.01', priceRanges: [] },
  { tickSize: '0.0025', priceRanges: [] },
  { tickSize: '0.01', priceRanges: [{ start: '0.01', end: '0.99', step: '0.01' }] },
  { tickSize: '0.01', priceRanges: [{ start: '0', end: '1', step: '0.0001' }] },
  tapered,
];
const millionths = (value: number) => exact(value).div(1_000_000);

describe('a price on the ladder of its market', () => {
  test('is never worse than requested, and no price of the ladder lies between', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ladders),
        fc.integer({ min: 10_000, max: 990_000 }),
        fc.integer({ min: 1, max: 999_999 }),
        (ladder, requested, other) => {
          const price = millionths(requested);
          const [bought, sold] = [roundToLadder('buy', price, ladder), roundToLadder('sell', price, ladder)];
          expect(bought.lte(price) && sold.gte(price)).toBe(true);
          expect(isOnLadder(bought, ladder) && isOnLadder(sold, ladder)).toBe(true);
          const between = roundToLadder('buy', millionths(other), ladder);
          if (isOnLadder(between, ladder)) expect(between.gt(bought) && between.lt(sold)).toBe(false);
        },
      ),
    );
  });

  test('moves in the steps of its range, across their borders too', () => {
    expect(roundToLadder('buy', exact('0.0364'), tapered).toFixed()).toBe('0.036');
    expect(roundToLadder('sell', exact('0.0364'), tapered).toFixed()).toBe('0.037');
    expect(roundToLadder('sell', exact('0.0995'), tapered).toFixed()).toBe('0.1');
    expect(roundToLadder('buy', exact('0.1005'), tapered).toFixed()).toBe('0.1');
    expect(roundToLadder('sell', exact('0.895'), tapered).toFixed()).toBe('0.9');
    expect(roundToLadder('buy', exact('0.9555'), tapered).toFixed()).toBe('0.955');
  });

  test('stays inside 0 and 1', () => {
    const ends = (ladder: PriceLadder) => [
      probabilityPriceBounds(ladder).lowest.toFixed(),
      probabilityPriceBounds(ladder).highest.toFixed(),
    ];
    expect(ladders.map(ends)).toEqual([
      ['0.01', '0.99'],
      ['0.0025', '0.9975'],
      ['0.01', '0.99'],
      ['0.0001', '0.9999'],
      ['0.001', '0.999'],
    ]);
  });

  test('below the lowest there is no bid, above the highest no ask', () => {
    const [, , bounded] = ladders;
    expect(roundToLadder('buy', exact('0.004'), bounded ?? tapered).toFixed()).toBe('0');
    expect(roundToLadder('sell', exact('0.995'), bounded ?? tapered).toFixed()).toBe('1');
  });

  test('a stored ladder is read once, however many prices are computed from it', () => {
    const stored = { tick_size: '0.01', price_ranges: [{ start: '10', end: '20', step: '0.5' }] };
    const { priceRanges } = ladderOf(stored);
    expect(priceRanges).toEqual(stored.price_ranges);
    expect(ladderOf(stored).priceRanges).toBe(priceRanges);
    expect(ladderOf({ ...stored, price_ranges: [] }).priceRanges).toEqual([]);
  });

  test('the tick that people see is that of the range', () => {
    expect(tickOf(tapered, exact('0.05'))).toBe('0.001');
    expect(tickOf(tapered, exact('0.5'))).toBe('0.01');
  });

  test('an invalid stored ladder is refused, not guessed', () => {
    const step = (words: string) => [{ start: '0', end: '1', step: words }];
    const none = [null, 'x', {}, [{ start: '0', end: '1' }], [{ start: 0, end: 1, step: 'x' }]];
    for (const price_ranges of [...none, step('x0.1'), step('0.1x'), step('.1'), step('-1')]) {
      expect(() => ladderOf({ tick_size: '0.01', price_ranges })).toThrow();
    }
  });
});
