import { describe, expect, test } from 'vitest';
import type { InstrumentKind } from '../../../../db/vocabulary.ts';
import { exact } from '../../../../engine/platform/decimal.ts';
import { orderNotional, priceBand, whyTooSmall } from '../../../../engine/trading/orders/terms/pricing.ts';
import type { PriceRange } from '../../../../venues/port.ts';
import { TAPERED_LADDER } from '../../price-ladders.ts';

const band = (
  kind: InstrumentKind,
  side: 'buy' | 'sell',
  quoted: string,
  slippage: string,
  tickSize = '0.01',
  priceRanges: PriceRange[] = [],
) =>
  priceBand({
    kind,
    side,
    quoted: exact(quoted),
    slippage: exact(slippage),
    ladder: { tickSize, priceRanges },
  }).toFixed();

describe('the price band of a live entry', () => {
  const live = (kind: InstrumentKind, quoted: string, slippage: string, tickSize = '0.01') =>
    priceBand({
      kind,
      side: 'buy',
      quoted: exact(quoted),
      slippage: exact(slippage),
      ladder: { tickSize, priceRanges: [] },
      isLiveEntry: true,
    }).toFixed();

  test('ends 2 % beyond the quote, or two ticks if that is more', () => {
    expect(live('outcome', '0.5', '0.1')).toBe('0.52');
    expect(live('outcome', '0.5', '0.1', '0.001')).toBe('0.51');
    expect(live('outcome', '0.05', '0.1', '0.001')).toBe('0.052');
    expect(live('spot', '100', '0.4')).toBe('102');
  });

  test('is no wider than the requested slippage', () => {
    expect(live('outcome', '0.5', '0.005', '0.001')).toBe('0.505');
    expect(live('spot', '100', '0.005')).toBe('100.5');
  });
});

describe('the price band of a market order: "its limit fixed at proposal from a quote moved by the slippage cap"', () => {
  test('"default 0.02 for predictions": USD per contract, on both venues', () => {
    expect(band('outcome', 'buy', '0.5', '0.02')).toBe('0.52');
    expect(band('outcome', 'sell', '0.48', '0.02', '0.001')).toBe('0.46');
  });

  test('"0.5 % for crypto": a fraction of the price', () => {
    expect(band('spot', 'buy', '86398.01', '0.005')).toBe('86830');
    expect(band('spot', 'sell', '86398', '0.005')).toBe('85966.01');
  });

  test('"prices to its tick, never worse than asked": a buy rounds down, a sell rounds up', () => {
    expect(band('outcome', 'buy', '0.505', '0.02')).toBe('0.52');
    expect(band('outcome', 'sell', '0.505', '0.02')).toBe('0.49');
  });

  test('a prediction never leaves the possible prices', () => {
    expect(band('outcome', 'buy', '0.98', '0.05')).toBe('0.99');
    expect(band('outcome', 'sell', '0.01', '0.05')).toBe('0.01');
    expect(band('outcome', 'buy', '0.999', '0.02', '0.001')).toBe('0.999');
  });

  test('a bid finer than the coarsest tick can be sold to, and an offer near 1 bought', () => {
    expect(band('outcome', 'sell', '0.004', '0.02', '0.01', TAPERED_LADDER)).toBe('0.001');
    expect(band('outcome', 'sell', '0.036', '0.02', '0.01', TAPERED_LADDER)).toBe('0.016');
    expect(band('outcome', 'buy', '0.996', '0.02', '0.01', TAPERED_LADDER)).toBe('0.999');
    expect(band('outcome', 'buy', '0.095', '0.02', '0.01', TAPERED_LADDER)).toBe('0.11');
  });

  test('crypto has no upper end, and stays above zero', () => {
    expect(band('spot', 'buy', '2', '0.5')).toBe('3');
    expect(band('spot', 'sell', '0.01', '2')).toBe('0.01');
  });
});

describe('"Order size is notional"', () => {
  test('"for a buy its limit"', () => {
    expect(orderNotional('buy', exact(10), exact('0.5'), exact('0.9')).toFixed()).toBe('5');
  });
  test('"for a sell the higher of its limit and the best bid at decision"', () => {
    expect(orderNotional('sell', exact(10), exact('0.5'), exact('0.9')).toFixed()).toBe('9');
    expect(orderNotional('sell', exact(10), exact('0.5'), exact('0.4')).toFixed()).toBe('5');
    expect(orderNotional('sell', exact(10), exact('0.5'), null).toFixed()).toBe('5');
  });
  test('is stored to the 12 decimals of the ledger', () => {
    expect(orderNotional('buy', exact('0.000000000001'), exact('0.5'), null).toFixed()).toBe('0');
    expect(orderNotional('buy', exact('0.000000000003'), exact('0.5'), null).toFixed()).toBe(
      '0.000000000002',
    );
  });
});

describe('"below the venue\'s minimum nothing is sent and the reason is said"', () => {
  const limits = { stepSize: '0.01', minSize: '5', minNotional: '1' };
  test.each([
    ['0', '0.5', "The amount rounds down to 0: the venue's step is 0.01."],
    ['4.99', '0.5', "The amount 4.99 is below the venue's minimum of 5."],
    ['5', '0.1', "The order's 0.5 USD are below the venue's minimum of 1 USD."],
    ['5', '0.2', null],
    ['10', '0.1', null],
  ])('%s at %s', (amount, price, reason) => {
    expect(whyTooSmall(exact(amount), exact(price), limits)).toBe(reason);
  });
});
