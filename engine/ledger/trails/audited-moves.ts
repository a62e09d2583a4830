import { auditActionOf, MOVE_KINDS } from '../../books/accounting/move-cash.ts';
import { exact } from '../../platform/decimal.ts';
import type { AuditRow, CashRow, Report } from '../rows.ts';

type Stated = { amount?: string } | null;

/** The audit rows of money that moved without a fill, by the id of the entry. */
export const auditRowsByEntry = (audits: readonly AuditRow[]): ReadonlyMap<string | null, AuditRow> =>
  new Map(audits.map((row) => [row.subject_id, row]));

/** Checks that money moves without a fill only as the audit trail says. */
export function compareMoveWithAudit(
  { id, kind, amount }: CashRow,
  stated: ReturnType<typeof auditRowsByEntry>,
  report: Report,
): void {
  const row = stated.get(id);
  const move = MOVE_KINDS.find((each) => each === kind);
  if (move === undefined) report('cash_entry', id, 'kind', MOVE_KINDS.join(' or '), kind);
  else if (row?.action !== auditActionOf(move))
    report('cash_entry', id, 'kind', 'an audit row of it', row?.action ?? 'missing');
  const statedAmount = (row?.after as Stated)?.amount;
  if (statedAmount === undefined || !exact(statedAmount).eq(amount))
    report('cash_entry', id, 'amount', statedAmount ?? 'an audit row', exact(amount).toFixed());
}

type Transfer = {
  readonly connectionId?: string | null;
  readonly reason?: string;
  readonly recordId?: string | null;
} | null;

/** Rows of older versions state only a reason. */
const OPENING_REASON = 'The balance that the account was connected with.';

/**
 * Checks that a venue account is taken over once, and each record of its venue is booked once. Any other transfer is money that
 * moved without a record.
 */
export function compareTransfersWithAudit(
  entries: readonly CashRow[],
  stated: ReturnType<typeof auditRowsByEntry>,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const { id, kind, connection_id } of entries) {
    const transfer = kind === 'transfer' ? (stated.get(id)?.after as Transfer) : null;
    if (connection_id === null || transfer == null) continue;
    const { recordId = transfer.reason === OPENING_REASON ? null : undefined } = transfer;
    if (recordId === undefined) continue;
    const name = `${connection_id} ${recordId ?? ''}`;
    if (seen.has(name))
      report('cash_entry', id, 'transfer', `${recordId ?? 'the opening balance'} once`, 'again');
    seen.add(name);
  }
}
