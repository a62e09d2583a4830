import { exact } from '../decimal.ts';
import type { AuditRow, FillRow, Report } from './rows.ts';

type Stated = { tradeId?: string; value?: string } | null;

/** What the audit trail says each write-off was booked at, by the id of its trade: it is a person's act. */
export const statedWriteOffs = (
  writeOffs: readonly AuditRow[],
): ReadonlyMap<string | undefined, string | undefined> =>
  new Map(writeOffs.map(({ after }) => [(after as Stated)?.tradeId, (after as Stated)?.value]));

export function compareWriteOff(
  { id, kind, venue_trade_id, price }: FillRow,
  stated: ReturnType<typeof statedWriteOffs>,
  report: Report,
): void {
  if (kind !== 'write_off') return;
  const value = stated.get(venue_trade_id);
  if (value !== undefined && exact(value).eq(price)) return;
  report('fill', id, 'value of the write-off', value ?? 'an audit row', exact(price).toFixed());
}
