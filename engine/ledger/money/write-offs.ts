import { exact } from '../../platform/decimal.ts';
import type { AuditRow, FillRow, Report } from '../rows.ts';

type Stated = { tradeId?: string; value?: string } | null;

/** Kinds of fill that are booked at a stated value, without a trade or a payout of the venue. */
const STATED = new Map([
  ['write_off', 'value of the write-off'],
  ['adjustment', 'value of the adjustment'],
  ['netting', 'value of the netting'],
]);

/** The stated value of each such fill in the audit trail, by the id of its trade. */
export const auditedWriteOffs = (
  writeOffs: readonly AuditRow[],
): ReadonlyMap<string | undefined, string | undefined> =>
  new Map(writeOffs.map(({ after }) => [(after as Stated)?.tradeId, (after as Stated)?.value]));

export function compareWriteOffWithAudit(
  { id, kind, venue_trade_id, price }: FillRow,
  stated: ReturnType<typeof auditedWriteOffs>,
  report: Report,
): void {
  const field = STATED.get(kind);
  if (field === undefined) return;
  const value = stated.get(venue_trade_id);
  if (value !== undefined && exact(value).eq(price)) return;
  report('fill', id, field, value ?? 'an audit row', exact(price).toFixed());
}
