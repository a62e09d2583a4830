import { sql } from 'kysely';
import { EVIDENCE_FILE, type EvidenceRow } from '../../platform/archive/evidence-file.ts';
import { type Archivable, DUE_BEFORE } from './seal.ts';

/** Bounds of a file: what is in memory at a time, and what a reader of one order has to fetch. */
const PART_ORDERS_MAX = 1_000;
const PART_BYTES_MAX = 8 * 1_048_576;

/** Whether an order's evidence is to be archived. */
export const IS_EVIDENCE_DUE = sql<boolean>`archived_part is null and ended_at < ${DUE_BEFORE} and status <> 'denied'`;

/** Evidence of old orders. The orders stay, without it. */
export const EVIDENCE: Archivable<EvidenceRow> = {
  folder: 'orders',
  format: EVIDENCE_FILE,
  instantOf: ({ endedAt }) => endedAt,
  contents: (rows) => ({
    order_ids: rows.map(({ orderId }) => orderId),
    equity_mode: null,
    blueprint_ids: null,
  }),

  async readDue(db, accountId) {
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
          from trade_order where account_id = ${accountId} and ${IS_EVIDENCE_DUE}
          order by ended_at, id limit ${PART_ORDERS_MAX}) as due
        window reading as (order by ended_at, id)) as numbered
      where is_of_month and (number = 1 or bytes <= ${PART_BYTES_MAX})
      order by ended_at, id`.execute(db);
    return rows.map((row) => ({ ...row, endedAt: BigInt(row.endedAt) }));
  },

  async remove(trx, accountId, number, rows) {
    const column = (name: keyof EvidenceRow) => sql`${rows.map((row) => row[name])}::text[]`;
    const { numAffectedRows } = await sql`
      update trade_order o
      set receipt = '{}', inputs = null, decided_quote = null, approval_receipt = null, archived_part = ${number}
      from unnest(${column('orderId')}, ${column('receipt')}, ${column('inputs')}, ${column('decidedQuote')},
        ${column('approvalReceipt')}) as f (id, receipt, inputs, quote, approval)
      where o.account_id = ${accountId} and o.id = f.id::uuid and o.archived_part is null
        and (o.receipt::text, o.inputs::text, o.decided_quote::text, o.approval_receipt::text)
          is not distinct from (f.receipt, f.inputs, f.quote, f.approval)`.execute(trx);
    return Number(numAffectedRows);
  },
};
