import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MARKET_STATUSES, type MarketStatus } from '../../db/vocabulary.ts';

/** A quote as known at one instant. Prices and sizes have up to 15 digits, which is more than any venue sends. */
export type RecordedQuote = {
  readonly atMs: number;
  readonly bid: number | null;
  readonly bidSize: number | null;
  readonly ask: number | null;
  readonly askSize: number | null;
  readonly last: number | null;
  readonly volume24h: number | null;
  readonly openInterest: number | null;
  readonly change24h: number | null;
  readonly settlementValue: number | null;
  readonly marketStatus: MarketStatus;
  /** False: bid and ask are null because they could not be read. */
  readonly isTopOfBookKnown: boolean;
};

/** The numeric columns of a quote in storage order. A new one is appended, with a new version. */
const NUMBERS = [
  'bid',
  'bidSize',
  'ask',
  'askSize',
  'last',
  'volume24h',
  'openInterest',
  'change24h',
  'settlementValue',
] as const satisfies (keyof RecordedQuote)[];

const VERSION = 1;
const HEAD_BYTES = 5;
const NUMBER_BYTES = 8;
const ROW_BYTES = (NUMBERS.length + 1) * NUMBER_BYTES + 1;
/** Bit offset of the status in a row's byte; the lowest bit says whether the top of the book is known. */
const STATUS_SHIFT = 1;
/** Limit of rows of an hour's chunk, at four quotes a second. */
export const CHUNK_ROWS_MAX = 20_000;

/**
 * Encodes quotes as bytes: version, count, then one column after the other, little-endian and compressed. Time is stored as the
 * difference to the row before. A constant column takes almost no space: about 11 bytes a quote at real venues. Pure.
 *
 * @throws RangeError for more than {@link CHUNK_ROWS_MAX}.
 */
export function encodeQuotes(quotes: readonly RecordedQuote[]): Buffer {
  if (quotes.length > CHUNK_ROWS_MAX) throw new RangeError(`${quotes.length} quotes do not fit one chunk.`);
  const columns = Buffer.alloc(quotes.length * ROW_BYTES);
  let offset = 0;
  let beforeMs = 0;
  for (const { atMs } of quotes) {
    offset = columns.writeDoubleLE(atMs - beforeMs, offset);
    beforeMs = atMs;
  }
  for (const field of NUMBERS) {
    for (const quote of quotes) offset = columns.writeDoubleLE(quote[field] ?? Number.NaN, offset);
  }
  for (const { marketStatus, isTopOfBookKnown } of quotes) {
    const status = MARKET_STATUSES.indexOf(marketStatus) << STATUS_SHIFT;
    offset = columns.writeUInt8(status | Number(isTopOfBookKnown), offset);
  }
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeUInt32LE(quotes.length, 1);
  return Buffer.concat([head, zstdCompressSync(columns)]);
}

/**
 * Decodes what {@link encodeQuotes} wrote. Pure.
 *
 * @throws RangeError for other bytes: too short, of another version, or not of the stated length.
 */
export function decodeQuotes(bytes: Buffer): RecordedQuote[] {
  if (bytes.length < HEAD_BYTES || bytes.readUInt8(0) !== VERSION) {
    throw new RangeError('These bytes are not recorded quotes of version 1.');
  }
  const count = bytes.readUInt32LE(1);
  if (count > CHUNK_ROWS_MAX) throw new RangeError(`A chunk has no ${count} quotes.`);
  const columns = zstdDecompressSync(bytes.subarray(HEAD_BYTES), {
    maxOutputLength: CHUNK_ROWS_MAX * ROW_BYTES,
  });
  if (columns.length !== count * ROW_BYTES) {
    throw new RangeError(`${columns.length} bytes are not ${count} quotes.`);
  }
  const numberAt = (column: number, row: number) =>
    columns.readDoubleLE((column * count + row) * NUMBER_BYTES);
  const flags = (NUMBERS.length + 1) * NUMBER_BYTES * count;
  let atMs = 0;
  return Array.from({ length: count }, (_, row) => {
    atMs += numberAt(0, row);
    const read = (field: (typeof NUMBERS)[number]) => {
      const value = numberAt(NUMBERS.indexOf(field) + 1, row);
      return Number.isNaN(value) ? null : value;
    };
    const flag = columns.readUInt8(flags + row);
    const marketStatus = MARKET_STATUSES[flag >> STATUS_SHIFT];
    if (marketStatus === undefined) throw new RangeError('A market has no such status.');
    return {
      atMs,
      bid: read('bid'),
      bidSize: read('bidSize'),
      ask: read('ask'),
      askSize: read('askSize'),
      last: read('last'),
      volume24h: read('volume24h'),
      openInterest: read('openInterest'),
      change24h: read('change24h'),
      settlementValue: read('settlementValue'),
      marketStatus,
      isTopOfBookKnown: (flag & 1) === 1,
    };
  });
}
