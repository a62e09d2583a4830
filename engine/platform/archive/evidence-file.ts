/** Evidence of orders as rows of a Parquet file. Pure. */
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { type ParquetValue, parquetFile } from '../parquet.ts';

/** Texts of `jsonb` as PostgreSQL writes them: they return to the same values. */
export type EvidenceRow = {
  readonly orderId: string;
  /** Epoch ms. */
  readonly endedAt: bigint;
  readonly receipt: string;
  readonly inputs: string | null;
  readonly decidedQuote: string | null;
  readonly approvalReceipt: string | null;
};

const COLUMNS = {
  orderId: 'text',
  endedAt: 'instant',
  receipt: 'text',
  inputs: 'text',
  decidedQuote: 'text',
  approvalReceipt: 'text',
} as const satisfies Record<keyof EvidenceRow, string>;
const NAMES = Object.keys(COLUMNS) as (keyof EvidenceRow)[];

/** Equal rows give equal bytes. */
export async function writeEvidence(rows: readonly EvidenceRow[]): Promise<Uint8Array> {
  async function* page() {
    yield Object.fromEntries(NAMES.map((name) => [name, rows.map((row): ParquetValue => row[name])]));
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of parquetFile(COLUMNS, page())) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** @throws Error if the file is none that `writeEvidence` wrote */
export async function readEvidence(bytes: Uint8Array): Promise<EvidenceRow[]> {
  const file = new Uint8Array(bytes).buffer;
  const rows = await parquetReadObjects({ file, metadata: parquetMetadata(file), columns: NAMES });
  return rows.map((row) => ({
    orderId: text(row['orderId']),
    endedAt: BigInt(new Date(row['endedAt']).getTime()),
    receipt: text(row['receipt']),
    inputs: textOrNull(row['inputs']),
    decidedQuote: textOrNull(row['decidedQuote']),
    approvalReceipt: textOrNull(row['approvalReceipt']),
  }));
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('A text is missing.');
  return value;
}

const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : text(value);
