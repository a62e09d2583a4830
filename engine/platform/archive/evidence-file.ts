import { instant, type RowFormat, text, textOrNull } from './row-file.ts';

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

/** Evidence of orders. */
export const EVIDENCE_FILE: RowFormat<EvidenceRow> = {
  columns: {
    orderId: 'text',
    endedAt: 'instant',
    receipt: 'text',
    inputs: 'text',
    decidedQuote: 'text',
    approvalReceipt: 'text',
  },
  read: (row) => ({
    orderId: text(row['orderId']),
    endedAt: instant(row['endedAt']),
    receipt: text(row['receipt']),
    inputs: textOrNull(row['inputs']),
    decidedQuote: textOrNull(row['decidedQuote']),
    approvalReceipt: textOrNull(row['approvalReceipt']),
  }),
};
