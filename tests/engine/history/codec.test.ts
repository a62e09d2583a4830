import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK_ROWS_MAX, decodeRows, encodeRows } from '../../../engine/history/codec.ts';
import { columnsOf, emptyRows, hashOf, rowsFrom, type SeriesRow } from '../../../engine/history/rows.ts';
import { SERIES_COLUMNS, SERIES_KINDS, type SeriesKind } from '../../../engine/history/series.ts';
import { BTC_5M, seriesFromCsv } from '../../support/history.ts';

const stated = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }));

const series = fc.constantFrom(...SERIES_KINDS).chain((kind: SeriesKind) =>
  fc
    .array(
      fc.record({
        pause: fc.integer({ min: 1, max: 1e9 }),
        length: fc.integer({ min: 1, max: 1e6 }),
        values: fc.array(stated, {
          minLength: SERIES_COLUMNS[kind].length,
          maxLength: SERIES_COLUMNS[kind].length,
        }),
      }),
      { maxLength: 40 },
    )
    .map((drawn) => {
      let at = 0;
      const records = drawn.map(({ pause, length, values }): SeriesRow => {
        const openTimeMs = at + pause;
        at = openTimeMs + length;
        const named = SERIES_COLUMNS[kind].map((name, index) => [name, values[index]]);
        return { openTimeMs, closeTimeMs: at - 1, ...Object.fromEntries(named) };
      });
      return rowsFrom(kind, records);
    }),
);

test('written rows are read back, to the last bit, in own or shared memory', () => {
  fc.assert(
    fc.property(series, fc.boolean(), (rows, isShared) => {
      const read = decodeRows(encodeRows(rows), isShared);
      expect(read).toEqual(rows);
      expect(hashOf(read)).toBe(hashOf(rows));
      for (const name of columnsOf(rows.kind)) {
        expect(read.columns[name].buffer instanceof SharedArrayBuffer).toBe(isShared);
      }
    }),
  );
});

test('a bar of a busy market takes at most 24 bytes', () => {
  const rows = seriesFromCsv(BTC_5M, 300_000);
  expect(rows.count).toBe(700);
  expect(encodeRows(rows).length).toBeLessThanOrEqual(24 * rows.count);
});

test('another number, kind or time is another hash; the notation of null is not', () => {
  const row = { openTimeMs: 0, closeTimeMs: 59_999, price: 0.5 };
  const hash = hashOf(rowsFrom('midpoint', [row]));
  expect(hashOf(rowsFrom('midpoint', [{ ...row, price: 0.6 }]))).not.toBe(hash);
  expect(hashOf(rowsFrom('midpoint', [{ ...row, openTimeMs: 1 }]))).not.toBe(hash);
  const nothing = rowsFrom('midpoint', [{ ...row, price: null }]);
  const otherBits = rowsFrom('midpoint', [row]);
  new BigUint64Array(otherBits.columns.price.buffer)[0] = 0xfff8_0000_0000_0001n;
  expect(hashOf(otherBits)).toBe(hashOf(nothing));
  expect(encodeRows(otherBits)).toEqual(encodeRows(nothing));
});

test('impossible rows are neither written nor read', () => {
  const row = { openTimeMs: 60_000, closeTimeMs: 119_999, price: 0.5 };
  const refused = (...records: SeriesRow[]) => expect(() => rowsFrom('midpoint', records));
  refused(row, row).toThrow('does not follow');
  refused(row, { ...row, openTimeMs: 0, closeTimeMs: 59_999 }).toThrow('does not follow');
  refused({ ...row, closeTimeMs: 0 }).toThrow('does not follow');
  refused({ ...row, openTimeMs: 0.5 }).toThrow('does not follow');
  refused({ ...row, price: Infinity }).toThrow('no finite price');
  expect(() => encodeRows(emptyRows('midpoint', CHUNK_ROWS_MAX + 1))).toThrow('do not fit one chunk');
});

test('damaged and hostile bytes are never read as rows, and take no memory', () => {
  const bytes = encodeRows(rowsFrom('midpoint', [{ openTimeMs: 0, closeTimeMs: 9, price: 1 }]));
  const changed = (change: (copy: Buffer) => void) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return () => decodeRows(copy);
  };
  expect(() => decodeRows(Buffer.alloc(0))).toThrow('not rows of version 1');
  expect(changed((copy) => copy.writeUInt8(2, 0))).toThrow('not rows of version 1');
  expect(changed((copy) => copy.writeUInt8(9, 1))).toThrow('no series of such a kind');
  expect(changed((copy) => copy.writeUInt8(0, 1))).toThrow('are not 1 rows');
  expect(changed((copy) => copy.writeUInt32LE(2, 2))).toThrow('are not 2 rows');
  expect(changed((copy) => copy.writeUInt32LE(0, 2))).toThrow();
  expect(changed((copy) => copy.writeUInt32LE(4e9, 2))).toThrow('has no 4000000000 rows');
  expect(() => decodeRows(bytes.subarray(0, -4))).toThrow();
  const bomb = Buffer.concat([bytes.subarray(0, 6), zstdCompressSync(Buffer.alloc(1e8))]);
  expect(() => decodeRows(bomb)).toThrow();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (random) => {
      try {
        decodeRows(Buffer.concat([bytes.subarray(0, 6), random]));
      } catch {
        return;
      }
      throw new Error('Random bytes were rows.');
    }),
  );
});
