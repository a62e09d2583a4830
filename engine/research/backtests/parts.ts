import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PartKind } from '../playback/input.ts';

/** A part as stored: its kind, the number of rows, and the number of earlier rows of that kind. */
export type StoredPart = {
  readonly kind: PartKind;
  readonly seq: number;
  readonly firstRow: number;
  readonly rows: number;
  readonly body: Uint8Array<ArrayBuffer>;
};

export const PART_BYTES_MAX = 1_048_576;
/** Limit of all parts of one result. */
export const RESULT_BYTES_MAX = 32 * 1_048_576;
/** A part of a larger decoded size is damaged: the rows of a part take a few hundred kB as text. */
const DECODED_BYTES_MAX = 64 * 1_048_576;

/** Rows per part: few of large ones, so that a page reads little that it does not show. */
const ROWS: Readonly<Record<PartKind, number>> = {
  order: 500,
  fill: 2_000,
  trade: 1_000,
  equity: 10_000,
  log: 1_000,
};

type Row = Readonly<Record<string, unknown>>;

/** Encodes rows as compressed columns, since consecutive rows are similar. All have the keys of the first. */
export function encodeRows(rows: readonly object[]): Uint8Array<ArrayBuffer> {
  const keys = Object.keys(rows[0] ?? {});
  const columns = Object.fromEntries(keys.map((key) => [key, rows.map((row) => (row as Row)[key] ?? null)]));
  return new Uint8Array(zstdCompressSync(JSON.stringify(columns)));
}

export function decodeRows<Of extends object>(body: Uint8Array): Of[] {
  const text = zstdDecompressSync(body, { maxOutputLength: DECODED_BYTES_MAX }).toString();
  const columns = Object.entries(JSON.parse(text) as Record<string, unknown[]>);
  const count = columns[0]?.[1].length ?? 0;
  return Array.from(
    { length: count },
    (_, row) => Object.fromEntries(columns.map(([key, values]) => [key, values[row]])) as Of,
  );
}

/** Collects rows of a run, and passes on each part as soon as it is full. */
export class PartWriter {
  readonly #write: (part: StoredPart) => void;
  readonly #waiting = new Map<PartKind, object[]>();
  readonly #next = new Map<PartKind, { seq: number; firstRow: number }>();

  constructor(write: (part: StoredPart) => void) {
    this.#write = write;
  }

  add(kind: PartKind, rows: readonly object[]): void {
    const waiting = this.#waiting.get(kind) ?? [];
    for (const row of rows) waiting.push(row);
    this.#waiting.set(kind, waiting);
    while (waiting.length >= ROWS[kind]) this.#hand(kind, waiting.splice(0, ROWS[kind]));
  }

  /** Passes on the rows that do not fill a part. */
  end(): void {
    for (const [kind, rows] of this.#waiting) if (rows.length > 0) this.#hand(kind, rows.splice(0));
  }

  #hand(kind: PartKind, rows: readonly object[]): void {
    const body = encodeRows(rows);
    if (body.length > PART_BYTES_MAX && rows.length > 1) {
      const half = rows.length >> 1;
      this.#hand(kind, rows.slice(0, half));
      this.#hand(kind, rows.slice(half));
      return;
    }
    const { seq, firstRow } = this.#next.get(kind) ?? { seq: 0, firstRow: 0 };
    this.#next.set(kind, { seq: seq + 1, firstRow: firstRow + rows.length });
    this.#write({ kind, seq, firstRow, rows: rows.length, body });
  }
}
