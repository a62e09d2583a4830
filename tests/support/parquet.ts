import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';

type Row = Record<string, unknown>;

/** Reads a Parquet file with its decimals exact, as texts: the library alone makes doubles of them. */
export async function readParquet(bytes: Uint8Array): Promise<{ schema: SchemaElement[]; rows: Row[] }> {
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  const { schema } = structuredClone(metadata);
  const decimals = new Map(
    schema.flatMap(({ name, converted_type, scale }) =>
      converted_type === 'DECIMAL' ? [[name, scale ?? 0] as const] : [],
    ),
  );
  for (const element of metadata.schema) {
    if (!decimals.has(element.name)) continue;
    delete element.converted_type;
    delete element.logical_type;
  }
  const rows: Row[] = await parquetReadObjects({ file, metadata });
  for (const row of rows) {
    for (const [name, scale] of decimals) {
      if (row[name] instanceof Uint8Array) row[name] = decimalText(row[name], scale);
    }
  }
  return { schema, rows };
}

export async function piecesOf(file: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file) pieces.push(piece);
  return pieces;
}

/** Formats two's complement bytes, most significant first, as a decimal with `scale` places. */
function decimalText(bytes: Uint8Array, scale: number): string {
  const unscaled = BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
