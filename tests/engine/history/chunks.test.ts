import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chunkAt,
  chunksOf,
  gapsOf,
  isChunkComplete,
  mergeIntoChunk,
  sourcesOf,
} from '../../../engine/history/chunks.ts';
import { clipRanges, type Range, subtractRanges, unionOfRanges } from '../../../engine/history/ranges.ts';
import { rowsFrom, rowsWithin } from '../../../engine/history/rows.ts';

const range = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }))
  .map(([fromMs, toMs]): Range => ({ fromMs, toMs }));
const ranges = fc.array(range, { maxLength: 6 });
const instants = (list: readonly Range[]) =>
  Array.from({ length: 31 }, (_, at) => list.some(({ fromMs, toMs }) => at >= fromMs && at < toMs));
const isTidy = (list: readonly Range[]) =>
  list.every(({ fromMs, toMs }, index) => fromMs < toMs && fromMs > (list[index - 1]?.toMs ?? -1));

test('stretches of time are merged, cut and subtracted as sets of instants are', () => {
  fc.assert(
    fc.property(ranges, ranges, range, (some, taken, bounds) => {
      const [inSome, inTaken] = [instants(some), instants(taken)];
      const inBounds = instants([bounds]);
      expect(instants(unionOfRanges(some))).toEqual(inSome);
      expect(instants(subtractRanges(some, taken))).toEqual(inSome.map((is, at) => is && !inTaken[at]));
      expect(instants(clipRanges(some, bounds))).toEqual(inSome.map((is, at) => is && inBounds[at]));
      for (const list of [unionOfRanges(some), subtractRanges(some, taken), clipRanges(some, bounds)]) {
        expect(isTidy(list)).toBe(true);
      }
    }),
  );
});

const MINUTE = 60_000;
const minutes = (...at: number[]) =>
  rowsFrom(
    'midpoint',
    at.map((minute) => ({
      openTimeMs: minute * MINUTE,
      closeTimeMs: (minute + 1) * MINUTE - 1,
      price: minute,
    })),
  );
const from = (start: number, end: number): Range => ({ fromMs: start * MINUTE, toMs: end * MINUTE });

test('a chunk is a month, or a day if rows are closer than a minute', () => {
  const at = Date.UTC(2024, 1, 29, 13);
  expect(chunkAt(MINUTE, at)).toEqual({ fromMs: Date.UTC(2024, 1, 1), toMs: Date.UTC(2024, 2, 1) });
  expect(chunkAt(1_000, at)).toEqual({ fromMs: Date.UTC(2024, 1, 29), toMs: Date.UTC(2024, 2, 1) });
  const year = { fromMs: Date.UTC(2023, 11, 31, 23), toMs: Date.UTC(2025, 0, 1) };
  expect(chunksOf(MINUTE, year)).toHaveLength(13);
  expect(chunksOf(MINUTE, { ...year, toMs: year.fromMs })).toEqual([]);
});

test('a gap has the length of a row without data, at the ends too, and only where the venue was queried', () => {
  const rows = minutes(1, 2, 5);
  expect(gapsOf(rows, [from(0, 8)], MINUTE)).toEqual([from(0, 1), from(3, 5), from(6, 8)]);
  expect(gapsOf(rows, [from(1, 4), from(5, 6)], MINUTE)).toEqual([from(3, 4)]);
  expect(gapsOf(minutes(), [from(0, 2)], MINUTE)).toEqual([from(0, 2)]);
});

test('a response replaces the rows within its stretch, and keeps the others', () => {
  const kept = mergeIntoChunk(null, { held: from(0, 4), rows: minutes(0, 1, 3), source: 'recorded' }, MINUTE);
  expect(kept.gaps).toEqual([from(2, 3)]);
  const next = mergeIntoChunk(kept, { held: from(2, 6), rows: minutes(2, 3, 4), source: 'binance' }, MINUTE);
  expect([...next.rows.columns.price]).toEqual([0, 1, 2, 3, 4]);
  expect(next).toMatchObject({ held: [from(0, 6)], gaps: [from(5, 6)], source: 'binance+recorded' });
  expect(sourcesOf([next.source, 'binance', undefined])).toBe('binance+recorded');
});

test('a month is complete 48 hours after its end, and only if all of it is stored', () => {
  const month = chunkAt(MINUTE, 0);
  const end = month.toMs + 48 * 3_600_000;
  expect(isChunkComplete(month, [month], end)).toBe(true);
  expect(isChunkComplete(month, [month], end - 1)).toBe(false);
  expect(isChunkComplete(month, [{ ...month, fromMs: 1 }], end)).toBe(false);
});

test('rows of a stretch are those that open and end in it', () => {
  const rows = minutes(0, 1, 2);
  const of = (fromMs: number, toMs: number) => [...rowsWithin(rows, { fromMs, toMs }).columns.price];
  expect(of(0, 3 * MINUTE)).toEqual([0, 1, 2]);
  expect(of(1, 3 * MINUTE - 1)).toEqual([1]);
  expect(of(5 * MINUTE, 9 * MINUTE)).toEqual([]);
});
