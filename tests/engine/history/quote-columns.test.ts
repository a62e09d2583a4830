import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MARKET_STATUSES } from '../../../db/vocabulary.ts';
import {
  CHUNK_ROWS_MAX,
  decodeQuotes,
  encodeQuotes,
  type RecordedQuote,
} from '../../../engine/history/quote-columns.ts';

const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0));
const quotes = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 8.64e15 }),
    bid: number,
    bidSize: number,
    ask: number,
    askSize: number,
    last: number,
    volume24h: number,
    openInterest: number,
    change24h: number,
    settlementValue: number,
    marketStatus: fc.constantFrom(...MARKET_STATUSES),
    isTopOfBookKnown: fc.boolean(),
  }),
  { maxLength: 50 },
);
const one: RecordedQuote = {
  atMs: 1_700_000_000_000,
  bid: 0.41,
  bidSize: 120,
  ask: 0.42,
  askSize: 7,
  last: 0.42,
  volume24h: 1e6,
  openInterest: null,
  change24h: -0.01,
  settlementValue: null,
  marketStatus: 'open',
  isTopOfBookKnown: true,
};

test('written quotes are read back, to the last bit', () => {
  fc.assert(
    fc.property(quotes, (list) => {
      expect(decodeQuotes(encodeQuotes(list))).toEqual(list);
    }),
  );
});

test('a quiet hour takes less than three bytes a quote', () => {
  const hour = Array.from({ length: 1_800 }, (_, index) => ({ ...one, atMs: one.atMs + index * 2_000 }));
  expect(encodeQuotes(hour).length).toBeLessThan(3 * hour.length);
});

test('more quotes than a chunk has are refused', () => {
  const many = Array.from({ length: CHUNK_ROWS_MAX + 1 }, () => one);
  expect(() => encodeQuotes(many)).toThrow('do not fit one chunk');
});

test('damaged bytes are never read as other quotes', () => {
  const bytes = encodeQuotes([one, { ...one, atMs: one.atMs + 1 }]);
  const changed = (change: (copy: Buffer) => void) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };
  expect(() => decodeQuotes(Buffer.alloc(0))).toThrow('not recorded quotes');
  expect(() => decodeQuotes(changed((copy) => copy.writeUInt8(2, 0)))).toThrow('version 1');
  expect(() => decodeQuotes(changed((copy) => copy.writeUInt32LE(3, 1)))).toThrow('are not 3 quotes');
  expect(() => decodeQuotes(changed((copy) => copy.writeUInt32LE(4e9, 1)))).toThrow(
    'has no 4000000000 quotes',
  );
  expect(() => decodeQuotes(bytes.subarray(0, bytes.length - 4))).toThrow();
});
