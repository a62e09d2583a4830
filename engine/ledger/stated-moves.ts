import { auditActionOf, MOVE_KINDS } from '../accounting/move-cash.ts';
import { exact } from '../decimal.ts';
import type { AuditRow, CashRow, Report } from './rows.ts';

type Stated = { amount?: string } | null;

/** What the audit trail says of money that moved without a fill, by the id of its entry. */
export const statedMoves = (audits: readonly AuditRow[]): ReadonlyMap<string | null, AuditRow> =>
  new Map(audits.map((row) => [row.subject_id, row]));

/** No money moves without a fill but as the audit trail says. */
export function compareMove(
  { id, kind, amount }: CashRow,
  stated: ReturnType<typeof statedMoves>,
  report: Report,
): void {
  const row = stated.get(id);
  const move = MOVE_KINDS.find((each) => each === kind);
  if (move === undefined) report('cash_entry', id, 'kind', MOVE_KINDS.join(' or '), kind);
  else if (row?.action !== auditActionOf(move))
    report('cash_entry', id, 'kind', 'an audit row of it', row?.action ?? 'missing');
  const told = (row?.after as Stated)?.amount;
  if (told === undefined || !exact(told).eq(amount))
    report('cash_entry', id, 'amount', told ?? 'an audit row', exact(amount).toFixed());
}
