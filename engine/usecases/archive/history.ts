import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import {
  type BodyFolder,
  FILE_BODIES_MAX,
  FILE_BYTES_MAX,
  fileNameOf,
} from '../../history/archived-bodies.ts';
import { sha256 } from '../../platform/archive/archive.ts';
import type { ArchiveStore } from '../../platform/archive/store.ts';
import {
  boundTransaction,
  DUE_BEFORE,
  requireAllRemoved,
  type SealedPart,
  type WrittenFile,
  writeFile,
} from './seal.ts';

/** The tables whose bodies are archived, by folder; a file has bodies of one value of the column alone. */
const TABLES = {
  history: { table: sql.table('history_chunk'), column: sql.ref('series_id') },
  quotes: { table: sql.table('quote_chunk'), column: sql.ref('token_id') },
} as const satisfies Record<BodyFolder, object>;
const FOLDERS: readonly BodyFolder[] = ['history', 'quotes'];

/** A sealed chunk never changes again. It lies within one month: one that begins before a month has ended before it. */
const IS_DUE = sql<boolean>`is_sealed and archived_digest is null and from_at < ${DUE_BEFORE}`;

/** A series by its id, or an instrument with quotes, that has bodies to archive. */
export type DueBodies = { readonly folder: BodyFolder; readonly of: string };

export async function findBodiesToArchive(db: Db): Promise<DueBodies[]> {
  const due: DueBodies[] = [];
  for (const folder of FOLDERS) {
    const { table, column } = TABLES[folder];
    const { rows } = await sql<{ of: string }>`
      select distinct ${column}::text as of from ${table} where ${IS_DUE} order by 1`.execute(db);
    due.push(...rows.map(({ of }) => ({ folder, of })));
  }
  return due;
}

/**
 * Moves due bodies into the archive, a file at a time, in the order of time. A file is written and read back; then one transaction
 * empties the bodies that equal what was read. So a crash leaves both, or the database alone. The caller may stop after any file.
 * Call as the owner of the tables.
 *
 * @throws Error if the archive does not answer, or returns anything else: the bodies stay
 */
export async function* archiveBodies(
  db: Db,
  store: ArchiveStore,
  { folder, of }: DueBodies,
): AsyncGenerator<SealedPart & { readonly what: BodyFolder }> {
  for (;;) {
    const chunks = await readDue(db, { folder, of });
    if (chunks.length === 0) return;
    const bytes = Buffer.concat(chunks.map(({ body }) => body));
    const file = await writeFile(store, (digest) => fileNameOf(folder, digest), bytes);
    await empty(db, { folder, of }, file, chunks);
    yield { what: folder, fileName: file.fileName, rows: chunks.length, bytes: bytes.length };
  }
}

type DueChunk = { readonly from_at: string; readonly size_bytes: number; readonly body: Buffer };

/** Reads the oldest due chunks, as many as a file holds. */
async function readDue(db: Db, { folder, of }: DueBodies): Promise<DueChunk[]> {
  const { table, column } = TABLES[folder];
  const { rows } = await sql<DueChunk>`
    select from_at, size_bytes, body from (
      select due.*, row_number() over reading as number, sum(size_bytes) over reading as bytes
      from (select from_at, size_bytes, body from ${table} where ${column} = ${of} and ${IS_DUE}
        order by from_at limit ${FILE_BODIES_MAX}) as due
      window reading as (order by from_at)) as numbered
    where number = 1 or bytes <= ${FILE_BYTES_MAX} order by from_at`.execute(db);
  return rows;
}

/** States where the bodies are, and empties them. They are compared with the file by the statement that empties them. */
async function empty(
  db: Db,
  { folder, of }: DueBodies,
  { fileName, digest, written }: WrittenFile,
  chunks: readonly DueChunk[],
): Promise<void> {
  const { table, column } = TABLES[folder];
  let offset = 0;
  const placed = chunks.map(({ from_at, size_bytes }) => {
    const body = written.subarray(offset, offset + size_bytes);
    offset += size_bytes;
    return { from_at, offset: offset - size_bytes, digest: sha256(body) };
  });
  await db.transaction().execute(async (trx) => {
    await boundTransaction(trx);
    const { numAffectedRows } = await sql`
      update ${table} c
      set body = null, archived_digest = ${digest}, archived_offset = f."offset", body_digest = f.digest
      from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb)
        as f (from_at timestamptz, "offset" int, digest text)
      where c.${column} = ${of} and c.from_at = f.from_at and encode(sha256(c.body), 'hex') = f.digest`.execute(
      trx,
    );
    requireAllRemoved(Number(numAffectedRows), chunks.length, fileName);
  });
}
