import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { ARCHIVE_MARK, type Archive, sha256 } from '../../platform/archive/archive.ts';
import { type EvidenceRow, readEvidence, writeEvidence } from '../../platform/archive/evidence-file.ts';

/** Bounds of a file: what is in memory at a time, and what a reader of one order has to fetch. */
const PART_ORDERS_MAX = 1_000;
const PART_BYTES_MAX = 8 * 1_048_576;
/** Bounds of the transaction that empties rows: the account's trading waits for it. */
const LOCK_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** One file that was sealed, read back and entered in the database. */
export type SealedPart = { readonly fileName: string; readonly orders: number; readonly bytes: number };

/**
 * Months are archived whole, 90 days after their end: PostgreSQL holds three to four months. Where the clock or an order is late,
 * a month gets another file.
 */
const DUE = sql`date_trunc('month', statement_timestamp() - interval '90 days', 'UTC')`;
const IS_DUE = sql<boolean>`archived_part is null and ended_at < ${DUE} and status <> 'denied'`;

/** Returns the accounts with orders to archive. */
export async function findAccountsToArchive(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from account a where exists (
      select from trade_order where account_id = a.id and ${IS_DUE}) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Moves what an account's old orders were decided from into the archive, a file at a time. A file is written and read back; then
 * one transaction enters it and empties the rows if they equal what was read. So a crash leaves both, or the database alone. It
 * holds the account's lock: an account that moves is left alone. The caller may stop after any file. Call as the owner of the
 * tables.
 *
 * @throws Error if the archive does not answer, or returns anything else: the rows stay
 */
export async function* archiveEvidence(
  db: Db,
  archive: Archive,
  accountId: string,
): AsyncGenerator<SealedPart> {
  for (;;) {
    const rows = await readPart(db, accountId);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return;
    const bytes = await writeEvidence(rows);
    const digest = sha256(bytes);
    const month = new Date(Number(first.endedAt)).toISOString().slice(0, 7);
    const sealed = {
      fileName: `orders/${accountId}/${month}-${digest}.parquet`,
      orders: rows.length,
      bytes: bytes.length,
    };
    await archive.store.write(ARCHIVE_MARK, Buffer.from('Files of a trading service.\n'));
    await archive.store.write(sealed.fileName, bytes);
    await enter(db, accountId, { ...sealed, digest }, await readBack(archive, { ...sealed, digest }));
    yield sealed;
  }
}

/** The oldest due orders of one month, as many as a file holds. */
async function readPart(db: Db, accountId: string): Promise<EvidenceRow[]> {
  const { rows } = await sql<Omit<EvidenceRow, 'endedAt'> & { endedAt: string }>`
    select id as "orderId", (extract(epoch from ended_at) * 1000)::bigint::text as "endedAt", receipt, inputs,
      "decidedQuote", "approvalReceipt"
    from (
      select due.*, row_number() over reading as number, sum(octet_length(concat(receipt, inputs, "decidedQuote",
          "approvalReceipt"))) over reading as bytes,
        date_trunc('month', ended_at, 'UTC') = date_trunc('month', first_value(ended_at) over reading, 'UTC') as is_of_month
      from (
        select id, ended_at, receipt::text, inputs::text, decided_quote::text as "decidedQuote",
          approval_receipt::text as "approvalReceipt"
        from trade_order where account_id = ${accountId} and ${IS_DUE}
        order by ended_at, id limit ${PART_ORDERS_MAX}) as due
      window reading as (order by ended_at, id)) as numbered
    where is_of_month and (number = 1 or bytes <= ${PART_BYTES_MAX})
    order by ended_at, id`.execute(db);
  return rows.map((row) => ({ ...row, endedAt: BigInt(row.endedAt) }));
}

type Sealing = SealedPart & { readonly digest: string };

/** Reads a file as the archive has it now. @throws Error if it differs from what was written */
async function readBack(archive: Archive, { fileName, bytes, digest }: Sealing): Promise<EvidenceRow[]> {
  const found = await archive.store.read(fileName, bytes + 1);
  if (found === null || sha256(found) !== digest)
    throw new Error(`The archive returns another ${fileName} than was written.`);
  return readEvidence(found);
}

/** Enters the file and empties the rows. They are compared with the file by the statement that empties them. */
async function enter(
  db: Db,
  accountId: string,
  { fileName, bytes, digest }: Sealing,
  rows: readonly EvidenceRow[],
): Promise<void> {
  const endedAt = rows.map((row) => Number(row.endedAt));
  const column = (name: keyof EvidenceRow) => sql`${rows.map((row) => row[name])}::text[]`;
  await db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true),
      set_config('statement_timeout', ${`${STATEMENT_TIMEOUT_MS}ms`}, true)`.execute(trx);
    const { rows: locked } = await sql`
      select from account where id = ${accountId} and moving_to is null for no key update`.execute(trx);
    if (locked.length === 0) throw new Error('It moves to another cell, or has moved.');
    const { number } = await trx
      .insertInto('archived_part')
      .values((query) => ({
        account_id: accountId,
        number: sql<number>`(select coalesce(max(number), 0) + 1 from archived_part where account_id = ${accountId})`,
        at: query.fn<string>('clock_timestamp'),
        first_at: new Date(Math.min(...endedAt)),
        last_at: new Date(Math.max(...endedAt)),
        order_ids: rows.map(({ orderId }) => orderId),
        bytes,
        digest,
        file_name: fileName,
      }))
      .returning('number')
      .executeTakeFirstOrThrow();
    const { numAffectedRows } = await sql`
      update trade_order o
      set receipt = '{}', inputs = null, decided_quote = null, approval_receipt = null, archived_part = ${number}
      from unnest(${column('orderId')}, ${column('receipt')}, ${column('inputs')}, ${column('decidedQuote')},
        ${column('approvalReceipt')}) as f (id, receipt, inputs, quote, approval)
      where o.account_id = ${accountId} and o.id = f.id::uuid and o.archived_part is null
        and (o.receipt::text, o.inputs::text, o.decided_quote::text, o.approval_receipt::text)
          is not distinct from (f.receipt, f.inputs, f.quote, f.approval)`.execute(trx);
    if (Number(numAffectedRows) !== rows.length)
      throw new Error(
        `${rows.length} orders are in ${fileName}, and ${numAffectedRows} of them equal their rows: none was emptied.`,
      );
  });
}
