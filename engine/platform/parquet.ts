import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { MONEY_PLACES } from './decimal.ts';

/** `decimal` is `numeric(38,12)`, `instant` is in UTC, to the millisecond. */
export type ParquetKind = 'text' | 'integer' | 'decimal' | 'double' | 'instant';
export type ParquetColumns = Readonly<Record<string, ParquetKind>>;

/** `text` takes strings, `double` numbers. The others take whole numbers: units of 10^-12 for a decimal, epoch ms for an instant. */
export type ParquetValue = string | number | bigint | null;
/** Values of some rows by column, all of equal length. */
export type ParquetPage = Readonly<Record<string, ParquetValue[]>>;

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT64' },
  decimal: {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: 16,
    converted_type: 'DECIMAL',
    precision: 38,
    scale: MONEY_PLACES,
    logical_type: { type: 'DECIMAL', precision: 38, scale: MONEY_PLACES },
  },
  double: { type: 'DOUBLE' },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
} as const satisfies Record<ParquetKind, Omit<SchemaElement, 'name'>>;

/**
 * Writes a Parquet file, one row group for each page. A page is handed on before the next one is read: memory holds one page, and
 * the index of those before. A truncated file has no footer, and readers refuse it.
 */
export async function* parquetFile(
  columns: ParquetColumns,
  pages: AsyncIterable<ParquetPage>,
): AsyncGenerator<Uint8Array> {
  const names = Object.keys(columns);
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [
      { name: 'root', num_children: names.length },
      ...Object.entries(columns).map(
        ([name, kind]): SchemaElement => ({
          name,
          repetition_type: 'OPTIONAL',
          ...ELEMENTS[kind],
        }),
      ),
    ],
    createdBy: 'trading-strategy-service',
  });
  for await (const page of pages) {
    const columnData = names.map((name) => ({ name, data: page[name] ?? [], offsetIndex: false }));
    await file.write({ columnData, rowGroupSize: Number.MAX_SAFE_INTEGER });
    yield taken(writer);
  }
  await file.finish();
  yield taken(writer);
}

/** Takes the bytes written so far out of the writer's buffer, which it fills again. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
