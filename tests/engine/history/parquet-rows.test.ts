import { expect, test } from 'vitest';
import { coveredRanges, rowOf } from '../../../engine/history/parquet-rows.ts';
import { rowsFrom } from '../../../engine/history/rows.ts';
import type { SeriesKey } from '../../../engine/history/series.ts';

const MINUTE = 60_000;
const OPEN = Date.UTC(2025, 0, 5);
const CANDLES: SeriesKey = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: MINUTE };
const QUOTES: SeriesKey = { ...CANDLES, venue: 'venue-a', tokenId: 'KXTEST:yes', kind: 'bid_ask' };
const MIDDLES: SeriesKey = { ...CANDLES, venue: 'venue-b', tokenId: '12', kind: 'midpoint' };

const TIMES = { openTime: new Date(OPEN), closeTime: new Date(OPEN + MINUTE - 1) };
const CANDLE = { ...TIMES, open: 2, high: 4, low: 1, close: 3, volume: 0.1 + 0.2 };
const QUOTE = { ...TIMES, bidOpen: 0.4, bidHigh: 0.5, bidLow: 0.3, bidClose: 0.4, askClose: 0.6 };

test('a row has its times in milliseconds, its prices as they are, and amounts of 15 digits', () => {
  const times = { openTimeMs: OPEN, closeTimeMs: OPEN + MINUTE - 1 };
  const { openTime, closeTime, ...prices } = CANDLE;
  expect(rowOf(CANDLES, CANDLE, 0)).toEqual({ ...times, ...prices, volume: 0.3 });
  const none = { askOpen: null, askHigh: null, askLow: null, volume: null, openInterest: null };
  const { openTime: from, closeTime: to, ...quotes } = QUOTE;
  expect(rowOf(QUOTES, QUOTE, 0)).toEqual({ ...times, ...quotes, ...none });
  expect(rowOf(MIDDLES, { ...TIMES, price: 0.5 }, 0)).toEqual({ ...times, price: 0.5 });
});

test.each([
  ['a time that is text', CANDLES, CANDLE, { openTime: '2025-01-05' }, 'openTime is no timestamp'],
  ['no end', CANDLES, CANDLE, { closeTime: null }, 'closeTime is no timestamp'],
  [
    'a time off the grid',
    CANDLES,
    CANDLE,
    { openTime: new Date(OPEN + 1), closeTime: new Date(OPEN + MINUTE) },
    'from 2025-01-05T00:00:00.001Z to 2025-01-05T00:01:00.000Z is no interval of the series',
  ],
  [
    'a row of five minutes',
    CANDLES,
    CANDLE,
    { closeTime: new Date(OPEN + 5 * MINUTE - 1) },
    'is no interval of the series',
  ],
  [
    'a row that ends before it begins',
    QUOTES,
    QUOTE,
    { closeTime: new Date(OPEN - 1) },
    'is no interval of the series',
  ],
  ['no price', CANDLES, CANDLE, { close: null }, 'close is missing'],
  ['no volume', CANDLES, CANDLE, { volume: undefined }, 'volume is missing'],
  ['a price that is text', CANDLES, CANDLE, { close: '3' }, 'close is 3, no number from 0'],
  ['a whole number of 64 bits', CANDLES, CANDLE, { close: 3n }, 'close is 3, no number from 0'],
  ['a negative price', CANDLES, CANDLE, { low: -1 }, 'low is -1, no number from 0'],
  ['no number', CANDLES, CANDLE, { close: Number.NaN }, 'close is NaN, no number from 0'],
  [
    'a price without end',
    CANDLES,
    CANDLE,
    { high: Number.POSITIVE_INFINITY },
    'high is Infinity, no number from 0',
  ],
  [
    'a price of 17 digits',
    CANDLES,
    CANDLE,
    { close: 3.0000000000000004 },
    'close is 3.0000000000000004, more than 15 digits',
  ],
  ['a close above the high', CANDLES, CANDLE, { close: 5 }, 'open or close is not between low and high'],
  ['an open below the low', CANDLES, CANDLE, { open: 0.5 }, 'open or close is not between low and high'],
  ['a high below the low', CANDLES, CANDLE, { high: 0.5 }, 'open or close is not between low and high'],
  [
    'a bid above its high',
    QUOTES,
    QUOTE,
    { bidClose: 0.6 },
    'bidOpen or bidClose is not between bidLow and bidHigh',
  ],
  [
    'an outcome worth more than it can pay',
    QUOTES,
    QUOTE,
    { askClose: 1.01 },
    'askClose is 1.01, no price of a contract',
  ],
  ['a middle above 1', MIDDLES, { ...TIMES, price: 0.5 }, { price: 2 }, 'price is 2, no price of a contract'],
])('%s is refused by row and column', (_, key, record, change, message) => {
  expect(() => rowOf(key, { ...record, ...change }, 7)).toThrow(message);
  expect(() => rowOf(key, { ...record, ...change }, 7)).toThrow(/^Row 7: /);
});

test('a day of quotes is one of New York, with 23 to 25 hours; other quotes have the length and the grid of their series', () => {
  const days = { ...QUOTES, resolutionMs: 24 * 3_600_000 };
  const hours = (key: SeriesKey, from: number, length: number) => () =>
    rowOf(
      key,
      { ...QUOTE, openTime: new Date(OPEN + from), closeTime: new Date(OPEN + from + length - 1) },
      0,
    );
  const [hour, minute] = [3_600_000, MINUTE];
  expect(hours(days, 5 * hour, 24 * hour)).not.toThrow();
  expect(hours(days, 5 * hour, 25 * hour)).not.toThrow();
  expect(hours(days, 5 * hour + minute, 24 * hour)).toThrow('is no interval of the series');
  expect(hours(days, 5 * hour, 22 * hour)).toThrow('is no interval of the series');
  expect(hours(QUOTES, 0, hour)).toThrow('is no interval of the series');
  expect(hours(QUOTES, 12_345, minute)).toThrow('is no interval of the series');
  expect(hours(QUOTES, -OPEN - minute, minute)).toThrow('is no interval of the series');
});

test('quotes whose bid is above the ask are refused', () => {
  expect(() => rowOf(QUOTES, { ...QUOTE, bidClose: 0.5, askClose: 0.45 }, 7)).toThrow(
    'Row 7: bidClose is above askClose.',
  );
});

test('rows cover what lies between them only where one begins as the one before it ends', () => {
  const at = (minute: number) => ({
    openTimeMs: OPEN + minute * MINUTE,
    closeTimeMs: OPEN + (minute + 1) * MINUTE - 1,
    price: 0.5,
  });
  expect(coveredRanges(rowsFrom('midpoint', [at(0), at(1), at(3)]))).toEqual([
    { fromMs: OPEN, toMs: OPEN + 2 * MINUTE },
    { fromMs: OPEN + 3 * MINUTE, toMs: OPEN + 4 * MINUTE },
  ]);
});
