import { exact } from '../decimal.ts';
import type { Report } from './books.ts';
import type { LedgerRows } from './rows.ts';

type Stated = { tradeId?: string; value?: string };

/** A write-off is a person's act: the audit trail states what it was booked at. */
export function compareWriteOffs({ fills, writeOffs }: LedgerRows, report: Report): void {
  const stated = new Map(
    writeOffs.map(({ after }) => [(after as Stated)?.tradeId, (after as Stated)?.value]),
  );
  for (const { id, kind, venue_trade_id, price } of fills) {
    if (kind !== 'write_off') continue;
    const value = stated.get(venue_trade_id);
    if (value !== undefined && exact(value).eq(price)) continue;
    report('fill', id, 'value of the write-off', value ?? 'an audit row', exact(price).toFixed());
  }
}
