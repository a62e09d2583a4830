/** Rows as a Parquet file. Pure. */
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { type ParquetValue, parquetFile } from '../parquet.ts';

type RawRow = Readonly<Record<string, unknown>>;

/** The columns of a kind of file, and how a row is read from them. */
export type RowFormat<Row extends Readonly<Record<string, ParquetValue>>> = {
  readonly columns: Readonly<Record<keyof Row & string, 'text' | 'instant'>>;
  /** @throws Error if a value is missing */
  readonly read: (row: RawRow) => Row;
};

/** Equal rows give equal bytes. */
export async function writeRows<Row extends Readonly<Record<string, ParquetValue>>>(
  { columns }: RowFormat<Row>,
  rows: readonly Row[],
): Promise<Uint8Array> {
  const names: (keyof Row & string)[] = Object.keys(columns);
  async function* page() {
    yield Object.fromEntries(names.map((name) => [name, rows.map((row): ParquetValue => row[name] ?? null)]));
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of parquetFile(columns, page())) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** @throws Error if the file is none that `writeRows` wrote in this format */
export async function readRows<Row extends Readonly<Record<string, ParquetValue>>>(
  format: RowFormat<Row>,
  bytes: Uint8Array,
): Promise<Row[]> {
  return (await readRawRows(bytes)).map(format.read);
}

export function readRawRows(bytes: Uint8Array): Promise<RawRow[]> {
  const file = new Uint8Array(bytes).buffer;
  return parquetReadObjects({ file, metadata: parquetMetadata(file) });
}

export function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('A text is missing.');
  return value;
}

export const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : text(value);

/** Returns epoch ms. */
export function instant(value: unknown): bigint {
  if (!(value instanceof Date)) throw new Error('An instant is missing.');
  return BigInt(value.getTime());
}
