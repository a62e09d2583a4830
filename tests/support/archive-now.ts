import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { ARCHIVE_MARK, sha256 } from '../../engine/platform/archive/archive.ts';
import { EVIDENCE_FILE, type EvidenceRow } from '../../engine/platform/archive/evidence-file.ts';
import { writeRows } from '../../engine/platform/archive/row-file.ts';
import type { ArchiveStore } from '../../engine/platform/archive/store.ts';

/** Archives the ended orders of an account past the triggers, though they are of today. Returns their ids. */
export async function archiveNow(db: Db, store: ArchiveStore, accountId: string): Promise<string[]> {
  const { rows } = await sql<Omit<EvidenceRow, 'endedAt'>>`
    select id as "orderId", receipt::text, inputs::text, decided_quote::text as "decidedQuote",
      approval_receipt::text as "approvalReceipt"
    from trade_order where account_id = ${accountId} and ended_at is not null and status <> 'denied'`.execute(
    db,
  );
  const bytes = await writeRows(
    EVIDENCE_FILE,
    rows.map((row) => ({ ...row, endedAt: BigInt(Date.now()) })),
  );
  await store.write(ARCHIVE_MARK, new Uint8Array(1));
  await store.write(`orders/${accountId}`, bytes);
  const ids = rows.map(({ orderId }) => orderId);
  await db.transaction().execute(async (trx) => {
    await sql`insert into archived_part (account_id, number, at, first_at, last_at, order_ids, bytes, digest, file_name)
      values (${accountId}, 1, now(), now(), now(), ${ids}::uuid[], ${bytes.length}, ${sha256(bytes)}, ${`orders/${accountId}`})`.execute(
      trx,
    );
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`update trade_order set archived_part = 1, receipt = '{}', inputs = null, decided_quote = null,
      approval_receipt = null where account_id = ${accountId} and id = any(${ids}::uuid[])`.execute(trx);
  });
  return ids;
}
