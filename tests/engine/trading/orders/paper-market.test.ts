import { describe, expect, test } from 'vitest';
import {
  candlesToRequest,
  unmatchedCandles,
} from '../../../../engine/trading/orders/paper/candles-to-match.ts';
import {
  type Offers,
  offersOfBook,
  offersOfQuote,
} from '../../../../engine/trading/orders/paper/opposite-side.ts';
import type { Candle } from '../../../../venues/port.ts';
import { NOW } from './market.ts';

const asOf = NOW.toISOString();
const plainOffers = ({ levels, asOf }: Offers) => ({
  levels: levels.map(({ price, size }) => [price.toFixed(), size.toFixed()]),
  asOf,
});

describe('the offers that an arriving order meets', () => {
  const quote = { bid: '0.48', bidSize: '7', ask: '0.50', askSize: '9', asOf };

  test('in a quote are the best price of the other side, with its size', () => {
    expect(plainOffers(offersOfQuote(quote, 'buy'))).toEqual({ levels: [['0.5', '9']], asOf: NOW });
    expect(plainOffers(offersOfQuote(quote, 'sell'))).toEqual({ levels: [['0.48', '7']], asOf: NOW });
  });

  test.each(['ask', 'askSize'] as const)('in a quote without %s are none', (missing) => {
    expect(plainOffers(offersOfQuote({ ...quote, [missing]: null }, 'buy'))).toEqual({
      levels: [],
      asOf: NOW,
    });
  });

  test('in a quote are not complete; in a book they are, with a price that is listed in parts once', () => {
    expect(offersOfQuote(quote, 'buy').isWhole).toBe(false);
    const level = (price: string, size: string) => ({ price, size });
    const asks = [level('0.50', '9'), level('0.5', '2'), level('0.51', '1'), level('0.51', '3')];
    const whole = offersOfBook({ asks, bids: [], asOf }, 'buy');
    expect(whole.isWhole).toBe(true);
    expect(plainOffers(whole).levels).toEqual([
      ['0.5', '11'],
      ['0.51', '4'],
    ]);
  });

  test('in a book are all of the other side, best first', () => {
    const book = {
      asks: [
        { price: '0.50', size: '9' },
        { price: '0.51', size: '1' },
      ],
      bids: [{ price: '0.48', size: '7' }],
      asOf,
    };
    expect(plainOffers(offersOfBook(book, 'buy'))).toEqual({
      levels: [
        ['0.5', '9'],
        ['0.51', '1'],
      ],
      asOf: NOW,
    });
    expect(plainOffers(offersOfBook(book, 'sell'))).toEqual({ levels: [['0.48', '7']], asOf: NOW });
  });
});

describe('the minutes a resting order meets', () => {
  test('are those that have closed since, a thousand at most', () => {
    const candlesAt = (ms: number) => candlesToRequest('2026-11-20 12:00:00+00', NOW.getTime() + ms);
    expect([candlesAt(-90_000), candlesAt(59_999), candlesAt(60_000), candlesAt(179_999)]).toEqual([
      0, 0, 1, 2,
    ]);
    expect([candlesAt(999 * 60_000), candlesAt(1_001 * 60_000)]).toEqual([999, 1_000]);
  });

  test('are those that opened at its time or later; one that meets quotes only meets none', () => {
    const candles = [-1, 0, 60_000].map(
      (ms): Candle => ({
        openTimeMs: NOW.getTime() + ms,
        closeTimeMs: NOW.getTime() + ms + 59_999,
        open: 1,
        high: 2,
        low: 1,
        close: 2,
        volume: 3,
      }),
    );
    expect(unmatchedCandles(candles, asOf)).toEqual(candles.slice(1));
    expect(unmatchedCandles(candles, null)).toEqual([]);
  });
});
