import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { ARCHIVE_MARK, type Archive, sha256 } from '../../platform/archive/archive.ts';
import { type RowFormat, readRows, writeRows } from '../../platform/archive/row-file.ts';
import type { ArchiveStore } from '../../platform/archive/store.ts';
import type { ParquetValue } from '../../platform/parquet.ts';

/** Bounds of the transaction that removes rows: the account's trading waits for it. */
const LOCK_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Months are archived whole, 90 days after their end: PostgreSQL holds three to four months. Where the clock or a row is late,
 * a month gets another file.
 */
export const DUE_BEFORE = sql`date_trunc('month', statement_timestamp() - interval '90 days', 'UTC')`;

/** One file that was sealed, read back and entered in the database. */
export type SealedPart = { readonly fileName: string; readonly rows: number; readonly bytes: number };

/** A kind of rows of an account, and how they leave the database. */
export type Archivable<Row extends Readonly<Record<string, ParquetValue>>> = {
  readonly folder: string;
  readonly format: RowFormat<Row>;
  /** Reads the oldest due rows of one month, as many as a file holds. */
  readonly readDue: (db: Db, accountId: string) => Promise<Row[]>;
  /** Epoch ms. */
  readonly instantOf: (row: Row) => bigint;
  /** States what a file has, as columns of `archived_part`. */
  readonly contents: (rows: readonly Row[]) => {
    order_ids: string[];
    equity_mode: Mode | null;
    blueprint_ids: string[] | null;
  };
  /** Removes those rows from the database that equal these. Returns how many did. */
  readonly remove: (trx: Db, accountId: string, number: number, rows: readonly Row[]) => Promise<number>;
};

/**
 * Moves due rows of an account into the archive, a file at a time. A file is written and read back; then one transaction enters it
 * and removes the rows if they equal what was read. So a crash leaves both, or the database alone. It holds the account's lock: an
 * account that moves is left alone. The caller may stop after any file. Call as the owner of the tables.
 *
 * @throws Error if the archive does not answer, or returns anything else: the rows stay
 */
export async function* seal<Row extends Readonly<Record<string, ParquetValue>>>(
  db: Db,
  archive: Archive,
  accountId: string,
  kind: Archivable<Row>,
): AsyncGenerator<SealedPart> {
  for (;;) {
    const rows = await kind.readDue(db, accountId);
    const [first] = rows;
    if (first === undefined) return;
    const month = new Date(Number(kind.instantOf(first))).toISOString().slice(0, 7);
    const nameOf = (digest: string) => `${kind.folder}/${accountId}/${month}-${digest}.parquet`;
    const file = await writeFile(archive.store, nameOf, await writeRows(kind.format, rows));
    await enter(db, accountId, file, kind, await readRows(kind.format, file.written));
    yield { fileName: file.fileName, rows: rows.length, bytes: file.written.length };
  }
}

/** A file as the archive returned it after it was written. */
export type WrittenFile = {
  readonly fileName: string;
  readonly digest: string;
  readonly written: Uint8Array;
};

/** Writes a file, and reads it back. @throws Error if the archive does not answer, or returns anything else */
export async function writeFile(
  store: ArchiveStore,
  nameOf: (digest: string) => string,
  bytes: Uint8Array,
): Promise<WrittenFile> {
  const digest = sha256(bytes);
  const fileName = nameOf(digest);
  await store.write(ARCHIVE_MARK, Buffer.from('Files of a trading service.\n'));
  await store.write(fileName, bytes);
  const written = await store.read(fileName, bytes.length + 1);
  if (written === null || sha256(written) !== digest)
    throw new Error(`The archive returns another ${fileName} than was written.`);
  return { fileName, digest, written };
}

/** Bounds a transaction that removes what a file has, so that others do not wait long. */
export async function boundTransaction(trx: Db): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true),
    set_config('statement_timeout', ${`${STATEMENT_TIMEOUT_MS}ms`}, true)`.execute(trx);
}

/** @throws Error unless all rows of a file were removed: the transaction rolls back then */
export function requireAllRemoved(removed: number, rows: number, fileName: string): void {
  if (removed !== rows)
    throw new Error(
      `${rows} rows are in ${fileName}, and ${removed} of them equal those of the database: all stay there.`,
    );
}

/** Enters the file and removes its rows. They are compared with the file by the statement that removes them. */
async function enter<Row extends Readonly<Record<string, ParquetValue>>>(
  db: Db,
  accountId: string,
  { fileName, written, digest }: WrittenFile,
  kind: Archivable<Row>,
  rows: readonly Row[],
): Promise<void> {
  const instants = rows.map((row) => Number(kind.instantOf(row)));
  await db.transaction().execute(async (trx) => {
    await boundTransaction(trx);
    const { rows: locked } = await sql`
      select from account where id = ${accountId} and moving_to is null for no key update`.execute(trx);
    if (locked.length === 0) throw new Error('It moves to another cell, or has moved.');
    const { number } = await trx
      .insertInto('archived_part')
      .values((query) => ({
        account_id: accountId,
        number: sql<number>`(select coalesce(max(number), 0) + 1 from archived_part where account_id = ${accountId})`,
        at: query.fn<string>('clock_timestamp'),
        first_at: new Date(Math.min(...instants)),
        last_at: new Date(Math.max(...instants)),
        ...kind.contents(rows),
        bytes: written.length,
        digest,
        file_name: fileName,
      }))
      .returning('number')
      .executeTakeFirstOrThrow();
    requireAllRemoved(await kind.remove(trx, accountId, number, rows), rows.length, fileName);
  });
}
