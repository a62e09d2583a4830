import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ParquetPage, parquetFile } from '../../../engine/platform/parquet.ts';
import { piecesOf, readParquet } from '../../support/parquet.ts';

const COLUMNS = {
  name: 'text',
  count: 'integer',
  amount: 'decimal',
  price: 'double',
  at: 'instant',
} as const;

async function* each<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

const fileOf = async (pages: readonly ParquetPage[]): Promise<Uint8Array> =>
  Buffer.concat(await piecesOf(parquetFile(COLUMNS, each(pages))));

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });
const UNITS_MAX = 10n ** 38n - 1n;
const rowOf = fc.record({
  name: orNull(fc.string({ unit: 'grapheme' })),
  count: orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  amount: orNull(fc.bigInt({ min: -UNITS_MAX, max: UNITS_MAX })),
  price: orNull(fc.double({ noNaN: true })),
  at: orNull(fc.integer({ min: -8.64e15, max: 8.64e15 }).map(BigInt)),
});
type Row = typeof rowOf extends fc.Arbitrary<infer Value> ? Value : never;
const pageOf = (rows: readonly Row[]): ParquetPage =>
  Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, rows.map((row) => row[name as keyof Row])]));

const placed = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(13, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`;
};

test('every value is read back as it was written, whatever the pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(rowOf, { minLength: 1, maxLength: 5 }), { maxLength: 4 }),
      async (pages) => {
        const { rows } = await readParquet(await fileOf(pages.map(pageOf)));
        expect(rows).toEqual(
          pages.flat().map(({ amount, at, ...row }) => ({
            ...row,
            amount: amount === null ? null : placed(amount),
            at: at === null ? null : new Date(Number(at)),
          })),
        );
      },
    ),
  );
});

test('decimals are DECIMAL(38, 12), instants are in UTC to the millisecond', async () => {
  const { schema } = await readParquet(await fileOf([]));
  const logical = Object.fromEntries(schema.map(({ name, logical_type }) => [name, logical_type]));
  expect(logical['amount']).toEqual({ type: 'DECIMAL', precision: 38, scale: 12 });
  expect(logical['at']).toEqual({ type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' });
});

test('a page is handed on before the next one is read', async () => {
  let read = 0;
  const page = pageOf([{ name: 'a', count: 1n, amount: 1n, price: 1, at: 1n }]);
  async function* pages() {
    for (; read < 3; read++) yield page;
  }
  for await (const bytes of parquetFile(COLUMNS, pages())) {
    expect(bytes.length).toBeGreaterThan(0);
    if (read < 3) break;
  }
  expect(read).toBe(0);
});

test('a file without its end is refused by readers', async () => {
  const pieces = await piecesOf(
    parquetFile(COLUMNS, each([pageOf([{ name: 'a', count: 1n, amount: 1n, price: 1, at: 1n }])])),
  );
  await expect(readParquet(Buffer.concat(pieces.slice(0, -1)))).rejects.toThrow('parquet file invalid');
});
